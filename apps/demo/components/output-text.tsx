'use client';

import { useState } from 'react';
import { formatCount } from './format-size';
import { ScrollRegion } from './scroll-region';
import { VisibleText } from './shown-text';

/** Lines that are shown before somebody asks for all of them. */
const firstLines = 12;
/** A tool that is not bounded may return anything: the page draws no more than this of it. */
const maxChars = 100_000;

/** The text of a small output: its first lines, and all of them on demand. */
export function OutputText({ text, label }: { text: string; label: string }) {
  const [showsAll, setShowsAll] = useState(false);
  const lines = text.slice(0, maxChars).split('\n');
  const isLong = lines.length > firstLines + 1;
  const shown = isLong && !showsAll ? lines.slice(0, firstLines) : lines;
  const rest = text.length - maxChars;

  return (
    <div>
      <ScrollRegion label={label} className="max-h-96 rounded-lg border border-line bg-sunken">
        <pre className="w-max min-w-full px-3.5 py-2.5 font-mono text-xs">
          <VisibleText text={shown.join('\n')} />
        </pre>
      </ScrollRegion>
      {rest > 0 && <p className="mt-2 text-muted text-sm">{formatCount(rest)} more characters are not shown here.</p>}
      {isLong && !showsAll && (
        <button type="button" className="quiet-button mt-2" onClick={() => setShowsAll(true)}>
          Show all {formatCount(lines.length)} lines
        </button>
      )}
    </div>
  );
}
