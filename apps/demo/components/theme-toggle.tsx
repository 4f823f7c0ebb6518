'use client';

import { Moon, Sun } from 'lucide-react';
import { themeKey } from './theme-script';

/** Switches between the light and the dark theme. What is shown now decides, so it needs no state: also CSS knows it. */
export function ThemeToggle() {
  return (
    <button type="button" className="icon-button" aria-label="Switch between light and dark" onClick={switchTheme}>
      <Moon aria-hidden className="size-4 dark:hidden" />
      <Sun aria-hidden className="hidden size-4 dark:block" />
    </button>
  );
}

function switchTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  const theme = isDark ? 'light' : 'dark';
  root.dataset.theme = theme;
  try {
    localStorage.setItem(themeKey, theme);
  } catch {
    // Storage is forbidden here: the choice holds until the page is left.
  }
}
