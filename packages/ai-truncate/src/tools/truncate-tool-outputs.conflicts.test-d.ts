import { generateText, type Tool, type ToolSet, tool } from 'ai';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { memoryStore, truncateToolOutputs } from '../index.ts';
import type { AddedTools, DefaultReaderName } from './added-tools.ts';
import type { ToolsToWrap } from './truncate-tool-outputs.ts';

type Own = Tool<{ prompt: string }, string>;
type Readers = AddedTools<readonly DefaultReaderName[]>;

const logs = tool({ inputSchema: z.object({ service: z.string() }), execute: async ({ service }) => service });
const options = { store: memoryStore(), scope: 'chat-1' };

test('a taken name is reported by the compiler', () => {
  expectTypeOf<
    ToolsToWrap<{ task: Own; logs: Own }, AddedTools<false, { model: string }>>
  >().toEqualTypeOf<`'task' is already one of your tools: rename it`>();
  expectTypeOf<
    ToolsToWrap<{ readArtifact: Own }, Readers>
  >().toEqualTypeOf<`'readArtifact' is already one of your tools: rename it, or leave out the reader with 'readers'`>();
  // @ts-expect-error
  truncateToolOutputs({ readArtifact: logs }, options);
});

test('a set that is already wrapped is reported in one sentence', () => {
  const wrapped = truncateToolOutputs({ logs }, options);
  expectTypeOf<
    ToolsToWrap<typeof wrapped, Readers>
  >().toEqualTypeOf<"These tools are already wrapped. Wrap a set once, or pass 'readers: false' the second time.">();
  // @ts-expect-error
  truncateToolOutputs(wrapped, options);
});

test('a set with other names is accepted', () => {
  expectTypeOf<ToolsToWrap<{ logs: Own }, Readers>>().toEqualTypeOf<{ logs: Own }>();
});

test('a set whose names are unknown is accepted, but its known names are still checked', () => {
  expectTypeOf<ToolsToWrap<Record<string, Own>, Readers>>().toEqualTypeOf<Record<string, Own>>();
  expectTypeOf<
    ToolsToWrap<Record<string, Own> & { task: Own }, AddedTools<false, { model: string }>>
  >().toEqualTypeOf<`'task' is already one of your tools: rename it`>();
});

test('a function over any set compiles, and its result has the readers and the types of the set', () => {
  function bounded<TOOLS extends ToolSet>(tools: TOOLS) {
    const wrapped = truncateToolOutputs(tools, options);
    void generateText({ model: 'openai/gpt-5-mini', tools: wrapped, prompt: '' });
    return wrapped;
  }
  const tools = bounded({ logs });
  expectTypeOf<keyof typeof tools>().toEqualTypeOf<'logs' | 'readArtifact' | 'grepArtifacts' | 'queryArtifact'>();
  expectTypeOf(tools).toEqualTypeOf(truncateToolOutputs({ logs }, options));
});

test('a single tool, a promise of tools and a missing tool do not compile', () => {
  // @ts-expect-error
  truncateToolOutputs(logs, options);
  // @ts-expect-error
  truncateToolOutputs(Promise.resolve({ logs }), options);
  // @ts-expect-error
  truncateToolOutputs({ logs: undefined }, options);
});
