'use client';

import { lazy, Suspense } from 'react';

// The renderer weighs more than the rest of the page, and nobody needs it before the first word of an answer.
const Markdown = lazy(() => import('./markdown'));

/** The words of an answer. Until the renderer has arrived they are plain text: nothing waits for it. */
export function AnswerText({ text, isArriving }: { text: string; isArriving: boolean }) {
  return (
    <Suspense fallback={<p className="whitespace-pre-wrap break-words">{text}</p>}>
      <Markdown text={text} isArriving={isArriving} />
    </Suspense>
  );
}
