'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';

/** How long the button says what happened. */
const feedbackMs = 2000;

/** Copies a text and says, to eyes and ears, whether it worked. */
export function CopyButton({ text, label, className }: { text: string; label: string; className?: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>();

  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), feedbackMs);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
    } catch {
      // The browser refuses where the page is not secure or not focused; the text can still be selected.
      setOutcome('refused');
    }
  }

  return (
    <button type="button" className={className ?? 'quiet-button'} onClick={copy}>
      {outcome === 'copied' ? (
        <Check aria-hidden className="size-3.5 text-success" />
      ) : (
        <Copy aria-hidden className="size-3.5" />
      )}
      <span>{outcome === undefined ? label : outcome === 'copied' ? 'Copied' : 'Not allowed'}</span>
      <span role="status" className="sr-only">
        {outcome === 'copied' && 'Copied'}
      </span>
    </button>
  );
}
