import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createMCPClient, type MCPClient } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { generateText, isStepCount, type ToolSet, validateUIMessages } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { scriptedModel, toolResultsSentTo } from '../fixtures/scripted-model.ts';
import { type StreamedCall, streamedCall, type ToolCall } from '../fixtures/streamed-call.ts';
import { isTruncatedOutput, type TruncatedOutput } from './protocol/truncated-output.ts';
import { memoryStore } from './stores/memory-store.ts';
import { truncateToolOutputs } from './tools/truncate-tool-outputs.ts';

const previewBytes = 16_384;
/** The limit for the JSON that carries a truncated output to the UI and the chat log, without file parts. */
const maxCarriedBytes = 2 * previewBytes + 8192;
const log = Array.from({ length: 60_000 }, (_, index) => `line ${index + 1}: äöü 🙂 nothing to see`).join('\r\n');

const require = createRequire(import.meta.url);

let directory = '';
let everything: MCPClient;
let files: MCPClient;

beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'ai-truncate-mcp-')));
  await writeFile(join(directory, 'app.log'), log);
  await mkdir(join(directory, 'many'));
  const names = Array.from({ length: 1500 }, (_, index) => `a-file-with-a-long-name-${index}.txt`);
  await Promise.all(names.map((name) => writeFile(join(directory, 'many', name), '')));
  everything = await startServer(require.resolve('@modelcontextprotocol/server-everything/package.json'), 'stdio');
  files = await startServer(require.resolve('@modelcontextprotocol/server-filesystem/package.json'), directory);
}, 60_000);

afterAll(async () => {
  await Promise.all([everything?.close(), files?.close()]);
  await rm(directory, { recursive: true, force: true });
});

async function startServer(manifest: string, argument: string): Promise<MCPClient> {
  const { bin } = JSON.parse(await readFile(manifest, 'utf8')) as { bin: Record<string, string> };
  const [program = ''] = Object.values(bin);
  const args = [join(dirname(manifest), program), argument];
  return createMCPClient({ transport: new StdioMCPTransport({ command: process.execPath, args, stderr: 'ignore' }) });
}

function expectBounded({ output, sent, outputsInMessage }: StreamedCall): void {
  expect(isTruncatedOutput(output)).toBe(true);
  expect(Buffer.byteLength(JSON.stringify(output))).toBeLessThanOrEqual(maxCarriedBytes);
  expect(outputsInMessage).toEqual([output]);
  expect(sent).toEqual({ type: 'text', value: expect.any(String) });
  expect(Buffer.byteLength(String(sent.value))).toBeLessThanOrEqual(previewBytes);
}

describe('a file that a server reads', () => {
  const readLog = (): ToolCall => ['read_text_file', { path: join(directory, 'app.log') }];

  test('is bounded for the model, the UI and the result, and saved byte for byte', async () => {
    const result = await streamedCall(await files.tools(), readLog());
    expectBounded(result);
    expect(result.sent.value).toContain('of 60,000 lines shown. Full output saved to: tool-output/');
    expect(await result.artifact()).toBe(await readFile(join(directory, 'app.log'), 'utf8'));
  });

  test('is the same in a run that generates', async () => {
    const tools = truncateToolOutputs((await files.tools()) as ToolSet, { store: memoryStore(), scope: 'chat-1' });
    const [toolName, input] = readLog();
    const model = scriptedModel({ toolName, input });
    const { toolResults } = await generateText({ model, tools, prompt: 'go', stopWhen: isStepCount(3) });
    expect(toolResults.map(({ output }) => isTruncatedOutput(output))).toEqual([true]);
    expect(toolResultsSentTo(model)).toMatchObject([{ output: { type: 'text' } }]);
  });

  test('is bounded as a value if the application declares its shape', async () => {
    const shape = { inputSchema: z.object({ path: z.string() }), outputSchema: z.object({ content: z.string() }) };
    const result = await streamedCall(await files.tools({ schemas: { read_text_file: shape } }), readLog());
    expectBounded(result);
    expect(JSON.parse(await result.artifact())).toEqual({ content: log });
    await expect(validateUIMessages({ messages: [result.message], tools: result.tools })).resolves.toBeDefined();
  });

  test.each<[string, () => ToolCall]>([
    ['a list of files', () => ['list_directory', { path: join(directory, 'many') }]],
    ['found files', () => ['search_files', { path: directory, pattern: '**/*.txt' }]],
    ['a tree', () => ['directory_tree', { path: directory }]],
  ])('is bounded like every other answer of the server: %s', async (_, call) => {
    const result = await streamedCall(await files.tools(), call());
    expectBounded(result);
    const artifact = await result.artifact();
    expect(artifact).toContain('a-file-with-a-long-name-0.txt');
    expect(artifact.match(/a-file-with-a-long-name/g)).toHaveLength(1500);
  });

  test('is reported as failed, with a short error, when the server says that it failed', async () => {
    const path = join(directory, 'x'.repeat(60_000));
    const result = await streamedCall(await files.tools(), ['read_text_file', { path }]);
    expectBounded(result);
    expect(result.sent.value).toMatch(/^read_text_file failed, but its output is incomplete: /);
    expect(result.output).toMatchObject({ status: 'error', error: { code: 'EXECUTION_ERROR' } });
    expect((result.output as TruncatedOutput).error?.message).toMatch(/^ENAMETOOLONG: name too long/);
    expect((result.output as TruncatedOutput).error?.message).toHaveLength(500);
    expect(await result.artifact()).toContain(path);
  });
});

