import { generateText, isStepCount, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Act, actingModel } from '../../fixtures/acting-model.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateToolOutputs } from '../tools/truncate-tool-outputs.ts';
import { unreadArtifacts } from './unread-artifacts.ts';

const log = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`).join('\n');
const readLogs = tool({ inputSchema: z.object({}), execute: () => log });
const failing = tool({
  inputSchema: z.object({}),
  execute: (): string => {
    throw new Error(log);
  },
});
const openFile = tool({ inputSchema: z.object({ file: z.string() }), execute: ({ file }) => `opened ${file}` });

/** Runs a model that makes a first call and then acts on the path of its truncated output. */
async function unreadAfter(first: string, ...then: ((path: string) => Act)[]) {
  let path = '';
  const model = actingModel(({ step, results }) => {
    path ||= /tool-output\/\S+\.txt/.exec(results[0] ?? '')?.[0] ?? '';
    return step === 1 ? { toolName: first, input: {} } : (then[step - 2]?.(path) ?? 'Done.');
  });
  const explore = {
    model: actingModel(({ results, prompt }) =>
      results.length === 0 && JSON.stringify(prompt).includes('Look into')
        ? { toolName: 'grepArtifacts', input: { pattern: 'x' } }
        : { toolName: 'report', input: { conclusion: 'Nothing.', evidence: [] } },
    ),
  };
  const tools = truncateToolOutputs(
    { readLogs, failing, openFile },
    {
      store: memoryStore(),
      scope: 'chat-1',
      explore,
      readers: ['readArtifact', 'grepArtifacts', 'queryArtifact', 'listArtifacts'],
    },
  );
  const { steps } = await generateText({ model, tools, prompt: 'go', stopWhen: isStepCount(9) });
  return { unread: unreadArtifacts(steps), path };
}

describe('a truncated output is unread', () => {
  test('when the model continues without opening it', async () => {
    const { unread, path } = await unreadAfter('readLogs');
    expect(unread).toEqual([{ path, toolName: 'readLogs', toolCallId: 'call_1_0', bytes: 48_892, lines: 5000 }]);
  });

  test.each<[string, (path: string) => Act]>([
    ['is only listed', () => ({ toolName: 'listArtifacts', input: {} })],
    ['is requested but not found', () => ({ toolName: 'readArtifact', input: { path: 'tool-output/other.txt' } })],
    [
      'is named in a call that fails',
      (path) => ({ toolName: 'readArtifact', input: { path, offset: 900_000, cursor: '7' } }),
    ],
    [
      'is named to an agent that reads nothing',
      (path) => ({ toolName: 'task', input: { agent: 'explore', prompt: `Forget ${path}.` } }),
    ],
    [
      'is named to an agent that does not exist',
      (path) => ({ toolName: 'task', input: { agent: 'nobody', prompt: path } }),
    ],
  ])('when the model %s', async (_, act) => {
    expect((await unreadAfter('readLogs', act)).unread).toHaveLength(1);
  });

  test('when it is the message of an error', async () => {
    const { unread } = await unreadAfter('failing');
    expect(unread).toMatchObject([{ toolName: 'failing', path: expect.stringContaining('failing') }]);
  });
});

describe('a truncated output is read', () => {
  test.each<[string, (path: string) => Act]>([
    ['by a reader', (path) => ({ toolName: 'readArtifact', input: { path } })],
    ['by its file name', (path) => ({ toolName: 'readArtifact', input: { path: path.split('/').at(-1) } })],
    ['by the end of its name', (path) => ({ toolName: 'readArtifact', input: { path: path.slice(-20, -4) } })],
    ['by a search in it', (path) => ({ toolName: 'grepArtifacts', input: { pattern: 'x', path: [path] } })],
    ['by a search in all outputs', () => ({ toolName: 'grepArtifacts', input: { pattern: 'x' } })],
    ['by a task', (path) => ({ toolName: 'task', input: { agent: 'explore', prompt: `Look into ${path}.` } })],
    ['by a tool of the application', (path) => ({ toolName: 'openFile', input: { file: path } })],
  ])('%s', async (_, act) => {
    const { unread, path } = await unreadAfter('readLogs', act);
    expect(path).not.toBe('');
    expect(unread).toEqual([]);
  });

  test('but an output that is truncated after the call is not', async () => {
    const search = () => ({ toolName: 'grepArtifacts', input: { pattern: 'x' } });
    const again = () => ({ toolName: 'readLogs', input: {} });
    expect((await unreadAfter('readLogs', search, again)).unread).toHaveLength(1);
  });
});

test('never exists in a run without tools', async () => {
  const { steps } = await generateText({ model: actingModel(() => 'Done.'), prompt: 'go' });
  expect(unreadArtifacts(steps)).toEqual([]);
});
