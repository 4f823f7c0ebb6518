import { type InferUITools, type LanguageModel, tool, type UIMessage } from 'ai';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { createArtifactTools, memoryStore, scopedArtifacts, truncateToolOutputs } from './index.ts';
import type {
  ArtifactEntry,
  GrepArtifactsMatch,
  QueryField,
  TaskEvidence,
  TaskProgress,
  ToolFailure,
  ToolResponseError,
  TruncatedOutput,
} from './ui.ts';
import { isTruncatedOutput } from './ui.ts';

const store = memoryStore();
const logs = tool({ inputSchema: z.object({}), execute: async () => 'log' });
const bounded = truncateToolOutputs(
  { logs },
  { store, scope: 'chat-1', readers: [], explore: { model: {} as LanguageModel } },
);
const tools = { ...bounded, ...createArtifactTools(scopedArtifacts(store, { scope: 'chat-1' })) };

type Part = UIMessage<unknown, never, InferUITools<typeof tools>>['parts'][number];

/** An answer as `part.output` of a chat, once it has arrived. */
function outputOf<Type extends `tool-${keyof typeof tools}`>(
  _type: Type,
): Extract<Part, { type: Type; state: 'output-available' }>['output'] {
  return {} as never;
}

test('the output of a wrapped tool is its own or a preview', () => {
  const output = outputOf('tool-logs');
  expectTypeOf(output).toEqualTypeOf<string | TruncatedOutput>();
  if (isTruncatedOutput(output)) expectTypeOf(output.data.truncation.running).toEqualTypeOf<true | undefined>();
  else expectTypeOf(output).toBeString();
});

test('the result of a reader that may have failed does not compile', () => {
  // @ts-expect-error
  outputOf('tool-grepArtifacts').data.matches.length;
  // @ts-expect-error
  outputOf('tool-readArtifact').data.content.length;
  // @ts-expect-error
  outputOf('tool-queryArtifact').data.rows.length;
  // @ts-expect-error
  outputOf('tool-listArtifacts').data.entries.length;
  // @ts-expect-error
  outputOf('tool-globArtifacts').data.paths.length;
  // @ts-expect-error
  outputOf('tool-task').data.evidence.length;
});

test('the result of a reader exists unless its status is `error`', () => {
  const found = outputOf('tool-grepArtifacts');
  if (found.status !== 'error') expectTypeOf(found.data.matches).toEqualTypeOf<GrepArtifactsMatch[]>();
  const page = outputOf('tool-readArtifact');
  if (page.status === 'success') expectTypeOf(page.data.content).toBeString();
  if (page.status === 'partial') expectTypeOf(page.data.cursor).toEqualTypeOf<string | undefined>();
  const answer = outputOf('tool-queryArtifact');
  if (answer.status !== 'error') expectTypeOf(answer.data.fields).toEqualTypeOf<QueryField[]>();
  const listing = outputOf('tool-listArtifacts');
  if (listing.status !== 'error') expectTypeOf(listing.data.entries).toEqualTypeOf<ArtifactEntry[]>();
  const names = outputOf('tool-globArtifacts');
  if (names.status !== 'error') expectTypeOf(names.data.paths).toEqualTypeOf<string[]>();
});

test('only a failed reader has an error', () => {
  const page = outputOf('tool-readArtifact');
  // @ts-expect-error
  page.error.code;
  if (page.status === 'error') {
    expectTypeOf(page).toEqualTypeOf<ToolFailure>();
    expectTypeOf(page.error).toEqualTypeOf<ToolResponseError>();
  } else {
    expectTypeOf(page.error).toEqualTypeOf<undefined>();
  }
});

test('a task is running, has an answer, or has failed', () => {
  const task = outputOf('tool-task');
  if (task.status === 'error') return expectTypeOf(task.error.message).toBeString();
  if (task.status === 'partial' && task.data.running) expectTypeOf(task.data.running).toEqualTypeOf<TaskProgress>();
  else expectTypeOf(task.data.conclusion).toBeString();
  expectTypeOf(task.data.evidence).toEqualTypeOf<TaskEvidence[]>();
});
