'use client';

import type { ReactNode } from 'react';
import { themeKey } from './theme-script';

/**
 * Switches between the light and the dark theme. What is shown now decides, so it needs no state: also CSS knows it. Its icons
 * come from the server: as scripts they would be loaded by every page.
 */
export function ThemeToggle({ children }: { children: ReactNode }) {
  return (
    <button type="button" className="icon-button" aria-label="Switch between light and dark" onClick={switchTheme}>
      {children}
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
