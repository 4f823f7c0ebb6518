import { tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runTool } from '../../fixtures/run-tool.ts';
import { summarize } from '../extras/summarize.ts';
import { isTruncatedOutput } from '../protocol/truncated-output.ts';
import { memoryStore } from '../stores/memory-store.ts';
import type { ToolTruncation } from './tool-set-options.ts';
import { truncateOutput } from './truncate-output.ts';
import { truncateToolOutputs } from './truncate-tool-outputs.ts';

const set = { store: memoryStore(), scope: 'chat-1' };
const large = 'line\n'.repeat(20_000);
const skipping = { content: large, context: { truncation_skip: true } };
const paging = { output: large, metadata: { truncated: true } };
const returning = (output: unknown) => tool({ inputSchema: z.object({}), execute: () => output });

async function isTruncated(tools: Parameters<typeof runTool>[0], toolName: string): Promise<boolean> {
  return isTruncatedOutput((await runTool(tools, { toolName })).output);
}

describe('`allowSkip` of a set', () => {
  interface Options {
    allowSkip?: boolean;
    perTool?: { [NAME in keyof typeof tools]?: ToolTruncation };
  }
  const tools = { skip: returning(skipping), page: returning(paging), plain: returning(large) };

  test.each<[string, Options, Record<keyof typeof tools, boolean>]>([
    ['believes every tool', { allowSkip: true }, { skip: false, page: false, plain: true }],
    ['trusts no tool by default', {}, { skip: true, page: true, plain: true }],
    [
      'holds for a tool with other own options',
      { allowSkip: true, perTool: { skip: { keep: 'head' } } },
      { skip: false, page: false, plain: true },
    ],
    [
      'is overridden by the option of a tool',
      { allowSkip: true, perTool: { skip: { allowSkip: false } } },
      { skip: true, page: false, plain: true },
    ],
    [
      'is overridden by the option of a tool in the other direction',
      { allowSkip: false, perTool: { page: { allowSkip: true } } },
      { skip: true, page: false, plain: true },
    ],
  ])('%s', async (_, options, expected) => {
    const wrapped = truncateToolOutputs(tools, { ...set, readers: false, ...options });
    for (const name of Object.keys(tools) as (keyof typeof tools)[]) {
      expect([name, await isTruncated(wrapped, name)]).toEqual([name, expected[name]]);
    }
  });

  test.each(['yes', 1, null])('cannot be %j, neither for the set nor for one tool', (allowSkip) => {
    const wrong = { allowSkip: allowSkip as never };
    expect(() => truncateToolOutputs(tools, { ...set, ...wrong })).toThrow('`allowSkip` must be `true` or `false`');
    expect(() => truncateToolOutputs(tools, { ...set, perTool: { page: wrong } })).toThrow('`perTool.page.allowSkip`');
  });
});

describe('`keep: summarize` without a call', () => {
  const keep = summarize as never;
  const message = '`keep: summarize({ model })`';

  test('is an option error that shows the call, for a set, for one tool and for one output', async () => {
    const tools = { page: returning(large) };
    expect(() => truncateToolOutputs(tools, { ...set, keep })).toThrow(message);
    expect(() => truncateToolOutputs(tools, { ...set, perTool: { page: { keep } } })).toThrow(message);
    const identity = { toolName: 'page', toolCallId: 'call_1' };
    await expect(truncateOutput('small' as unknown, { ...set, ...identity, keep })).rejects.toThrow(message);
  });

  test('is not confused with a function of the application that has the same name', () => {
    const own = { summarize: () => 'short' };
    expect(() => truncateToolOutputs({ page: returning(large) }, { ...set, keep: own.summarize })).not.toThrow();
  });
});
