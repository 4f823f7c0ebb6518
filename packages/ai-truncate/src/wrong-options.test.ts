import { tool } from 'ai';
import { Files } from 'files-sdk';
import { memory } from 'files-sdk/memory';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { truncationOptionsFromEnv, truncationOptionsFromObject } from './config.ts';
import { checkEvidence, unreadArtifacts } from './extras.ts';
import { createArtifactHandler } from './http.ts';
import {
  boundMessages,
  createArtifactTools,
  createTaskTool,
  exploreAgent,
  InvalidOptionError,
  memoryStore,
  scopedArtifacts,
  summarize,
  sweepArtifacts,
  toSubAgent,
  truncateOutput,
  truncateText,
  truncateToolOutputs,
  truncateToolResultsMiddleware,
} from './index.ts';
import { filesSdkStore } from './stores/files-sdk/files-sdk-store.ts';
import { filesystemStore } from './stores/filesystem/filesystem-store.ts';
import { vercelBlobStore } from './stores/vercel-blob/vercel-blob-store.ts';

// Calls of each entry like in JavaScript, with types cast away.

const model = 'openai/gpt-5-mini';
const store = memoryStore();
const storage = { store, scope: 'chat-17' };
const log = tool({ inputSchema: z.object({}), execute: () => 'text' });
const helper = { description: 'Helps.', run: async () => ({ conclusion: 'Done.' }) };
const files = new Files({ adapter: memory() });
const call = { toolName: 'log', toolCallId: 'call_1' };

type Options = Record<string, unknown>;
type Entrance = (options: never) => unknown;

const entrances: Record<string, [entrance: Entrance, right: Options]> = {
  truncateToolOutputs: [(options) => truncateToolOutputs({ log }, options), storage],
  truncateOutput: [(options) => truncateOutput('text', options), { ...storage, ...call }],
  truncateText: [(options) => truncateText('text', options), {}],
  truncateToolResultsMiddleware: [(options) => truncateToolResultsMiddleware(options), {}],
  boundMessages: [(options) => boundMessages([], options), { ...storage, maxTokens: 1000 }],
  filesystemStore: [(options) => filesystemStore(options), {}],
  memoryStore: [(options) => memoryStore(options), {}],
  vercelBlobStore: [(options) => vercelBlobStore(options), {}],
  filesSdkStore: [(options) => filesSdkStore(files, options), {}],
  scopedArtifacts: [(options) => scopedArtifacts(store, options), { scope: 'chat-17' }],
  sweepArtifacts: [(options) => sweepArtifacts(store, options), {}],
  createArtifactHandler: [(options) => createArtifactHandler(options), { store, authorize: () => 'chat-17' }],
  exploreAgent: [(options) => exploreAgent(options), { model }],
  createTaskTool: [(options) => createTaskTool(options), { ...storage, agents: { helper } }],
  toSubAgent: [(options) => toSubAgent({ generate: async () => ({}) } as never, options), { description: 'Helps.' }],
  summarize: [(options) => summarize(options), { model }],
  checkEvidence: [(options) => checkEvidence(scopedArtifacts(store, { scope: 'chat-17' }), [], options), {}],
};

/** The error of an entry, whether it throws or rejects. */
async function errorOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  return undefined;
}

const wrong = (message: string) => expect.objectContaining({ code: 'INVALID_OPTION', message });

describe.each(Object.entries(entrances))('%s', (_, [entrance, right]) => {
  test('accepts valid options', async () => {
    expect(await errorOf(() => entrance(right as never))).toBe(undefined);
  });

  test('refuses an unknown option by its name', async () => {
    const error = await errorOf(() => entrance({ ...right, colour: 'red' } as never));
    expect(InvalidOptionError.isInstance(error)).toBe(true);
    expect(String(error)).toMatch(/Unknown option `(explore\.)?colour`\. Known: [\w, ]+\.$/);
  });

  test('names the unknown option before a missing one', async () => {
    const error = await errorOf(() => entrance({ colour: 'red' } as never));
    expect(String(error)).toMatch(/Unknown option `(explore\.)?colour`/);
  });

  test.each([['chat-17'], [5], [[]], [null]])('says that an object is expected, not %j', async (options) => {
    const error = await errorOf(() => entrance(options as never));
    expect(String(error)).toMatch(/`(options|explore)` must be an object.*; got ('chat-17'|5|an array|null)\.$/);
  });
});

