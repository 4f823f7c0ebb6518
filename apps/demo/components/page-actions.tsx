import { SquarePen } from 'lucide-react';
import { ThemeToggle } from './theme-toggle';

/** What can be done from every page of a chat or an output: begin another chat, change the theme. */
export function PageActions() {
  return (
    <>
      <a href="/" aria-label="New chat" className="icon-button shrink-0">
        <SquarePen aria-hidden className="size-4" />
      </a>
      <ThemeToggle />
    </>
  );
}
