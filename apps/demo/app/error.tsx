'use client';

import { MessagePage } from '../components/message-page';

/** What is shown when a page cannot be made. The cause is in the log of the server; `digest` finds it there. */
export default function ErrorPage({ error }: { error: Error & { digest?: string } }) {
  return (
    <MessagePage title="This page failed">
      <p className="mt-3 text-pretty text-muted">
        The server could not make it.{error.digest && ` The log of the server names it ${error.digest}.`}
      </p>
      <div className="mt-6 flex justify-center gap-2">
        <a href="/" className="quiet-button">
          Start again
        </a>
        <button type="button" className="strong-button" onClick={() => window.location.reload()}>
          Retry
        </button>
      </div>
    </MessagePage>
  );
}