test.each<[entrance: string, options: Options, message: string]>([
  ['truncateToolOutputs', { maxLine: 3 }, 'Unknown option `maxLine`. Did you mean `maxLines`?'],
  ['truncateToolOutputs', { direction: 'tail' }, 'Unknown option `direction`. Did you mean `keep`?'],
  ['truncateToolOutputs', { max_bytes: 3 }, 'Unknown option `max_bytes`. Did you mean `maxBytes`?'],
  ['truncateToolOutputs', { retention: 3 }, 'Unknown option `retention`. Did you mean `retentionDays`?'],
  [
    'truncateToolOutputs',
    { explore: { model, maxStep: 3 } },
    'Unknown option `explore.maxStep`. Did you mean `maxSteps`?',
  ],
  ['truncateToolOutputs', { explore: true }, '`explore` must be an object with a `model`; got true.'],
  [
    'truncateToolOutputs',
    { perTool: { log: { maxline: 3 } } },
    'Unknown option `perTool.log.maxline`. Did you mean `maxLines`?',
  ],
  [
    'truncateToolOutputs',
    { perTool: { log: { store } } },
    'Unknown option `perTool.log.store`. `store` is an option of the whole set.',
  ],
  ['truncateToolOutputs', { save: false }, 'Unknown option `save`. `save` is an option of `perTool`.'],
  ['truncateToolOutputs', { perTool: { logs: false } }, 'Unknown tool `logs` in `perTool`. Did you mean `log`?'],
  ['truncateToolOutputs', { perTool: { weather: false } }, 'Unknown tool `weather` in `perTool`. Known: log.'],
  [
    'truncateToolOutputs',
    { readers: ['grepArtifact'] },
    'Unknown reader `grepArtifact` in `readers[0]`. Did you mean `grepArtifacts`?',
  ],
  [
    'truncateToolOutputs',
    { readers: ['readArtifact', undefined] },
    '`readers[1]` must be the name of a reader (listArtifacts, globArtifacts, grepArtifacts, readArtifact, queryArtifact); got undefined.',
  ],
  [
    'truncateToolOutputs',
    { readers: true },
    '`readers` must be a list of names (listArtifacts, globArtifacts, grepArtifacts, readArtifact, queryArtifact), or `false`; got true.',
  ],
  [
    'truncateToolOutputs',
    { agents: { helper: { ...helper, timeout: 5 } } },
    'Unknown option `agents.helper.timeout`. Did you mean `timeoutMs`?',
  ],
  [
    'truncateToolOutputs',
    { scope: '' },
    "`scope` must be a non-empty string that names the owner, or a function that finds one; got ''.",
  ],
  [
    'truncateToolOutputs',
    { store: memoryStore },
    '`store` must be an artifact store, e.g. `memoryStore()` or `filesystemStore()`; got the function `memoryStore`.',
  ],
  ['truncateToolOutputs', { maxLines: 0 }, '`maxLines` must be a whole number of at least 1; got 0.'],
  ['truncateOutput', { perTool: {} }, 'Unknown option `perTool`. `perTool` is an option of `truncateToolOutputs`.'],
  [
    'truncateToolResultsMiddleware',
    { repeatable: ['log', undefined] },
    '`repeatable[1]` must be the name of a tool; got undefined.',
  ],
  ['truncateText', { maxline: 3 }, 'Unknown option `maxline`. Did you mean `maxLines`?'],
  ['truncateText', { direction: 'tail' }, 'Unknown option `direction`. Did you mean `keep`?'],
  [
    'truncateToolResultsMiddleware',
    { store },
    'Unknown option `store`. `store` is an option of `truncateToolOutputs`, because the middleware saves nothing.',
  ],
  ['filesystemStore', { dir: '.data' }, 'Unknown option `dir`. Did you mean `directory`?'],
  ['memoryStore', { maxByte: 5 }, 'Unknown option `maxByte`. Did you mean `maxBytes`?'],
  ['vercelBlobStore', { timeout: 5 }, 'Unknown option `timeout`. Did you mean `timeoutMs`?'],
  ['filesSdkStore', { prefx: 'a/' }, 'Unknown option `prefx`. Did you mean `prefix`?'],
  ['createTaskTool', { agent: { helper } }, 'Unknown option `agent`. Did you mean `agents`?'],
  ['toSubAgent', { usewhen: 'help is needed.' }, 'Unknown option `usewhen`. Did you mean `useWhen`?'],
  ['summarize', { maxChar: 5 }, 'Unknown option `maxChar`. Did you mean `maxChars`?'],
])('%s with %j suggests the intended name', async (entrance, options, message) => {
  const [call, right] = entrances[entrance] as [Entrance, Options];
  expect(await errorOf(() => call({ ...right, ...options } as never))).toEqual(wrong(message));
});

