import { CircleX } from 'lucide-react';
import type { ChatFailure } from './chat-failure';

/** What went wrong, and the one thing that helps. */
export function FailureNotice({
  failure,
  onRetry,
  onEdit,
}: {
  failure: ChatFailure;
  onRetry: () => void;
  onEdit: () => void;
}) {
  return (
    <div role="alert" className="rounded-xl border border-failure/40 bg-failure-soft p-4">
      <p className="flex items-center gap-2 font-medium text-failure">
        <CircleX aria-hidden className="size-4 shrink-0" />
        {failure.title}
      </p>
      <p className="mt-1 break-words text-sm">{failure.detail.slice(0, 2000)}</p>
      <div className="mt-3">
        <Action failure={failure} onRetry={onRetry} onEdit={onEdit} />
      </div>
    </div>
  );
}

function Action({ failure, onRetry, onEdit }: { failure: ChatFailure; onRetry: () => void; onEdit: () => void }) {
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
