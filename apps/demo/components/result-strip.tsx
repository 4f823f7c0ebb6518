'use client';

import { ExternalLink } from 'lucide-react';
import type { ChatMessage } from '../agent/chat-message';
import { answerResult } from './answer-result';
import { expiredSince } from './artifact-expiry';
import { artifactHref } from './artifact-link';
import { useChatId } from './chat-id';
import { CONTEXT_DIALOG_ID } from './context-meter';
import { formatBytes, formatCount, formatTokens } from './format-size';

/** The effect of truncation on an answer. It is shown after the text, because the tool cards may have scrolled out of view. */
export function ResultStrip({ message }: { message: ChatMessage }) {
  const chat = useChatId();
  const result = answerResult(message);
  if (!result) return null;
  const { bytes, lines, tokensKeptOut, path, expiresAt, toolName } = result;
  const isThere = path !== null && expiredSince(expiresAt, Date.now()) === undefined;
  return (
    <section
      aria-label={`Result of ${toolName}`}
      className="flex flex-col gap-2.5 rounded-xl border border-line bg-card px-3.5 py-2.5 text-sm"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 tabular-nums">
        <Change from={formatBytes(bytes.full)} to={formatBytes(bytes.shown)} />
        {lines && <Change from={formatCount(lines.full)} to={`${formatCount(lines.shown)} lines`} />}
        {tokensKeptOut >= 1 && (
          <span className="whitespace-nowrap text-muted">
            <strong className="font-medium text-ink">≈{formatTokens(tokensKeptOut)}</strong> tokens kept out
          </span>
        )}
      </div>
      <Bars {...bytes} />
      <div className="flex flex-wrap items-center gap-2">
        <button type="button" aria-haspopup="dialog" className="quiet-button" onClick={openComparison}>
          Compare
        </button>
        {isThere && (
          <a className="quiet-button" href={artifactHref(path, { chat })}>
            <ExternalLink aria-hidden className="size-3.5" />
            Open full output
          </a>
        )}
      </div>
    </section>
  );
}

function Change({ from, to }: { from: string; to: string }) {
  return (
    <span className="whitespace-nowrap text-muted">
      {from} <span aria-hidden>→</span>
      <span className="sr-only"> became </span> <strong className="font-medium text-ink">{to}</strong>
    </span>
  );
}

/** Both sizes on one scale. The small bar has at least a few pixels, so that it is visible. */
function Bars({ full, shown }: { full: number; shown: number }) {
  return (
    <div aria-hidden className="flex flex-col gap-1">
      <div className="hatched h-1.5 w-full rounded-full bg-raised" />
      <div
        className="h-1.5 min-w-0.5 rounded-full bg-accent forced-colors:bg-[Highlight]"
        style={{ width: `${Math.min(100, (100 * shown) / full)}%` }}
      />
    </div>
  );
}

function openComparison(): void {
  const dialog = document.getElementById(CONTEXT_DIALOG_ID);
  if (dialog instanceof HTMLDialogElement) dialog.showModal();
}
