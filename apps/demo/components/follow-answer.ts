import type { StoredChat } from './stored-chat';

interface FollowOptions {
  ask: () => Promise<StoredChat>;
  /** Called with all that the server has, each time that it was asked. */
  onChat: (chat: StoredChat) => void;
  /** Resolves after so many milliseconds; rejects when nobody looks any more. */
  wait: (ms: number) => Promise<void>;
}

const firstWaitMs = 400;
const longestWaitMs = 5_000;
/** Longer than any answer may take: a server that says "not yet" for ever is not asked for ever. */
const maxWaitedMs = 6 * 60_000;

/**
 * Asks for an answer that is written for another page, until it is over. A stream of it cannot be joined, and the page that began
 * it may be gone; what the server has written down is all there is. Resolves to whether the end was seen.
 */
export async function followAnswer({ ask, onChat, wait }: FollowOptions): Promise<boolean> {
  let waitMs = firstWaitMs;
  for (let waitedMs = 0; waitedMs < maxWaitedMs; waitedMs += waitMs) {
    waitMs = Math.min(longestWaitMs, waitMs * 1.25);
    await wait(waitMs);
    const chat = await ask();
    onChat(chat);
    if (!chat.isAnswering) return true;
  }
  return false;
}
