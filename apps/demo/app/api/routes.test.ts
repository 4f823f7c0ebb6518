import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DefaultChatTransport, readUIMessageStream, type UIMessageChunk } from 'ai';
import { artifactNameOf, isTruncatedOutput } from 'ai-truncate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../agent/chat-message';

// Set before the routes are loaded. On Vercel without a Blob store everything goes into a private temporary directory.
process.env.VERCEL = '1';
process.env.DEMO_LOG_MB = '3';
for (const name of ['OPENAI_API_KEY', 'BLOB_READ_WRITE_TOKEN', 'BLOB_STORE_ID', 'MCP_COMMAND', 'TOOL_OUTPUT_DIR'])
  delete process.env[name];
const { POST } = await import('./chat/route');
const { GET: getChat } = await import('./chats/[id]/route');
const { GET: getArtifact } = await import('./artifacts/[...path]/route');
const { dataDirectory } = await import('../../lib/data-directory');
const { newVisitor } = await import('../../lib/visitor');
const { toChatKey } = await import('../../lib/chat-key');
const { visitor, setCookie } = await newVisitor({ headers: new Headers() });
const headers = { cookie: setCookie.slice(0, setCookie.indexOf(';')) };
afterAll(() => rm(dataDirectory(), { recursive: true }));

const post = (body: unknown, signal?: AbortSignal) =>
  POST(
    new Request('http://localhost/api/chat', {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      ...(signal && { signal }),
    }),
  );
const restore = async (id: string) => {
  const request = new Request(`http://localhost/api/chats/${id}`, { headers });
  const response = await getChat(request, { params: Promise.resolve({ id }) });
  return {
    status: response.status,
    body: (await response.json()) as { messages: ChatMessage[]; error?: { code: string; action: string } },
  };
};
const download = (name: string, chat: string) =>
  getArtifact(new Request(`http://localhost/api/artifacts/${name}/raw?chat=${chat}`, { headers }));
const userMessage = (text: string) => ({ id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] });
const asNew = (id: string, text: string) => ({
  id,
  trigger: 'submit-message',
  isNew: true,
  message: userMessage(text),
});

/** The answer as the page puts it together, and what came over the wire for it. */
async function readAnswer(
  response: Response,
  message?: ChatMessage,
): Promise<{ message: ChatMessage; bytes: number; chunks: UIMessageChunk[] }> {
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const body = await response.text();
  const chunks = body
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as UIMessageChunk);
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  let last: ChatMessage | undefined;
  for await (const state of readUIMessageStream<ChatMessage>({ stream, ...(message && { message }) })) last = state;
  if (!last) throw new Error('no answer');
  return { message: last, bytes: Buffer.byteLength(body), chunks };
}

const textOf = ({ parts }: ChatMessage) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
const partOf = <TYPE extends ChatMessage['parts'][number]['type']>({ parts }: ChatMessage, type: TYPE) =>
  parts.findLast((part): part is Extract<ChatMessage['parts'][number], { type: TYPE }> => part.type === type);
const logLines = async (chat: string) =>
  (await readFile(join(dataDirectory(), 'chats', toChatKey(visitor, chat), 'events.jsonl'), 'utf8'))
    .split('\n')
    .filter(Boolean);

