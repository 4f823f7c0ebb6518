'use client';

import { ArrowDown } from 'lucide-react';
import { useEffect } from 'react';
import { useStickToBottom } from 'use-stick-to-bottom';
import type { ChatMessage } from '../agent/chat-message';
import type { ApprovalAnswer } from './approval-request';
import { Message } from './message';
import { ScrollRegion } from './scroll-region';
import { Suggestions } from './suggestions';

interface ConversationProps {
  messages: readonly ChatMessage[];
  isAnswering: boolean;
  onApproval: (answer: ApprovalAnswer) => void;
  onAsk: (question: string) => void;
  /** What stands behind the last message: a failure. */
  children?: React.ReactNode;
}

/** The messages. A new question is scrolled into view. While text arrives, the view follows its end until the visitor scrolls up. */
export function Conversation({ messages, isAnswering, onApproval, onAsk, children }: ConversationProps) {
  const { scrollRef, contentRef, isAtBottom, scrollToBottom } = useStickToBottom({
    initial: 'instant',
    resize: 'instant',
  });

  const lastQuestion = messages.findLast(({ role }) => role === 'user')?.id;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new question is the reason to scroll.
  useEffect(() => {
    void scrollToBottom('instant');
  }, [lastQuestion, scrollToBottom]);

  const suggestions = messages.at(-1)?.metadata?.suggestions ?? [];

  return (
    <div className="relative min-h-0 flex-1">
      <ScrollRegion
        ref={scrollRef}
        label="Conversation"
        className="h-full overscroll-contain [scrollbar-gutter:stable_both-edges]"
      >
        <div ref={contentRef} className="mx-auto flex w-full max-w-3xl flex-col gap-6 px-3 py-6 sm:px-6">
          <h1 className="sr-only">Chat</h1>
          {messages.map((message, index) => {
            const isLast = index === messages.length - 1;
            return (
              <div key={message.id} className="off-screen-quiet flex flex-col">
                <Message
                  message={message}
                  isAnswering={isLast && isAnswering}
                  isLast={isLast}
                  onApproval={onApproval}
                />
              </div>
            );
          })}
          {isAnswering && isWaiting(messages) && <Thinking />}
          {!isAnswering && suggestions.length > 0 && <Suggestions questions={suggestions} onAsk={onAsk} />}
          {children}
        </div>
      </ScrollRegion>
      {!isAtBottom && (
        <button
          type="button"
          className="quiet-button -translate-x-1/2 absolute bottom-3 left-1/2 rounded-full shadow-md"
          onClick={() => void scrollToBottom('instant')}
        >
          <ArrowDown aria-hidden className="size-3.5" />
          Latest
        </button>
      )}
    </div>
  );
}

/** Nothing on the page tells that something is being done: no word arrives, no tool runs. */
function isWaiting(messages: readonly ChatMessage[]): boolean {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return true;
  const part = last.parts.at(-1);
  if (part === undefined || part.type === 'step-start') return true;
  if (part.type === 'text') return part.text.trim() === '';
  return 'state' in part && (part.state === 'output-error' || (part.state === 'output-available' && !part.preliminary));
}

function Thinking() {
  return (
    <p className="flex items-center gap-2 text-muted text-sm">
      <span aria-hidden className="size-2 animate-pulse-dot rounded-full bg-accent" />
      Thinking
    </p>
  );
}
