'use client';

import { ArrowUp, Square } from 'lucide-react';
import type { KeyboardEvent, ReactNode, Ref } from 'react';

interface ComposerProps {
  ref: Ref<HTMLTextAreaElement>;
  value: string;
  onChange: (text: string) => void;
  onSend: () => void;
  onStop: () => void;
  /** Somebody is about to write. */
  onIntent: () => void;
  isAnswering: boolean;
  /** Stands beside the button. */
  children: ReactNode;
}

/** Where the visitor writes. One button sends or stops: it stays the same element, so the focus stays on it. */
export function Composer({ ref, value, onChange, onSend, onStop, onIntent, isAnswering, children }: ComposerProps) {
  function pressKey(event: KeyboardEvent) {
    // Enter that ends the choice of a character (Chinese, Japanese, Korean) is not for us.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!isAnswering) onSend();
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isAnswering) onStop();
        else onSend();
      }}
      className="rounded-2xl border border-line-strong bg-card shadow-[0_1px_2px_rgb(0_0_0/0.05),0_8px_24px_-12px_rgb(0_0_0/0.12)] focus-within:border-accent"
    >
      <textarea
        ref={ref}
        id="composer"
        aria-label="Your message"
        aria-keyshortcuts="Enter"
        placeholder="Ask about logs, orders, tests or docs"
        rows={1}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={pressKey}
        onPointerEnter={onIntent}
        onFocus={onIntent}
        className="field-sizing-content block max-h-48 min-h-12 w-full resize-none bg-transparent px-4 pt-3 pb-1 text-base placeholder:text-muted max-sm:text-[1rem] focus:outline-none"
      />
      <div className="flex items-center justify-between gap-2 p-2 pl-2.5">
        {children}
        <button
          type="submit"
          aria-label={isAnswering ? 'Stop' : 'Send'}
          disabled={!isAnswering && value.trim() === ''}
          className="strong-button size-9 rounded-xl px-0"
        >
          {isAnswering ? (
            <Square aria-hidden className="size-3.5 fill-current" />
          ) : (
            <ArrowUp aria-hidden className="size-4.5" />
          )}
        </button>
      </div>
    </form>
  );
}