describe('answers of a server other than text', () => {
  test('are bounded if they are an embedded resource', async () => {
    const bytes = Array.from({ length: 90_000 }, (_, index) => (index * index * 31) >> 3);
    const data = `data:text/plain;base64,${Buffer.from(bytes).toString('base64')}`;
    const input = { name: 'bytes.gz', outputType: 'resource', data };
    const result = await streamedCall(await everything.tools(), ['gzip-file-as-resource', input], { maxBytes: 2048 });
    expect(isTruncatedOutput(result.output)).toBe(true);
    expect(String(result.sent.value).length).toBeLessThanOrEqual(2048);
    expect(JSON.parse(await result.artifact())).toMatchObject({
      type: 'resource',
      resource: { blob: expect.any(String) },
    });
  });

  test('are bounded if they are links to resources', async () => {
    const result = await streamedCall(await everything.tools(), ['get-resource-links', { count: 10 }], {
      maxBytes: 1024,
    });
    expect(isTruncatedOutput(result.output)).toBe(true);
    expect(String(result.sent.value).length).toBeLessThanOrEqual(1024);
    expect((await result.artifact()).match(/"resource_link"/g)).toHaveLength(10);
  });

  test('leave an image unchanged', async () => {
    const { sent, output } = await streamedCall(await everything.tools(), ['get-tiny-image'], { maxBytes: 1024 });
    expect(isTruncatedOutput(output)).toBe(false);
    const image = {
      type: 'file',
      mediaType: 'image/png',
      data: { type: 'data', data: expect.stringMatching(/^iVBOR/) },
    };
    expect(sent.value).toEqual([
      expect.objectContaining({ type: 'text' }),
      image,
      expect.objectContaining({ type: 'text' }),
    ]);
  });
});

describe('a set of tools of a server', () => {
  test('can have no prototype', async () => {
    const given = (await everything.tools()) as ToolSet;
    const tools = truncateToolOutputs(given, { store: memoryStore(), scope: 'chat-1' });
    expect(Object.getPrototypeOf(given)).toBe(null);
    expect(Object.getPrototypeOf(tools)).toBe(null);
    expect(Object.keys(tools)).toEqual([...Object.keys(given), 'readArtifact', 'grepArtifacts', 'queryArtifact']);
  });

  test('has the descriptions of the client and the server', async () => {
    const given = (await everything.tools()) as ToolSet;
    const { echo } = truncateToolOutputs(given, { store: memoryStore(), scope: 'chat-1' });
    const { title, description, inputSchema, metadata, type } = given.echo ?? {};
    expect(metadata).toMatchObject({ toolName: 'echo' });
    expect(echo).toMatchObject({ title, description, inputSchema, metadata, type });
    const meta = { 'acme/tags': ['a'] };
    const marked = truncateToolOutputs(
      { echo: { ...given.echo, _meta: meta } as never },
      { store: memoryStore(), scope: 'chat-1' },
    );
    expect(marked.echo).toHaveProperty('_meta', meta);
  });

  test('returns a small output unchanged', async () => {
    const { echo } = (await everything.tools()) as ToolSet;
    let answer: unknown;
    const execute = async (...call: Parameters<NonNullable<ToolSet[string]['execute']>>) => {
      answer = await echo?.execute?.(...call);
      return answer;
    };
    const { output } = await streamedCall({ echo: { ...echo, execute } }, ['echo', { message: 'short' }]);
    expect(answer).toMatchObject({ content: [{ type: 'text', text: 'Echo: short' }] });
    expect(output).toBe(answer);
  });
});