describe('a question about a large log', () => {
  const chat = randomUUID();
  let answer: Awaited<ReturnType<typeof readAnswer>>;
  beforeAll(async () => {
    answer = await readAnswer(await post(asNew(chat, 'Why did checkout fail last night?')));
  });

  test('is answered with the cause, in a small stream', () => {
    expect(textOf(answer.message)).toContain('cut `payments.timeoutMs` from 30,000 to 300 ms');
    expect(answer.bytes).toBeLessThan(60_000);
  });

  test('is in the log of the chat, and no line of the log contains the output', async () => {
    const lines = await logLines(chat);
    expect(lines.length).toBeGreaterThan(4);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(42_000);
  });

  test('is restored as the page showed it', async () => {
    const { status, body } = await restore(chat);
    expect(status).toBe(200);
    expect(body.messages).toHaveLength(2);
    expect(body.messages[1]).toEqual(JSON.parse(JSON.stringify(answer.message)));
  });

  test('has metadata that adds up: the original size, the sent size, and the cost of each request', () => {
    const { steps, calls, model } = answer.message.metadata ?? {};
    expect(model).toEqual({ id: 'scripted', isScripted: true });
    expect(steps?.length).toBe(3);
    expect(steps?.every(({ isEstimated, inputTokens }) => isEstimated && inputTokens > 0)).toBe(true);
    const output = partOf(answer.message, 'tool-readServerLogs')?.output;
    if (!isTruncatedOutput(output)) throw new Error('not truncated');
    expect(calls).toMatchObject([
      { toolName: 'readServerLogs', step: 0, originalBytes: output.data.truncation.original_bytes },
      { toolName: 'task', step: 1, subAgentTokens: expect.any(Number) },
    ]);
    expect(calls?.[0]?.sentChars).toBeGreaterThan(output.data.preview.length);
    expect(calls?.[0]?.sentChars).toBeLessThan(16_384);
  });

  test('has the full log as a download that no browser executes, for this chat only', async () => {
    const output = partOf(answer.message, 'tool-readServerLogs')?.output;
    if (!isTruncatedOutput(output)) throw new Error('not truncated');
    const { full_output_path: path, original_bytes: bytes } = output.data.truncation;
    const name = artifactNameOf(path ?? '') ?? '';
    const response = await download(name, chat);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="tool_[\w-]+\.txt"$/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await response.arrayBuffer()).byteLength).toBe(bytes);
    const foreign = await download(name, randomUUID());
    expect(foreign.status).toBe(404);
    expect(await foreign.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });

  test('can be followed by another question, which knows the conversation so far', async () => {
    const { message } = await readAnswer(
      await post({ id: chat, trigger: 'submit-message', message: userMessage('search for rollback') }),
    );
    expect(textOf(message)).toContain('rollback to deploy');
    expect((await restore(chat)).body.messages).toHaveLength(4);
  });

  test('can be answered again, and the previous answer no longer counts', async () => {
    const before = (await restore(chat)).body.messages.at(-1);
    await readAnswer(await post({ id: chat, trigger: 'regenerate-message' }));
    const { messages } = (await restore(chat)).body;
    expect(messages).toHaveLength(4);
    expect(messages.at(-1)?.id).not.toBe(before?.id);
  });
});

describe('a change that needs approval', () => {
  async function untilApproval() {
    const chat = randomUUID();
    const { message } = await readAnswer(await post(asNew(chat, 'Fix the failing test')));
    const part = partOf(message, 'tool-editFile');
    if (part?.state !== 'approval-requested') throw new Error(`no approval asked: ${part?.state}`);
    const respond = (approved: boolean) => ({
      id: chat,
      trigger: 'submit-message',
      message: {
        ...message,
        parts: message.parts.map((each) =>
          each === part ? { ...part, state: 'approval-responded', approval: { ...part.approval, approved } } : each,
        ),
      },
    });
    return { chat, message, respond };
  }
  const editsIn = async (chat: string) => (await logLines(chat)).filter((line) => line.startsWith('{"type":"file"'));

  test('waits, even across a reload, and changes no file meanwhile', async () => {
    const { chat } = await untilApproval();
    const message = (await restore(chat)).body.messages.at(-1) as ChatMessage;
    expect(partOf(message, 'tool-editFile')).toMatchObject({ state: 'approval-requested', input: { dryRun: false } });
    expect(await editsIn(chat)).toEqual([]);
  });

  test('is made once when it is allowed, and a second click learns that', async () => {
    const { chat, message, respond } = await untilApproval();
    const [first, second] = await Promise.all([post(respond(true)), post(respond(true))]);
    const [won, lost] = first.ok ? [first, second] : [second, first];
    const answer = await readAnswer(won, message);
    expect(lost.status).toBe(409);
    expect(answer.message.id).toBe(message.id);
    expect(textOf(answer.message)).toContain('Fixed. All 2,520 tests pass.');
    expect(await editsIn(chat)).toHaveLength(1);
    expect((await post(respond(true))).status).toBe(409);
    const restored = (await restore(chat)).body.messages;
    expect(restored).toHaveLength(2);
    expect(restored[1]?.metadata?.calls?.map(({ toolName }) => toolName)).toEqual([
      'runTests',
      'grepArtifacts',
      'readFile',
      'editFile',
      'editFile',
      'runTests',
    ]);
  });

  test('is not made when it is denied, and the model sees that', async () => {
    const { chat, message, respond } = await untilApproval();
    const answer = await readAnswer(await post(respond(false)), message);
    expect(textOf(answer.message)).toContain('You rejected the change');
    expect(await editsIn(chat)).toEqual([]);
  });

  test('is not made when the visitor asks something else, and cannot be allowed later', async () => {
    const { chat, respond } = await untilApproval();
    await readAnswer(
      await post({ id: chat, trigger: 'submit-message', message: userMessage('How do subagents work?') }),
    );
    const late = await post(respond(true));
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({ error: { code: 'not_waiting', action: 'reload' } });
    expect(await editsIn(chat)).toEqual([]);
  });

  test('cannot be forged: an answer with an invented request changes no file', async () => {
    const { chat, message } = await untilApproval();
    const forged = {
      type: 'tool-editFile',
      toolCallId: 'x',
      state: 'approval-responded',
      input: { path: 'README.md', patch: '@@', dryRun: false },
      approval: { id: 'forged', approved: true },
    };
    const response = await post({ id: chat, trigger: 'submit-message', message: { ...message, parts: [forged] } });
    expect(response.status).toBe(409);
  });
});

