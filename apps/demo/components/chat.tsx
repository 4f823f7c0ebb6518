'use client';

import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ChatMessage } from '../agent/chat-message';
import { answerEnd } from './answer-end';
import { preloadAnswerText } from './answer-text';
import { answerElsewhere, type ChatFailure, chatFailure, noAnswer, unfinishedAnswer } from './chat-failure';
import { ChatIdProvider } from './chat-id';
import { ChatSession } from './chat-session';
import { Composer } from './composer';
import { ContextMeter } from './context-meter';
import { Conversation } from './conversation';
import { FailureNotice } from './failure-notice';
import { Landing } from './landing';
import { MilestoneAnnouncer } from './milestone-announcer';
import { type StoredAnswerState, useStoredAnswer } from './use-stored-answer';
import { PanelArea } from './viewer/panel-area';

interface ChatProps {
  id: string;
  /** What the server has of this chat; nothing for a new one. */
  storedMessages: ChatMessage[];
  /** The server still writes an answer to them. */
  isStillAnswering: boolean;
  /** What the visitor must know of the model and of the storage, below the composer. */
  notices: readonly string[];
}

/** A chat: the landing page while it is empty, then the conversation. */
export function Chat({ id, storedMessages, isStillAnswering, notices }: ChatProps) {
  const [session] = useState(() => new ChatSession({ id, messages: storedMessages }));
  const { store, stop, prepare } = session;
  const { messages, status, error } = useSyncExternalStore(store.subscribe, store.view, store.view);
  const [draft, setDraft] = useState('');
  const composer = useRef<HTMLTextAreaElement>(null);
  const stored = useStoredAnswer({ id, isStillAnswering, onMessages: store.setMessages });
  const isAnswering = status === 'submitted' || status === 'streaming';
  const isGrowing = isAnswering || stored.state === 'following';
  const isAsking = answerEnd(messages) === 'asking';
  const failure = error ? chatFailure(error) : isGrowing ? undefined : missingEnd(messages, stored.state);

  function ask(text: string) {
    if (text.trim() === '' || isAnswering || session.isDeciding) return;
    // From here on a reload finds this chat. No page is loaded for it.
    window.history.replaceState(null, '', `/c/${id}`);
    setDraft('');
    stored.leave();
    preloadAnswerText();
    // A failure is not thrown here: the store hands it out as `error`.
    void session.send(text);
    // On a phone, the focus would open the keyboard over the answer.
    if (!window.matchMedia('(pointer: coarse)').matches) composer.current?.focus();
  }

  function editLast() {
    setDraft(session.takeBack());
    composer.current?.focus();
  }

  useEffect(() => {
    if (isAsking) prepare();
  }, [isAsking, prepare]);

  // An answer that nobody looks at any more is not asked for any more.
  useEffect(() => () => void stop(), [stop]);

  useEffect(() => {
    if (!isAnswering) return;
    function pressKey(event: KeyboardEvent) {
      // Whoever prevents what a key does has taken it; a dialog that is open takes this one for itself.
      if (event.defaultPrevented) return;
      if (event.key === 'Escape' && document.querySelector('dialog[open], :popover-open') === null) void stop();
    }
    document.addEventListener('keydown', pressKey);
    return () => document.removeEventListener('keydown', pressKey);
  }, [isAnswering, stop]);

  return (
    <ChatIdProvider value={id}>
      <PanelArea chat={id} composer={composer}>
        <main className="flex min-h-0 flex-1 flex-col">
          {messages.length === 0 && !error ? (
            <div className="flex min-h-0 flex-1 overflow-y-auto">
              <div className="m-auto w-full">
                <Landing onAsk={ask} onIntent={prepare} />
              </div>
            </div>
          ) : (
            <Conversation messages={messages} isAnswering={isGrowing} onApproval={session.answer} onAsk={ask}>
              {failure && <FailureNotice failure={failure} onRetry={() => void session.retry()} onEdit={editLast} />}
            </Conversation>
          )}
          <div className="relative mx-auto w-full max-w-3xl px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6">
            <Composer
              ref={composer}
              value={draft}
              onChange={setDraft}
              onSend={() => ask(draft)}
              onStop={() => void stop()}
              onIntent={prepare}
              isAnswering={isAnswering}
            >
              <ContextMeter messages={messages} />
            </Composer>
            <div className="mt-2 flex flex-col gap-0.5 text-balance text-center text-muted text-xs">
              {notices.map((notice) => (
                <p key={notice}>{notice}</p>
              ))}
            </div>
          </div>
          <MilestoneAnnouncer messages={messages} isAnswering={isGrowing} />
        </main>
      </PanelArea>
    </ChatIdProvider>
  );
}

/** What the page says of a chat to which nothing is added. */
function missingEnd(messages: readonly ChatMessage[], stored: StoredAnswerState): ChatFailure | undefined {
  if (stored === 'lost') return answerElsewhere;
  const end = answerEnd(messages);
  if (end === 'unanswered') return noAnswer;
  return end === 'unfinished' ? unfinishedAnswer : undefined;
}
