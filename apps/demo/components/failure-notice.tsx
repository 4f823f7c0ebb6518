import { CircleX, Square } from 'lucide-react';
import type { ChatFailure } from './chat-failure';

interface FailureNoticeProps {
  failure: ChatFailure;
  onRetry: () => void;
  onEdit: () => void;
}

/** What went wrong, and the one thing that helps. */
export function FailureNotice({ failure, ...actions }: FailureNoticeProps) {
  return (
    <div
      role={failure.isQuiet ? 'note' : 'alert'}
      className={`rounded-xl border p-4 ${failure.isQuiet ? 'border-line bg-card' : 'border-failure/40 bg-failure-soft'}`}
    >
      <p className={`flex items-center gap-2 font-medium ${failure.isQuiet ? '' : 'text-failure'}`}>
        {failure.isQuiet ? (
          <Square aria-hidden className="size-3.5 shrink-0" />
        ) : (
          <CircleX aria-hidden className="size-4 shrink-0" />
        )}
        {failure.title}
      </p>
      <p className="mt-1 break-words text-sm">{failure.detail.slice(0, 2000)}</p>
      <div className="mt-3">
        <Action failure={failure} {...actions} />
      </div>
    </div>
  );
}

function Action({ failure, onRetry, onEdit }: FailureNoticeProps) {
  switch (failure.action) {
    case 'retry':
      return (
        <button type="button" className="quiet-button" onClick={onRetry}>
          Retry
        </button>
      );
    case 'edit':
      return (
        <button type="button" className="quiet-button" onClick={onEdit}>
          Edit message
        </button>
      );
    case 'reload':
      return (
        <button type="button" className="quiet-button" onClick={() => location.reload()}>
          Reload this chat
        </button>
      );
    case 'start-again':
      return (
        <a className="quiet-button" href="/">
          Start again
        </a>
      );
  }
}