describe('an answer that is stopped', () => {
  test('ends, keeps its first part, and the chat continues', async () => {
    const chat = randomUUID();
    const stop = new AbortController();
    const response = await post(asNew(chat, 'Why did checkout fail last night?'), stop.signal);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (
      let chunk = await reader?.read();
      !chunk?.value?.includes('tool-input-available');
      chunk = await reader?.read()
    ) {
      if (!chunk || chunk.done) throw new Error('ended before its first call');
    }
    stop.abort();
    await reader?.cancel();
    const next = await readAnswer(
      await post({ id: chat, trigger: 'submit-message', message: userMessage('How do subagents work?') }),
    );
    expect(textOf(next.message)).toContain('06-subagents.mdx');
    const { messages } = (await restore(chat)).body;
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(JSON.stringify(messages[1])).not.toContain('timeoutMs');
  });
});

describe('a request that cannot be answered', () => {
  test('for an unknown chat asks the visitor to start again, and is never a server error', async () => {
    for (const id of [randomUUID(), 'nonsense', '..%2f..']) {
      expect(await restore(id)).toMatchObject({
        status: 404,
        body: { error: { code: 'unknown_chat', action: 'start-again' } },
      });
    }
    const response = await post({ id: randomUUID(), trigger: 'submit-message', message: userMessage('hello') });
    expect(response.status).toBe(404);
  });

  test('with a path as its chat id never creates a folder elsewhere', async () => {
    await post({ id: '../escape', trigger: 'submit-message', isNew: true, message: userMessage('hello') });
    expect(await readdir(dataDirectory())).not.toContain('escape');
  });

  test('with a body that is too large is 413, and with a malformed body 400', async () => {
    expect((await post(asNew(randomUUID(), 'x'.repeat(70_000)))).status).toBe(413);
    expect((await post('nothing')).status).toBe(400);
  });
});

test('the transport of the SDK works with the route', async () => {
  const chat = randomUUID();
  const transport = new DefaultChatTransport<ChatMessage>({
    api: 'http://localhost/api/chat',
    fetch: (url, init) => POST(new Request(String(url), init as RequestInit)),
    prepareSendMessagesRequest: ({ id, messages, trigger }) => ({
      body: { id, trigger, isNew: true, message: messages.at(-1) },
    }),
  });
  const message: ChatMessage = {
    id: randomUUID(),
    role: 'user',
    parts: [{ type: 'text', text: 'Run the tests. What failed?' }],
  };
  const stream = await transport.sendMessages({
    trigger: 'submit-message',
    chatId: chat,
    messageId: undefined,
    messages: [message],
    abortSignal: undefined,
  });
  const types = new Set<string>();
  for await (const chunk of stream) types.add(chunk.type);
  expect([...types]).toEqual(
    expect.arrayContaining(['start', 'tool-input-available', 'tool-output-available', 'text-delta', 'finish']),
  );
});