test.each<[string, unknown, string]>([
  ['a single tool', log, '`tools` must be a set of tools by name, e.g. `{ readLogs }`; got a single tool.'],
  [
    'a tool without `execute`',
    { inputSchema: z.object({}) },
    '`tools` must be a set of tools by name, e.g. `{ readLogs }`; got a single tool.',
  ],
  ['a promise of tools', Promise.resolve({ log }), '`tools` must be tools, not a promise: `await` it; got a promise.'],
  ['a promise of a tool', { log: Promise.resolve(log) }, '`tools.log` must be a tool; got a promise.'],
  ['a missing tool', { log: undefined }, '`tools.log` must be a tool; got undefined.'],
  ['a function', { log: () => 'text' }, '`tools.log` must be a tool; got the function `log`.'],
  ['a list', [log], '`tools` must be a plain object of tools by name; got an array.'],
  ['nothing', undefined, '`tools` must be a plain object of tools by name; got undefined.'],
])('%s in place of a set of tools is an option error', async (_, tools, message) => {
  expect(await errorOf(() => truncateToolOutputs(tools as never, storage))).toEqual(wrong(message));
});

test('tools may be named like members of a tool', () => {
  const tools = { execute: log, inputSchema: log, description: log };
  expect(Object.keys(truncateToolOutputs(tools, { ...storage, readers: false }))).toEqual(Object.keys(tools));
});

test('artifacts are neither a store nor a scope', async () => {
  const expected = '`artifacts` must be the result of `scopedArtifacts(store, { scope })`; got ';
  expect(await errorOf(() => createArtifactTools(store as never))).toEqual(wrong(`${expected}an object.`));
  expect(await errorOf(() => createArtifactTools(undefined as never))).toEqual(wrong(`${expected}undefined.`));
});

test('the result of a run is not its steps', async () => {
  const message = '`steps` must be the steps of a run, as in `result.steps`; got an object.';
  expect(await errorOf(() => unreadArtifacts({ steps: [] } as never))).toEqual(wrong(message));
});

describe('configuration', () => {
  test('suggests the intended environment variable', async () => {
    const read = (name: string) => errorOf(() => truncationOptionsFromEnv({ [name]: '3' }));
    const unknown = (name: string, meant: string) =>
      wrong(`Unknown environment variable \`${name}\`. Did you mean \`${meant}\`?`);
    const names = { TOOL_OUTPUT_MAX_LINE: 'TOOL_OUTPUT_MAX_LINES', TOOL_OUTPUT_DIRECTORY: 'TOOL_OUTPUT_DIR' };
    for (const [name, meant] of Object.entries(names)) expect(await read(name)).toEqual(unknown(name, meant));
    const direction = 'TOOL_OUTPUT_TRUNCATE_DIRECTION';
    expect(await read('TOOL_OUTPUT_DIRECTION')).toEqual(unknown('TOOL_OUTPUT_DIRECTION', direction));
  });

  test('suggests the intended key of a file, with its place', async () => {
    const read = (limits: Options) =>
      errorOf(() => truncationOptionsFromObject({ tool_output_limits: limits }, { tools: { log } }));
    expect(await read({ default: { maxLines: 5 } })).toEqual(
      wrong('Unknown key `tool_output_limits.default.maxLines`. Did you mean `max_lines`?'),
    );
    expect(await read({ tools: { logs: { max_lines: 5 } } })).toEqual(
      wrong('Unknown tool `logs` in `tool_output_limits.tools`. Did you mean `log`?'),
    );
  });
});
