'use client';

import { Trash2 } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useRef, useState } from 'react';

/** Deletes this chat and all that its tools gave, after a question. Shown from the first message on: before, there is nothing. */
export function DeleteChatButton({ chatId }: { chatId: string }) {
  const pathname = usePathname();
  const dialog = useRef<HTMLDialogElement>(null);
  const [state, setState] = useState<{ isDeleting: boolean; failure?: string }>({ isDeleting: false });
  if (pathname !== `/c/${chatId}`) return null;

  async function deleteChat() {
    setState({ isDeleting: true });
    const failure = await failureOf(chatId);
    if (failure === undefined) window.location.assign('/');
    else setState({ isDeleting: false, failure });
  }

  return (
    <>
      <button
        type="button"
        aria-label="Delete this chat"
        className="icon-button"
        onClick={() => dialog.current?.showModal()}
      >
        <Trash2 aria-hidden className="size-4" />
      </button>
      <dialog
        ref={dialog}
        aria-labelledby="delete-chat-title"
        className="m-auto w-[min(24rem,calc(100vw-2rem))] rounded-xl border border-line bg-card p-5 text-ink backdrop:bg-black/40"
      >
        <h2 id="delete-chat-title" className="font-medium">
          Delete this chat?
        </h2>
        <p className="mt-1 text-muted text-sm">This permanently deletes its messages and outputs.</p>
        <p role="status" className="mt-1 text-failure text-sm">
          {state.failure}
        </p>
        <div className="mt-4 flex justify-end gap-2">
          <button type="button" className="quiet-button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="button" className="strong-button" disabled={state.isDeleting} onClick={() => void deleteChat()}>
            Delete
          </button>
        </div>
      </dialog>
    </>
  );
}

/** What to tell the visitor when the chat is still there; nothing when it is gone, also when it was gone before. */
async function failureOf(chatId: string): Promise<string | undefined> {
  try {
    const response = await fetch(`/api/chats/${chatId}`, { method: 'DELETE' });
    if (response.ok || response.status === 404) return undefined;
    const { error } = (await response.json()) as { error: { message: string } };
    return error.message;
  } catch {
    return 'The server could not be reached. Check the connection, then try again.';
  }
}
