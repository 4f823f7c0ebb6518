import type { ArtifactLinesAnswer } from 'ai-truncate/http';
import { type MouseEvent, memo, useMemo } from 'react';
import { formatBytes, formatCount } from '../format-size';
import { ShownText } from '../shown-text';
import { textSegments } from '../text-segments';

/** Of one line; a row is no place to read more. */
const maxShownCharacters = 2000;

export interface LineRowProps {
  number: number;
  totalLines: number;
  line: ArtifactLinesAnswer['lines'][number] | undefined;
  isSelected: boolean;
  isHit: boolean;
  href: string;
  onSelect(number: number, event: MouseEvent): void;
  onOpenLine(number: number): void;
}

/** One line: its number, which is a link to it, and its text. */
export const LineRow = memo(function LineRow(props: LineRowProps) {
  const { number, totalLines, line, isSelected, isHit, href, onSelect, onOpenLine } = props;
  return (
    <li
      aria-setsize={totalLines}
      aria-posinset={number}
      data-line={number}
      data-unfilled={line === undefined || undefined}
      className={`artifact-row ${isSelected ? 'selected-row' : ''} ${isHit ? 'hit-row' : ''}`}
    >
      {/* biome-ignore lint/a11y/useAnchorContent: it has a name; the number is drawn, not written, so that nothing copies it. */}
      <a
        href={href}
        data-number={number}
        aria-label={`Line ${formatCount(number)}`}
        aria-current={isSelected || undefined}
        tabIndex={-1}
        draggable={false}
        className="line-number"
        onClick={(event) => onSelect(number, event)}
      />
      {line === undefined ? (
        <span className="text-muted">···</span>
      ) : (
        <LineText line={line} onOpen={() => onOpenLine(number)} />
      )}
    </li>
  );
});

/** Levels of a log line. The text of the line contains its level, so the colour is never the only sign. */
const levels = [
  { pattern: /\b(?:ERROR|FATAL|CRITICAL|PANIC|FAIL(?:ED)?)\b/, className: 'text-failure' },
  { pattern: /\bWARN(?:ING)?\b/, className: 'text-warning' },
] as const;

/** A level is at the start of a line. */
const maxLevelCharacters = 120;

/** The colour of a line that reports an error or a warning. */
export function levelClassName(text: string): string | undefined {
  const start = text.slice(0, maxLevelCharacters);
  return levels.find(({ pattern }) => pattern.test(start))?.className;
}

function LineText({
  line: { text, bytes, shownBytes },
  onOpen,
}: {
  line: NonNullable<LineRowProps['line']>;
  onOpen(): void;
}) {
  const segments = useMemo(() => textSegments(text.slice(0, maxShownCharacters)), [text]);
  const isWhole = shownBytes >= bytes && text.length <= maxShownCharacters;
  return (
    <>
      <span data-text className={levelClassName(text)}>
        <ShownText segments={segments} />
      </span>
      {!isWhole && (
        <button
          type="button"
          className="sticky right-2 ml-2 h-6 shrink-0 rounded border border-line bg-card px-1.5 text-accent text-xs"
          onClick={onOpen}
        >
          … all {formatBytes(bytes)} of this line
        </button>
      )}
    </>
  );
}
