import type { KeyboardEvent } from 'react';

/** What keys do while the lines have the focus, beside moving them. */
export interface KeyActions {
  extendSelection(by: 1 | -1): void;
  find(): void;
  goToLine(): void;
  copyLines(): void;
  copyLink(): void;
  showShortcuts(): void;
  /** To the next match, or back to one that was found before. */
  step(by: 1 | -1): void;
  findErrors(by: 1 | -1): void;
}

type PressedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** What this key does here; `undefined` when it is left to others. The list of shortcuts tells the same. */
export function keyAction(pressed: PressedKey, actions: KeyActions): (() => void) | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = pressed;
  if (altKey) return undefined;
  const modifier = ctrlKey || metaKey ? 'Ctrl ' : shiftKey && key.startsWith('Arrow') ? 'Shift ' : '';
  switch (modifier + key) {
    case 'Shift ArrowDown':
      return () => actions.extendSelection(1);
    case 'Shift ArrowUp':
      return () => actions.extendSelection(-1);
    case '/':
    case 'Ctrl f':
      return actions.find;
    case ':':
    case 'Ctrl g':
      return actions.goToLine;
    case 'c':
      return actions.copyLines;
    case 'y':
      return actions.copyLink;
    case '?':
      return actions.showShortcuts;
    case 'n':
      return () => actions.step(1);
    case 'N':
      return () => actions.step(-1);
    case 'e':
      return () => actions.findErrors(1);
    case 'E':
      return () => actions.findErrors(-1);
    default:
      return undefined;
  }
}
