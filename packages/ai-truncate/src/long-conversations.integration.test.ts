import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTemporaryDirectory } from '../fixtures/in-temporary-directory.ts';

const packageDirectory = join(import.meta.dirname, '..');
const page = join(packageDirectory, '../../docs/long-conversations.md');
const sources: Record<string, string> = {
  'ai-truncate': 'index.ts',
  'ai-truncate/filesystem': 'stores/filesystem/filesystem-store.ts',
};
const MAX_LINES = 10;
let directory = '';

beforeAll(async () => {
  // Inside the package, so that the examples find its dependencies.
  directory = await mkdtemp(join(packageDirectory, 'node_modules', 'examples-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

/** Runs an agent of 100 steps with the example, in its own process, and prints the results that its model received last. */
const run = (call: string) => `import { MockLanguageModelV4 } from 'ai/test';
import { isStepCount, simulateReadableStream, tool } from 'ai';
import { z } from 'zod';
import * as example from './example.mjs';

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const text = (step) => Array.from({ length: 60 }, (_, line) => 'step ' + step + ', line ' + line + ': the quick brown fox jumps over the lazy dog').join('\\n');
const stepsIn = (prompt) => prompt.filter(({ role }) => role === 'tool').length;
const content = (prompt) => {
  const step = stepsIn(prompt);
  return step < 100 ? [{ type: 'tool-call', toolCallId: 'call_' + step, toolName: 'readPage', input: JSON.stringify({ step }) }] : [];
};
const finish = (prompt) => ({ finishReason: { unified: stepsIn(prompt) < 100 ? 'tool-calls' : 'stop' }, usage });
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => ({ content: content(prompt), warnings: [], ...finish(prompt) }),
  doStream: async ({ prompt }) => ({
    stream: simulateReadableStream({ chunks: [{ type: 'stream-start', warnings: [] }, ...content(prompt), { type: 'finish', ...finish(prompt) }], initialDelayInMs: null, chunkDelayInMs: null }),
  }),
});
const readPage = tool({ inputSchema: z.object({ step: z.number() }), execute: async ({ step }) => text(step) });
const tools = { readPage };
const user = { role: 'user', content: 'Read all pages.' };
const steps = Array.from({ length: 100 }, (_, step) => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'call_' + step, toolName: 'readPage', input: { step } }] },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'call_' + step, toolName: 'readPage', output: { type: 'text', value: text(step) } }] },
]);
const parts = Array.from({ length: 100 }, (_, step) => [
  { type: 'step-start' },
  { type: 'tool-readPage', toolCallId: 'call_' + step, state: 'output-available', input: { step }, output: text(step) },
]);
const chat = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Read all pages.' }] }, { id: '2', role: 'assistant', parts: parts.flat() }];
await ${call};
const [last] = [...model.doGenerateCalls, ...model.doStreamCalls].slice(-1);
const results = last.prompt.filter(({ role }) => role === 'tool').flatMap(({ content }) => content);
process.stdout.write(JSON.stringify(results.map(({ output }) => output.value)));
`;

test.each([
  ['generateText', 'export const research', "example.research(model, tools, 'Read all pages.')"],
  ['streamText', 'export const stream', 'example.stream(model, tools, [user]).consumeStream()'],
  [
    'ToolLoopAgent',
    'export const createAgent',
    "example.createAgent(model, tools).generate({ prompt: 'Read all pages.' })",
  ],
  ['a plain call', 'export const ask', 'example.ask(model, [user, ...steps.flat()])'],
  ['convertToModelMessages', 'export const answer', '(await example.answer(model, tools, chat)).consumeStream()'],
])('the example with %s has at most ten lines and bounds a run of 100 steps', async (_, words, call) => {
  const blocks = [...(await readFile(page, 'utf8')).matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
  const block = blocks.find((code) => code.includes(words)) ?? '';
  expect(block.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(MAX_LINES);
  const code = stripTypeScriptTypes(block).replace(/from '(ai-truncate[^']*)'/g, (_match, specifier: string) => {
    return `from '${pathToFileURL(join(packageDirectory, 'src', sources[specifier] ?? specifier)).href}'`;
  });
  await writeFile(join(directory, 'example.mjs'), code);
  await writeFile(join(directory, 'run.mjs'), run(call));
  await inTemporaryDirectory(async (home) => {
    const { VERCEL: _vercel, ...env } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, [join(directory, 'run.mjs')], { cwd: home, env });
    const results: string[] = JSON.parse(stdout);
    expect(results).toHaveLength(100);
    const moved = results.filter((text) =>
      text.startsWith('The output of readPage was moved out of this conversation.'),
    );
    expect(moved.length).toBeGreaterThan(20);
    expect(results.slice(0, moved.length)).toEqual(moved);
    expect(results.at(-1)).toContain('step 99, line 59');
    const saved = (await readdir(join(home, 'tool-output'), { recursive: true })).filter((name) =>
      name.endsWith('.txt'),
    );
    expect(saved).toHaveLength(moved.length);
  });
});
