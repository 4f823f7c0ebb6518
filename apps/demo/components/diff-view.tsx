import { useMemo } from 'react';
import { type DiffRow, diffRows } from './diff-rows';
import { formatCount } from './format-size';
import { ScrollRegion } from './scroll-region';
import { VisibleText } from './shown-text';

interface DiffViewProps {
  diff: string;
  /** The file that the diff changes. Headers that name another file are struck through. */
  path: string | undefined;
  label: string;
}

/**
 * A unified diff, line by line. The marks of the diff stay in the text, so that no line is recognised by its colour alone. Lines
 * wrap, because a change after a thousand blanks would otherwise be out of sight.
 */
export function DiffView({ diff, path, label }: DiffViewProps) {
  const rows = useMemo(() => diffRows(diff.slice(0, maxChars), { path }), [diff, path]);
  const rest = diff.length - maxChars;
  return (
    <div className="flex flex-col gap-2">
      <ScrollRegion label={label} className="max-h-80 rounded-lg border border-line bg-sunken">
        <pre className="whitespace-pre-wrap break-words py-2 font-mono text-xs leading-5">
          {rows.map(({ text, kind }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a diff never changes.
            <span key={index} data-kind={kind} className={`block px-3.5 ${looks[kind]}`}>
              <VisibleText text={text} />
              {'\n'}
            </span>
          ))}
        </pre>
      </ScrollRegion>
      {rows.some(({ kind }) => kind === 'ignored') && (
        <p className="text-muted text-sm">Lines that are struck through are ignored. They change nothing.</p>
      )}
      {rest > 0 && <p className="text-sm text-warning">{formatCount(rest)} more characters are not shown here.</p>}
    </div>
  );
}

/** A model can ask for a change of any size: the page draws no more than this of it. */
const maxChars = 60_000;

const looks: Record<DiffRow['kind'], string> = {
  same: '',
  added: 'bg-success-soft text-success',
  removed: 'bg-failure-soft text-failure',
  hunk: 'text-muted',
  file: 'text-muted',
  ignored: 'text-muted line-through',
};
