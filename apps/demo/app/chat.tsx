'use client';

import { useChat } from '@ai-sdk/react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { ChatMessage } from '../agent/chat-agent';
import { ToolCall } from './tool-call';

const suggestions = ['Why did checkout fail last night?', 'What can you do?'];

export function Chat() {
  const { messages, sendMessage, status, stop, error } = useChat<ChatMessage>();
  const [question, setQuestion] = useState('');
  const isBusy = status === 'submitted' || status === 'streaming';
  const end = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every new part of an answer moves the end of the page.
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' });
  }, [messages]);

  function ask(text: string) {
    if (text.trim() !== '' && !isBusy) {
      setQuestion('');
      // A failure is not thrown here: the hook hands it out as `error`.
      void sendMessage({ text });
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    ask(question);
  }

  return (
    <>
      <main className="flex-1 py-8">
        {messages.length === 0 ? <Welcome onAsk={ask} /> : <Conversation messages={messages} />}
        {error && (
          <p role="alert" className="mt-6 text-failure">
            The answer failed. Check the output of the server, then ask again.
          </p>
        )}
        <p role="status" className="sr-only">
          {isBusy ? 'Answering' : messages.length > 0 && 'The answer is complete'}
        </p>
        <div ref={end} className="scroll-mb-32" />
      </main>
      <form onSubmit={submit} className="sticky bottom-0 flex gap-2 bg-page pt-4 pb-6">
        <input
          aria-label="Your question"
          placeholder="Ask about the server logs"
          value={question}
          onChange={(event) => setQuestion(event.target.value)}
          className="h-12 min-w-0 flex-1 rounded-xl border border-line bg-card px-4 placeholder:text-muted"
        />
        {isBusy ? (
          <button
            type="button"
            onClick={stop}
            className="h-12 cursor-pointer rounded-xl border border-line bg-card px-5"
          >
            Stop
          </button>
        ) : (
          <button type="submit" className="h-12 cursor-pointer rounded-xl bg-accent px-5 font-medium text-on-accent">
            Send
          </button>
        )}
      </form>
    </>
  );
}

function Welcome({ onAsk }: { onAsk: (text: string) => void }) {
  return (
    <section className="mx-auto max-w-xl py-[12vh] text-center">
      <h1 className="text-balance font-semibold text-3xl tracking-tight sm:text-4xl">
        A tool returns 20,000 lines. <span className="block">The model reads 200.</span>
      </h1>
      <p className="mt-4 text-pretty text-muted">
        This agent reads a server log of one night. <code className="font-mono text-ink">truncateText</code> bounds what
        the tool hands to the model, the page and the chat history.
      </p>
      <div className="mt-8 flex flex-wrap justify-center gap-2">
        {suggestions.map((suggestion) => (
          <button
            type="button"
            key={suggestion}
            onClick={() => onAsk(suggestion)}
            className="cursor-pointer rounded-xl border border-line bg-card px-4 py-3 text-left hover:border-accent"
          >
            {suggestion}
          </button>
        ))}
      </div>
    </section>
  );
}

function Conversation({ messages }: { messages: ChatMessage[] }) {
  return (
    <ol className="flex flex-col gap-6">
      {messages.map((message) => (
        <li key={message.id} className={message.role === 'user' ? 'self-end' : 'flex flex-col gap-4'}>
          <span className="sr-only">{message.role === 'user' ? 'You' : 'Agent'}</span>
          {message.parts.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever appended.
            <Part key={index} part={part} isQuestion={message.role === 'user'} />
          ))}
        </li>
      ))}
    </ol>
  );
}

function Part({ part, isQuestion }: { part: ChatMessage['parts'][number]; isQuestion: boolean }) {
  if (part.type === 'tool-readServerLogs') {
    return <ToolCall part={part} />;
  }
  if (part.type === 'text') {
    const bubble = isQuestion ? 'rounded-2xl bg-accent px-4 py-2 text-on-accent' : 'leading-relaxed';
    return <p className={`whitespace-pre-wrap ${bubble}`}>{part.text}</p>;
  }
  return null;
}
