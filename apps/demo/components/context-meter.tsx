'use client';

import { X } from 'lucide-react';
import { useMemo, useRef } from 'react';
import type { ChatMessage } from '../agent/chat-message';
import { ContextComparison } from './context-comparison';
import { contextCost } from './context-cost';
import { formatTokens } from './format-size';

/** The dialog with the comparison, which other parts of the UI open as well. */
export const CONTEXT_DIALOG_ID = 'context-comparison';

/** How full the context is, as a button; behind it what every call cost, and would have cost. */
export function ContextMeter({ messages }: { messages: readonly ChatMessage[] }) {
  const cost = useMemo(() => contextCost(messages), [messages]);
  const dialog = useRef<HTMLDialogElement>(null);
  const { window, isEstimated } = cost;
  const used = cost.withTruncation.newest;
  const keptOut = cost.without.newest - used;
  const about = isEstimated ? '≈' : '';

  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        className="flex min-h-8 min-w-0 items-center gap-2 rounded-lg px-2 text-muted text-sm hover:bg-raised hover:text-ink"
        onClick={() => dialog.current?.showModal()}
      >
        <Ring share={used / window} />
        <span className="truncate tabular-nums">
          {about}
          {formatTokens(used)} of {formatTokens(window)} tokens
          {keptOut >= 1 && <span className="max-sm:hidden"> · {formatTokens(keptOut)} kept out</span>}
        </span>
      </button>
      <dialog
        ref={dialog}
        id={CONTEXT_DIALOG_ID}
        aria-labelledby="context-title"
        className="m-auto max-h-[min(46rem,calc(100dvh-2rem))] w-[min(44rem,calc(100vw-2rem))] overflow-y-auto rounded-2xl border border-line bg-card text-ink shadow-2xl backdrop:bg-black/50"
        closedby="any"
      >
        <div className="p-5 sm:p-6">
          <div className="flex items-center justify-between gap-4">
            <h2 id="context-title" className="font-semibold text-lg tracking-tight">
              Context with and without ai-truncate
            </h2>
            <button type="button" className="icon-button" aria-label="Close" onClick={() => dialog.current?.close()}>
              <X aria-hidden className="size-4" />
            </button>
          </div>
          <ContextComparison cost={cost} />
        </div>
      </dialog>
    </>
  );
}

/** Part of a circle, in the units of its own picture. */
const circumference = 2 * Math.PI * 6;

function Ring({ share }: { share: number }) {
  const length = circumference * Math.min(1, Math.max(share > 0 ? 0.03 : 0, share));
  return (
    <svg aria-hidden viewBox="0 0 16 16" className="-rotate-90 size-4 shrink-0">
      <circle cx="8" cy="8" r="6" fill="none" strokeWidth="2.5" className="stroke-line-strong" />
      <circle
        cx="8"
        cy="8"
        r="6"
        fill="none"
        strokeWidth="2.5"
        strokeDasharray={`${length} ${circumference}`}
        className="stroke-accent"
      />
    </svg>
  );
}
