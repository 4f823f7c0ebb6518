import type { Tool } from 'ai';
import { expectTypeOf, test } from 'vitest';
import type { NoConflict } from './truncate-tool-outputs.ts';

type Task = Tool<{ prompt: string }, string>;
/** What a function is given that adds `task` to a set. */
type Options<TOOLS> = { scope: string } & NoConflict<TOOLS, { task: Task }>;

test('a name that is taken is the complaint', () => {
  expectTypeOf<
    keyof NoConflict<{ task: Task; logs: Task }, { task: Task }>
  >().toEqualTypeOf<`'task' is already one of your tools: rename it`>();
  expectTypeOf<
    keyof NoConflict<{ readArtifact: Task }, { readArtifact: Task }>
  >().toEqualTypeOf<`'readArtifact' is already one of your tools: rename it, or leave ours out with 'readers'`>();
  // @ts-expect-error
  ({ scope: 'chat-1' }) satisfies Options<{ task: Task }>;
});

test('a set with other names asks for nothing', () => {
  ({ scope: 'chat-1' }) satisfies Options<{ logs: Task }>;
});

test('a set whose names are not known asks for nothing, nor do its known names hide', () => {
  ({ scope: 'chat-1' }) satisfies Options<Record<string, Task>>;
  // @ts-expect-error
  ({ scope: 'chat-1' }) satisfies Options<Record<string, Task> & { task: Task }>;
});
