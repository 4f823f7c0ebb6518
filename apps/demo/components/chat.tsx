'use client';

import { useChat } from '@ai-sdk/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChatMessage } from '../agent/chat-message';
import { answerEnd } from './answer-end';
import { preloadAnswerText } from './answer-text';
import type { ApprovalAnswer } from './approval-request';
import { approvalSender } from './approval-sender';
import { answerElsewhere, type ChatFailure, chatFailure, noAnswer, unfinishedAnswer } from './chat-failure';
import { ChatIdProvider } from './chat-id';
import { chatTransport } from './chat-transport';
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

/** How often a page that is being written to is drawn: more often is not seen, and costs on phones. */
const redrawMs = 50;

const transport = chatTransport();

/** A chat: the landing page while it is empty, then the conversation. */
export function Chat({ id, storedMessages, isStillAnswering, notices }: ChatProps) {
  const [shouldSend] = useState(approvalSender);
  const { messages, setMessages, sendMessage, regenerate, stop, status, error, clearError, addToolApprovalResponse } =
    useChat<ChatMessage>({
      id,
      messages: storedMessages,
      transport,
      sendAutomaticallyWhen: shouldSend,
      throttle: redrawMs,
    });
  const [draft, setDraft] = useState('');
  const composer = useRef<HTMLTextAreaElement>(null);
  const stored = useStoredAnswer({ id, isStillAnswering, onMessages: setMessages });
  const isAnswering = status === 'submitted' || status === 'streaming';
  const isGrowing = isAnswering || stored.state === 'following';
  const failure = error ? chatFailure(error) : isGrowing ? undefined : missingEnd(messages, stored.state);

  function ask(text: string) {
    if (text.trim() === '' || isAnswering) return;
    // From here on a reload finds this chat. No page is loaded for it.
    window.history.replaceState(null, '', `/c/${id}`);
    setDraft('');
    stored.leave();
    preloadAnswerText();
    // A failure is not thrown here: the hook hands it out as `error`.
    void sendMessage({ text });
    composer.current?.focus();
  }

  function editLast() {
    const last = messages.findLastIndex(({ role }) => role === 'user');
    setDraft(messages[last]?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n') ?? '');
    setMessages(messages.slice(0, last));
    clearError();
    composer.current?.focus();
  }

  const answerApproval = useCallback(
    (answer: ApprovalAnswer) => void addToolApprovalResponse(answer),
    [addToolApprovalResponse],
  );

  useEffect(() => {
    if (!isAnswering) return;
    function pressKey(event: KeyboardEvent) {
      // A dialog that is open takes the key for itself.
      if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) void stop();
    }
    document.addEventListener('keydown', pressKey);
    return () => document.removeEventListener('keydown', pressKey);
  }, [isAnswering, stop]);

  return (
    <ChatIdProvider value={id}>
      <PanelArea chat={id}>
        <main className="flex min-h-0 flex-1 flex-col">
          {messages.length === 0 && !error ? (
            <div className="flex min-h-0 flex-1 overflow-y-auto">
              <div className="m-auto w-full">
                <Landing onAsk={ask} />
              </div>
            </div>
          ) : (
            <Conversation messages={messages} isAnswering={isGrowing} onApproval={answerApproval}>
              {failure && <FailureNotice failure={failure} onRetry={() => void regenerate()} onEdit={editLast} />}
            </Conversation>
          )}
          <div className="relative mx-auto w-full max-w-3xl px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6">
            <Composer
              ref={composer}
              value={draft}
              onChange={setDraft}
              onSend={() => ask(draft)}
              onStop={() => void stop()}
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
