import { tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { countArtifacts, runTool, truncatedOf } from '../../fixtures/run-tool.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import type { TruncationEvent } from '../delivery/events.ts';
import { countOutputs } from '../extras/count-outputs.ts';
import { logTruncation } from '../extras/log-truncation.ts';
import { unreadArtifacts } from '../extras/unread-artifacts.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateToolOutputs } from './truncate-tool-outputs.ts';

const inputSchema = z.object({});
const log = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join('\n');
const readMail = tool({ inputSchema, execute: () => log });
const readLogs = tool({ inputSchema, execute: () => log });
const tools = { readMail, readLogs };
const scope = 'chat-1';

async function* endless() {
  for (;;) yield 'x'.repeat(1024);
}

describe('`save: false` of a tool', () => {
  test('stores nothing, and only for this tool', async () => {
    const store = memoryStore();
    const wrapped = truncateToolOutputs(tools, { store, scope, perTool: { readMail: { save: false } } });
    const { output, sent } = await runTool(wrapped, { toolName: 'readMail' });
    expect(truncatedOf(output).data.truncation.full_output_path).toBeNull();
    expect(sent.value).toContain("shown. This tool's outputs are not saved.\n");
    expect(sent.value).toMatch(/\nNothing more can be shown of this output\.$/);
    expect(sent.value).not.toContain('readArtifact');
    expect(await countArtifacts(store)).toBe(0);
    await runTool(wrapped, { toolName: 'readLogs' });
    expect(await countArtifacts(store)).toBe(1);
  });

  test.each([
    ['a value', () => ({ log })],
    ['a stream', () => new Blob([log]).stream()],
    [
      'a generator',
      async function* () {
        yield log;
      },
    ],
  ])('holds for %s', async (_, execute) => {
    const store = memoryStore();
    const read = tool({ inputSchema, execute: execute as never });
    const { sent } = await runTool(truncateToolOutputs({ read }, { store, scope, perTool: { read: { save: false } } }));
    expect(sent.value).toContain("This tool's outputs are not saved.");
    expect(await countArtifacts(store)).toBe(0);
  });

  test('holds for an error', async () => {
    const store = memoryStore();
    const fail = tool({
      inputSchema,
      execute: (): string => {
        throw new Error(log);
      },
    });
    const { error } = await runTool(
      truncateToolOutputs({ fail }, { store, scope, perTool: { fail: { save: false } } }),
    );
    expect(String(error)).toContain("This tool's outputs are not saved.");
    expect(await countArtifacts(store)).toBe(0);
  });

  test('ends a stream that has no end at the largest size of an artifact', async () => {
    const read = tool({ inputSchema, execute: () => ReadableStream.from(endless()) as unknown as string });
    const options = { store: memoryStore(), scope, maxArtifactBytes: 200_000, perTool: { read: { save: false } } };
    const { sent } = await runTool(truncateToolOutputs({ read }, options));
    expect(sent.value).toMatch(/of more than [\d,]+ characters shown\. This tool's outputs are not saved\./);
  });

  test('is told apart from a failed save in events, counts and logs', async () => {
    const events: TruncationEvent[] = [];
    const lines: string[] = [];
    const { counts, onTruncate, onOutput } = countOutputs();
    const logger = { info: (line: string) => lines.push(line), warn: (line: string) => lines.push(`warn ${line}`) };
    const listeners = [onTruncate, logTruncation(logger), (event: TruncationEvent) => events.push(event)];
    const options = { store: memoryStore(), scope, onOutput, onTruncate: listeners as never };
    await runTool(truncateToolOutputs({ readMail }, { ...options, perTool: { readMail: { save: false } } }));
    expect(events).toMatchObject([{ path: null, notSavedByChoice: true }]);
    expect(events[0]).not.toHaveProperty('error');
    expect(counts()).toMatchObject({ truncated: 1, notSaved: { byChoice: 1, failed: 0 } });
    expect(lines).toEqual([expect.stringMatching(/^readMail: .* ms\. This tool's outputs are not saved\.$/)]);
  });

  test('leaves nothing unread', async () => {
    const options = { store: memoryStore(), scope, perTool: { readMail: { save: false } } };
    const { output } = await runTool(truncateToolOutputs({ readMail }, options));
    const part = { type: 'tool-result', toolName: 'readMail', toolCallId: 'call_1', input: {}, output };
    expect(unreadArtifacts([{ content: [part] as never }])).toEqual([]);
  });
});

test('`retentionDays` of a tool replaces the retention of the set', async () => {
  const store = memoryStore();
  const options = { store, scope, retentionDays: 30, perTool: { readMail: { retentionDays: 1 } } };
  const wrapped = truncateToolOutputs(tools, options);
  const days: Record<string, number> = {};
  for (const toolName of ['readMail', 'readLogs']) await runTool(wrapped, { toolName });
  const artifacts = scopedArtifacts(store, { scope });
  for await (const { path } of artifacts.list()) {
    const { toolName, createdAt, expiresAt } = await artifacts.info(path);
    days[toolName] = (expiresAt.getTime() - createdAt.getTime()) / 86_400_000;
  }
  expect(days).toEqual({ readMail: 1, readLogs: 30 });
});

test.each<[object, string]>([
  [{ save: 'no' }, "`perTool.readMail.save` must be `true` or `false`; got 'no'."],
  [{ retentionDays: 0 }, '`perTool.readMail.retentionDays` must be a whole number of at least 1; got 0.'],
  [
    { save: false, retentionDays: 3 },
    '`perTool.readMail.retentionDays` must be left out with `save: false`, because nothing is stored; got 3.',
  ],
  [{ saves: false }, 'Unknown option `perTool.readMail.saves`. Did you mean `save`?'],
])('%o is refused at once', (own, message) => {
  const options = { store: memoryStore(), scope, perTool: { readMail: own } };
  expect(() => truncateToolOutputs(tools, options as never)).toThrow(message);
});
