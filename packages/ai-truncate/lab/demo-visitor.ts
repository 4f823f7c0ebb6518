import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { cookieOf } from '../../../e2e/tests/conversation.ts';
import { isTruncatedOutput } from '../src/protocol/truncated-output.ts';
import { readerWords } from '../src/readers/reader-words.ts';

/** Everything that the users of a demo observed. */
export interface VisitTally {
  chats: number;
  /** Answers that were read to their end. */
  answers: number;
  /** Answers whose user left in the middle. */
  left: number;
  /** Answers that were not read to their end because all users left. */
  over: number;
  /** Requests refused by the limits of the demo. */
  limited: number;
  /** Truncated outputs that were not saved. */
  unkept: number;
  /** Answers in which a reader reported that its time was up, as it does on a machine that is too busy. */
  outOfTime: number;
  /** Errors that no user caused. */
  errors: string[];
}

export interface DemoVisitorOptions {
  url: string;
  tally: VisitTally;
  /** Aborts when all users leave, so that no answer is read any further. */
  over: AbortSignal;
}

interface AskOptions {
  /** The user leaves when a chunk of this type arrives, or before any chunk. */
  leaveAt?: 'once' | 'text-delta' | 'tool-input-available' | 'tool-output-available';
  /** Part of the correct answer, unless a search ran out of time. */
  expected?: string;
}

/** A user with one chat, who talks to the demo like its UI does. An error ends the chat and is added to the tally. */
export interface DemoVisitor {
  ask(text: string, options?: AskOptions): Promise<void>;
  /** Requests the last answer again. */
  askAgain(options?: AskOptions): Promise<void>;
  /** Answers the call that waits for approval. There is none if a search ran out of time before. */
  decide(approved: boolean): Promise<void>;
  /** Opens the page of the chat, and waits until the answer has ended. */
  reload(): Promise<void>;
  deleteChat(): Promise<void>;
}

interface Chunk {
  type: string;
  delta?: string;
  errorText?: string;
  approvalId?: string;
  toolCallId?: string;
  output?: unknown;
}

const POLL_MS = 250;
/** After each abandoned answer, the demo itself waits some seconds. */
const MOST_POLLS = 400;
const MOST_DELETES = 40;

export function demoVisitor({ url, tally, over }: DemoVisitorOptions): DemoVisitor {
  const chat = randomUUID();
  let cookie = '';
  let isNew = true;
  let isRefused = false;
  let last: Chunk[] = [];
  const isGone = () => isRefused || over.aborted;

  // The demo would hold a descriptor for each connection that stays open.
  const send = (path: string, options: RequestInit = {}) =>
    fetch(`${url}${path}`, { ...options, headers: { cookie, connection: 'close' } });

  async function post(body: object, { leaveAt, expected }: AskOptions = {}): Promise<void> {
    if (isGone()) return;
    const leaving = new AbortController();
    const leave = () => leaving.abort();
    if (leaveAt === 'once') setImmediate(leave);
    try {
      const response = await send('/api/chat', {
        method: 'POST',
        body: JSON.stringify({ id: chat, isNew, ...body }),
        signal: leaving.signal,
      });
      if (response.status === 429) {
        await response.text();
        tally.limited++;
        isRefused = true;
        return;
      }
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      isNew = false;
      cookie = cookieOf(response) ?? cookie;
      // Not before the cookie has arrived, because without it the chat could not be deleted.
      over.addEventListener('abort', leave);
      if (over.aborted) leave();
      const chunks: Chunk[] = [];
      for await (const chunk of chunksOf(response)) {
        chunks.push(chunk);
        if (chunk.type === leaveAt) leave();
      }
      requireWhole(chunks);
      last = chunks;
      if (chunks.some(saysTimeWasUp)) tally.outOfTime++;
      else if (expected !== undefined && !textOf(chunks).includes(expected))
        throw new Error(`A wrong answer: ${textOf(chunks)}`);
      tally.unkept += chunks.filter(({ output }) => isUnkept(output)).length;
      tally.answers++;
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
      tally[over.aborted ? 'over' : 'left']++;
    } finally {
      over.removeEventListener('abort', leave);
    }
  }

  return {
    ask: (text, options) =>
      post(
        {
          trigger: 'submit-message',
          message: { id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] },
        },
        options,
      ),
    askAgain: (options) => post({ trigger: 'regenerate-message' }, options),
    async decide(approved) {
      if (isGone()) return;
      const waiting = last.find(({ type }) => type === 'tool-approval-request');
      if (!waiting && last.some(saysTimeWasUp)) return;
      if (!waiting) throw new Error(`No call waits for approval: ${textOf(last)}`);
      const part = {
        type: 'tool-editFile',
        toolCallId: waiting.toolCallId,
        state: 'approval-responded',
        approval: { id: waiting.approvalId, approved },
      };
      await post({ trigger: 'submit-message', message: { id: randomUUID(), role: 'assistant', parts: [part] } });
    },
    async reload() {
      if (isRefused) return;
      const page = await send(`/c/${chat}`);
      await page.text();
      if (!page.ok) throw new Error(`The page of a chat: ${page.status}`);
      for (let poll = 0; poll < MOST_POLLS; poll++) {
        const response = await send(`/api/chats/${chat}`);
        if (!response.ok) throw new Error(`An existing chat: ${response.status} ${await response.text()}`);
        if (!((await response.json()) as { isAnswering: boolean }).isAnswering) return;
        await setTimeout(POLL_MS);
      }
      throw new Error('An abandoned answer never ends.');
    },
    async deleteChat() {
      if (cookie === '') return;
      for (let attempt = 0; attempt < MOST_DELETES; attempt++) {
        const response = await send(`/api/chats/${chat}`, { method: 'DELETE' });
        const text = await response.text();
        if (response.ok) return;
        if (response.status !== 409) throw new Error(`Deleting a chat: ${response.status} ${text}`);
      }
      throw new Error('The chat of an abandoned answer cannot be deleted.');
    },
  };
}

async function* chunksOf({ body }: Response): AsyncGenerator<Chunk> {
  let rest = '';
  for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: {')) yield JSON.parse(line.slice('data: '.length)) as Chunk;
  }
}

function requireWhole(chunks: readonly Chunk[]): void {
  const failed = chunks.find(({ type }) => ['error', 'tool-output-error', 'abort'].includes(type));
  if (failed) throw new Error(`An answer with ${failed.type}: ${failed.errorText}`);
  if (chunks.at(-1)?.type !== 'finish') throw new Error(`An answer that ends with ${chunks.at(-1)?.type}`);
}

function textOf(chunks: readonly Chunk[]): string {
  return chunks.map(({ type, delta }) => (type === 'text-delta' ? delta : '')).join('');
}

/** Whether a reader of the agent or of its sub-agent reports this. */
function saysTimeWasUp({ type, output }: Chunk): boolean {
  if (type !== 'tool-output-available') return false;
  const text = JSON.stringify(output ?? '');
  return text.includes(readerWords.notSearchedToTheEnd) || text.includes('The search ran out of time');
}

function isUnkept(output: unknown): boolean {
  return isTruncatedOutput(output) && output.data.truncation.full_output_path === null;
}
