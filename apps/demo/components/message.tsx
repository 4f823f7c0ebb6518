'use client';

import { memo } from 'react';
import type { ChatMessage } from '../agent/chat-message';
import { AnswerText } from './answer-text';
import type { ApprovalAnswer } from './approval-request';
import { ResultStrip } from './result-strip';
import { VisibleText } from './shown-text';
import { isToolCallPart } from './tool-call-part';
import { ToolCard } from './tool-card';
import { Warning } from './tool-status';

interface MessageProps {
  message: ChatMessage;
  /** This message still arrives. */
  isAnswering: boolean;
  /** No message follows. */
  isLast: boolean;
  onApproval: (answer: ApprovalAnswer) => void;
}

/** One message. While an answer arrives, the hook gives a new object for that one only: all others are not drawn again. */
export const Message = memo(function Message({ message, isAnswering, isLast, onApproval }: MessageProps) {
  if (message.role === 'user') return <Question message={message} />;
  return (
    <article aria-label="Agent" aria-busy={isAnswering} className="flex min-w-0 flex-col gap-3.5">
      {message.parts.map((part, index) => {
        if (isToolCallPart(part)) {
          return <ToolCard key={part.toolCallId} part={part} {...{ isAnswering, isLast, onApproval }} />;
        }
        if (part.type !== 'text' || part.text.trim() === '') return null;
        const isArriving = isAnswering && index === message.parts.length - 1;
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever appended.
        return <AnswerText key={index} text={part.text} isArriving={isArriving} />;
      })}
      {!isAnswering && <ResultStrip message={message} />}
      {message.metadata?.isDiskFull && (
        <Warning>
          The disk of this server is full, so not every output of this answer was saved. Try again later.
        </Warning>
      )}
    </article>
  );
});

function Question({ message: { parts } }: { message: ChatMessage }) {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return (
    <article aria-label="You" className="max-w-[85%] self-end rounded-2xl rounded-br-md bg-raised px-4 py-2.5">
      <p className="max-h-96 overflow-auto whitespace-pre-wrap break-words">
        <VisibleText text={text} />
      </p>
    </article>
  );
}
