import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Page } from '@playwright/test';

/** A piece of an answer, as the route of the chat streams it. */
export type AnswerChunk = { type: string } & Record<string, unknown>;

/** How a scripted answer comes to its end. */
export type AnswerEnd =
  /** As every answer does. */
  | 'finished'
  /** It does not: the answer still arrives while the test looks at it. */
  | 'open'
  /** The connection breaks. */
  | 'broken';

/** What is answered to one message. */
export type ScriptedAnswer =
  /** `pauseMs` stands before each chunk: words come as a model says them, not all at once. */
  | { chunks: AnswerChunk[]; end?: AnswerEnd; pauseMs?: number }
  | { status: number; body: unknown; headers?: Record<string, string> };

/** What the page sent, and what became of it. */
export interface SentMessage {
  body: {
    id: string;
    trigger: string;
    isNew?: boolean;
    message: { id: string; role: string; parts: Record<string, unknown>[] };
  };
  /** Settles when the page ends the connection before the answer is over. */
  aborted: Promise<void>;
}

/** Answers messages of a page from a script, in the place of the server's route; over real HTTP, so that streams can hang and break. */
export interface ScriptedAnswers {
  sent: SentMessage[];
  /** The answer to the next message that has none yet. */
  add(answer: ScriptedAnswer): void;
  close(): Promise<void>;
}

/** Puts scripted answers in the place of `/api/chat`, for states that no real tool can be held in. */
export async function scriptAnswers(page: Page): Promise<ScriptedAnswers> {
  const answers: ScriptedAnswer[] = [];
  const sent: SentMessage[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const message = JSON.parse(body) as SentMessage['body'];
      sent.push({ body: message, aborted: new Promise((resolve) => response.once('close', resolve)) });
      const answer = answers.shift() ?? {
        status: 500,
        body: { error: { code: 'internal', message: 'No answer is left.' } },
      };
      // What follows a decision belongs to the answer that asked for it.
      const messageId = message.message.role === 'assistant' ? message.message.id : crypto.randomUUID();
      void send(answer, { response, messageId });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await page.route('**/api/chat', (route) => route.continue({ url: `http://127.0.0.1:${port}/` }));
  return {
    sent,
    add: (answer) => void answers.push(answer),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function send(
  answer: ScriptedAnswer,
  { response, messageId }: { response: ServerResponse; messageId: string },
): Promise<void> {
  if ('status' in answer) {
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(JSON.stringify(answer.body));
    return;
  }
  const { chunks, end = 'finished', pauseMs = 0 } = answer;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1' });
  const all = end === 'finished' ? [...chunks, { type: 'finish' }] : chunks;
  for (const chunk of [{ type: 'start', messageId }, ...all]) {
    if (pauseMs > 0) await setTimeout(pauseMs);
    response.write(toEvent(chunk));
  }
  if (end === 'finished') response.end('data: [DONE]\n\n');
  // Later than the words before it: what has arrived must have been read when the connection breaks.
  if (end === 'broken') response.socket?.setTimeout(1_000, () => response.destroy());
}

function toEvent(chunk: AnswerChunk): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

/** Chunks of a paragraph. */
export function words(text: string): AnswerChunk[] {
  const id = crypto.randomUUID();
  return [
    { type: 'text-start', id },
    ...text.split(/(?<= )/).map((delta) => ({ type: 'text-delta', id, delta })),
    { type: 'text-end', id },
  ];
}

/** Chunks of a call: its input, and then what became of it. */
export function toolCall(
  toolName: string,
  {
    input = {},
    outcome = [],
    toolCallId = crypto.randomUUID(),
  }: { input?: unknown; outcome?: AnswerChunk[]; toolCallId?: string } = {},
): AnswerChunk[] {
  return [
    { type: 'start-step' },
    { type: 'tool-input-available', toolCallId, toolName, input },
    ...outcome.map((chunk) => ({ ...chunk, toolCallId })),
  ];
}
