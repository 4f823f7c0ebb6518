import type { ArtifactLinesAnswer } from 'ai-truncate/http';
import { memo } from 'react';
import { formatBytes, formatCount } from '../format-size';
import { shownText } from '../text-segments';

type FirstLines = Pick<ArtifactLinesAnswer, 'lines' | 'totalLines'>;

/** The first lines, for a browser that runs no scripts. The whole is a download. */
export const LinesWithoutScripts = memo(function LinesWithoutScripts({ lines, totalLines }: FirstLines) {
  return (
    <noscript className="min-h-0 flex-1 overflow-auto bg-sunken">
      <p className="px-3 py-2 text-muted text-sm">
        The first {formatCount(lines.length)} of {formatCount(totalLines)} lines. The others need scripts, or the
        download.
      </p>
      <pre className="whitespace-pre-wrap break-words px-3 pb-4 font-mono text-xs leading-6">
        {lines.map(({ number, text, bytes, shownBytes }) => (
          <span key={number} id={`L${number}`} data-line={number} className="block">
            <span className="mr-3 select-none text-muted">{number}</span>
            {shownText(text)}
            {shownBytes < bytes && ` … and ${formatBytes(bytes - shownBytes)} more`}
          </span>
        ))}
      </pre>
    </noscript>
  );
});
