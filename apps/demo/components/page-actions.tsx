import { Moon, SquarePen, Sun } from 'lucide-react';
import { ThemeToggle } from './theme-toggle';

/** What can be done from every page of a chat or an output: begin another chat, change the theme. */
export function PageActions() {
  return (
    <>
      <a href="/" aria-label="New chat" className="icon-button shrink-0">
        <SquarePen aria-hidden className="size-4" />
      </a>
      <ThemeToggle>
        <Moon aria-hidden className="size-4 dark:hidden" />
        <Sun aria-hidden className="hidden size-4 dark:block" />
      </ThemeToggle>
    </>
  );
}
