import { useEffect, useRef } from 'react';
import { ViewerDialog } from './viewer-dialog';

const shortcuts = [
  { keys: ['/', 'Ctrl F'], does: 'Find' },
  { keys: ['n', 'N'], does: 'Next match, back to the one before' },
  { keys: ['e', 'E'], does: 'Next error, back to the one before' },
  { keys: [':', 'Ctrl G'], does: 'Go to a line' },
  { keys: ['j', 'k', '↓', '↑'], does: 'A line down, a line up' },
  { keys: ['Space', 'PgDn', 'PgUp'], does: 'A page down, a page up' },
  { keys: ['g', 'G', 'Home', 'End'], does: 'The first line, the last line' },
  { keys: ['Shift click'], does: 'Select up to this line' },
  { keys: ['Shift ↓', 'Shift ↑'], does: 'Select a line more, a line less' },
  { keys: ['c', 'y'], does: 'Copy what is selected, a link to it' },
  { keys: ['Esc'], does: 'Clear the search, the selection, close' },
  { keys: ['?'], does: 'This list' },
];

/** The keys of the viewer. They work while the lines have the focus. */
export function ShortcutList({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <ViewerDialog ref={dialog} title="Keyboard shortcuts" onClose={onClose}>
      <p className="text-muted text-sm">They work while the lines have the focus.</p>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2 overflow-auto text-sm">
        {shortcuts.map(({ keys, does }) => (
          <div key={does} className="contents">
            <dt className="flex flex-wrap gap-1">
              {keys.map((key) => (
                <kbd key={key} className="rounded border border-line bg-raised px-1.5 py-0.5 font-mono text-xs">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </ViewerDialog>
  );
}
