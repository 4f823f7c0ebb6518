import { useEffect, useState } from 'react';
import type { ChatMessage } from '../agent/chat-message';
import { followAnswer } from './follow-answer';
import { fetchStoredChat } from './stored-chat';

/** `following`: more of the answer may come. `lost`: it may as well, but this page does not hear of it. */
export type StoredAnswerState = 'none' | 'following' | 'lost';

interface StoredAnswerOptions {
  id: string;
  /** What the server said when the page was loaded. */
  isStillAnswering: boolean;
  onMessages: (messages: ChatMessage[]) => void;
}

/** Keeps a page in step with an answer that the server writes for nobody here: the page was reloaded, or is a second one. */
export function useStoredAnswer({ id, isStillAnswering, onMessages }: StoredAnswerOptions) {
  const [state, setState] = useState<StoredAnswerState>(isStillAnswering ? 'following' : 'none');
  const isFollowing = state === 'following';

  useEffect(() => {
    if (!isFollowing) return;
    const leave = new AbortController();
    followAnswer({
      ask: () => fetchStoredChat(id, leave.signal),
      onChat: ({ messages }) => !leave.signal.aborted && onMessages(messages),
      wait: (ms) => pause(ms, leave.signal),
    }).then(
      (sawEnd) => !leave.signal.aborted && setState(sawEnd ? 'none' : 'lost'),
      () => !leave.signal.aborted && setState('lost'),
    );
    return () => leave.abort();
  }, [id, isFollowing, onMessages]);

  // What the visitor says now begins another answer.
  return { state, leave: () => setState('none') };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
