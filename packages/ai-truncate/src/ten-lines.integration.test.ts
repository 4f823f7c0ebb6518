import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import {
  convertToModelMessages,
  isToolUIPart,
  readUIMessageStream,
  tool,
  type UIMessage,
  type UIMessageChunk,
  validateUIMessages,
} from 'ai';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { log } from '../fixtures/one-megabyte.ts';
import { type OpenAiServer, openAiCalls, startOpenAiServer } from '../fixtures/openai-server.ts';
import { truncatedOf } from '../fixtures/run-tool.ts';
import { scopedArtifacts } from './artifacts/scoped-artifacts.ts';
import { memoryStore } from './stores/memory-store.ts';
import { truncateToolOutputs } from './tools/truncate-tool-outputs.ts';

const packageDirectory = join(import.meta.dirname, '..');
const sources: Record<string, string> = {
  'ai-truncate': 'index.ts',
  'ai-truncate/filesystem': 'stores/filesystem/filesystem-store.ts',
  'ai-truncate/vercel-blob': 'stores/vercel-blob/vercel-blob-store.ts',
};
let directory = '';

beforeAll(async () => {
  // Inside the package, so that the examples find its dependencies.
  directory = await mkdtemp(join(packageDirectory, 'node_modules', 'examples-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

/** The first example of a page with this text, as a module that runs against the source. */
async function exampleOf(page: string, { with: words, as: name }: { with: string; as: string }): Promise<string> {
  const blocks = (await readFile(join(packageDirectory, page), 'utf8')).matchAll(/^```ts\n(.*?)^```$/gms);
  const block = [...blocks].map(([, code = '']) => code).find((code) => code.includes(words));
  if (block === undefined) throw new Error(`${page} has no example with "${words}"`);
  const code = stripTypeScriptTypes(block).replace(/from '(ai-truncate[^']*)'/g, (_, specifier: string) => {
    return `from '${pathToFileURL(join(packageDirectory, 'src', sources[specifier] ?? specifier)).href}'`;
  });
  const path = join(directory, name);
  await writeFile(path, code);
  return path;
}

const question: UIMessage = { id: 'question', role: 'user', parts: [{ type: 'text', text: 'What failed?' }] };

describe('the ten lines of the README', () => {
  const call = { ...openAiCalls.function, name: 'readServerLogs', arguments: '{"service":"api"}' };
  let openAi: OpenAiServer;
  let home = '';

  beforeAll(async () => {
    await exampleOf('README.md', { with: '', as: 'route.mjs' });
    const post = `import { text } from 'node:stream/consumers';
      import { POST } from './route.mjs';
      const request = new Request('http://localhost/api/chat', { method: 'POST', body: await text(process.stdin) });
      process.stdout.write(await (await POST(request)).text());`;
    await writeFile(join(directory, 'post.mjs'), post);
  });

  beforeEach(async () => {
    home = await mkdtemp(join(await realpath(tmpdir()), 'ten-lines-'));
    openAi = await startOpenAiServer(call);
    return async () => {
      await openAi.close();
      await rm(home, { recursive: true });
    };
  });

  async function startLogServer(): Promise<string> {
    const server = createServer((_, response) => void response.end(log));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close().closeAllConnections());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** The stream of the route to the UI, in its own process, as after a restart of the server. */
  async function post(messages: UIMessage[], logsUrl: string): Promise<string> {
    const { VERCEL: _, ...env } = process.env;
    const child = spawn(process.execPath, [join(directory, 'post.mjs')], {
      cwd: home,
      env: { ...env, LOGS_URL: logsUrl, OPENAI_BASE_URL: openAi.baseURL, OPENAI_API_KEY: 'none' },
    });
    child.stdin.end(JSON.stringify({ messages }));
    const [streamed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(complaints).not.toContain('Error');
    return streamed;
  }

  /** The answer in the form in which the UI has it. */
  async function answerIn(streamed: string): Promise<UIMessage> {
    const chunks = [...streamed.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => JSON.parse(json));
    let answer: UIMessage | undefined;
    for await (answer of readUIMessageStream({ stream: ReadableStream.from<UIMessageChunk>(chunks) }));
    if (!answer) throw new Error(`no answer: ${streamed.slice(0, 200)}`);
    return answer;
  }

  function toolPartOf(answer: UIMessage): { output?: unknown; errorText?: string | undefined } {
    const part = answer.parts.find(isToolUIPart);
    if (!part) throw new Error('the tool was not called');
    return part;
  }

  /** The results of the call in each request to the model. */
  function sentOutputs(): unknown[] {
    const inputs = openAi.bodies.map((body) => JSON.parse(body).input as { type?: string; output?: unknown }[]);
    return inputs.map((input) => input.find(({ type }) => type === 'function_call_output')?.output);
  }

  test('stream a bounded output to the UI, and save every byte of it on the disk', async () => {
    const streamed = await post([question], await startLogServer());
    expect(streamed.length).toBeLessThan(2 * 16_384 + 8192);
    const { full_output_path: path } = truncatedOf(toolPartOf(await answerIn(streamed)).output).data.truncation;
    expect(path).toMatch(/^tool-output\/me\/tool_/);
    const kept = await readFile(join(home, path ?? ''));
    expect(kept.equals(Buffer.from(log))).toBe(true);
  });

  test('send the model the same bounded text again in the next turn', async () => {
    const logsUrl = await startLogServer();
    const answer = await answerIn(await post([question], logsUrl));
    await post([question, answer, { ...question, id: 'again' }], logsUrl);
    const [, sent, sentAgain] = sentOutputs();
    expect(sent).toMatch(
      /^readServerLogs succeeded, but its output is incomplete: .* Full output saved to: tool-output\//,
    );
    expect(Buffer.byteLength(String(sent))).toBeLessThanOrEqual(16_384);
    expect(sentAgain).toBe(sent);
  });

  test('show the UI the same error as the model, and the model the same error again', async () => {
    const logsUrl = 'http://127.0.0.1:1';
    const answer = await answerIn(await post([question], logsUrl));
    expect(toolPartOf(answer).errorText).toBe('TypeError: fetch failed');
    await post([question, answer, { ...question, id: 'again' }], logsUrl);
    const [, sent, sentAgain] = sentOutputs();
    expect(sent).toContain('TypeError: fetch failed');
    expect(sentAgain).toBe(sent);
    expect(await readdir(home)).toEqual([]);
  });
});

describe('the download route of the README', () => {
  const store = memoryStore();
  let GET: (request: Request) => Promise<Response>;
  let path = '';

  beforeAll(async () => {
    ({ GET } = await import(await exampleOf('README.md', { with: 'app/api/output/route.ts', as: 'download.mjs' })));
    const saved = await scopedArtifacts(store, { scope: 'owner' }).save(log, {
      toolName: 'read',
      toolCallId: 'call_1',
    });
    path = saved.path;
  });

  /** Functions that the example only declares, because every application has its own. */
  function answerTo(userId: string | undefined, asked = path): Promise<Response> {
    Object.assign(globalThis, { store, signedInUser: async () => userId });
    return GET(new Request(`http://localhost/api/output?path=${encodeURIComponent(asked)}`));
  }

  test('serves every byte to the owner, and never as a web page', async () => {
    const response = await answerTo('owner');
    expect(await response.text()).toBe(log);
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="tool_[\w-]+\.txt"$/),
      'x-content-type-options': 'nosniff',
    });
  });

  test.each<[string, string | undefined, string | undefined, number]>([
    ['somebody else', 'another', undefined, 404],
    ['the owner with a path that leaves the folder', 'owner', '../../etc/passwd', 404],
    ['the owner without a path', 'owner', '', 404],
    ['nobody', undefined, undefined, 401],
  ])('serves nothing to %s', async (_, userId, asked, status) => {
    expect((await answerTo(userId, asked)).status).toBe(status);
  });
});

