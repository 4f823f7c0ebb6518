import type { TextSegment } from './text-segments';

/** Pieces of an output, drawn as text and as nothing else. */
export function ShownText({ segments }: { segments: readonly TextSegment[] }) {
  return segments.map(({ text, className }, index) =>
    className === '' ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name, and never change places.
      <span key={index} className={className}>
        {text}
      </span>
    ),
  );
}
