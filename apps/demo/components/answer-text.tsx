'use client';

import { type ComponentType, lazy, Suspense } from 'react';
import { shownText } from './text-segments';

interface AnswerTextProps {
  text: string;
  /** More words come. */
  isArriving: boolean;
}

// The renderer weighs more than the rest of the page, and nobody needs it before the first word of an answer. Where it cannot
// be fetched the words are still shown.
const loadMarkdown = (): Promise<{ default: ComponentType<AnswerTextProps> }> =>
  import('./markdown').catch(() => ({ default: PlainText }));
const Markdown = lazy(loadMarkdown);

/** Fetches the renderer while the model thinks, so that the first words need not be drawn twice. */
export function preloadAnswerText(): void {
  void loadMarkdown();
}

/** The words of an answer. Until the renderer has arrived they are plain text: nothing waits for it. */
export function AnswerText({ text, isArriving }: AnswerTextProps) {
  // A model may repeat hidden characters from the output of a tool.
  const shown = shownText(text);
  return (
    <Suspense fallback={<PlainText text={shown} />}>
      <Markdown text={shown} isArriving={isArriving} />
    </Suspense>
  );
}

function PlainText({ text }: Pick<AnswerTextProps, 'text'>) {
  return <p className="whitespace-pre-wrap break-words">{text}</p>;
}
