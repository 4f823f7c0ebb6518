import { memo, useMemo } from 'react';
import { type TextSegment, textSegments } from './text-segments';

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

/** A text of a tool, a model or a visitor, with its hidden characters made visible. */
export const VisibleText = memo(function VisibleText({ text }: { text: string }) {
  const segments = useMemo(() => textSegments(text), [text]);
  return <ShownText segments={segments} />;
});