describe('a chat that is rewritten as docs/tools.md says', () => {
  const rows = Array.from({ length: 10_000 }, (_, id) => ({ id }));
  const read = tool({
    inputSchema: z.object({}),
    outputSchema: z.array(z.object({ id: z.number() })),
    execute: async () => rows,
    toModelOutput: ({ output }) => ({ type: 'text', value: output.map(({ id }) => id).join('\n') }),
  });

  test('is valid and continues with tools that are no longer wrapped', async () => {
    const path = await exampleOf('../../docs/tools.md', { with: 'withoutTruncatedOutputs', as: 'way-out.mjs' });
    const { withoutTruncatedOutputs } = await import(path);
    const wrapped = truncateToolOutputs({ read }, { store: memoryStore(), scope: 'chat-1' });
    const output = truncatedOf(await wrapped.read.execute({}, { toolCallId: 'call_1', messages: [], context: {} }));
    const part = { type: 'tool-read', toolCallId: 'call_1', state: 'output-available', input: {}, output } as const;
    const stored: UIMessage[] = [question, { id: 'answer', role: 'assistant', parts: [part] }];
    await expect(validateUIMessages({ messages: stored, tools: { read } as never })).rejects.toThrow();

    const messages = await validateUIMessages({ messages: withoutTruncatedOutputs(stored), tools: { read } as never });
    const sent = (await convertToModelMessages(messages, { tools: { read } })).at(-1)?.content;
    const value = `${output.text}\n${output.data.preview}`;
    expect(sent).toMatchObject([{ type: 'tool-result', output: { type: 'error-text', value } }]);
  });
});
