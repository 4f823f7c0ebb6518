import { Readable } from 'node:stream';
import { expectTypeOf, test } from 'vitest';
import {
  AiTruncateError,
  isTruncatedOutput,
  memoryStore,
  type PreviewKeep,
  scopedArtifacts,
  type TruncatedOutput,
  type TruncationLimits,
  truncateOutput,
  truncateText,
} from './index.ts';
import type { ArtifactStore } from './store.ts';

test('the counts of truncateText are present only if something was cut', () => {
  const result = truncateText('text', { keep: 'ends' });
  expectTypeOf(result.content).toEqualTypeOf<string>();
  if (result.truncated) expectTypeOf(result.reason).toEqualTypeOf<'lines' | 'bytes'>();
  // @ts-expect-error nothing was cut
  else result.reason;
});

test('a misspelt part or an unknown option does not compile', () => {
  // @ts-expect-error
  truncateText('text', { keep: 'middle' });
  // @ts-expect-error
  truncateText('text', { maxLine: 3 });
  // @ts-expect-error
  ({ keep: 'both' }) satisfies TruncationLimits;
});

test('a keep function may be asynchronous and has typed parameters', () => {
  const keep = (async ({ head, lines }) => `${lines}: ${head}`) satisfies PreviewKeep;
  expectTypeOf(keep).returns.resolves.toEqualTypeOf<string>();
});

test('isTruncatedOutput narrows any value', () => {
  const output: unknown = null;
  if (isTruncatedOutput(output)) {
    expectTypeOf(output).toEqualTypeOf<TruncatedOutput>();
    expectTypeOf(output.data.truncation.full_output_path).toEqualTypeOf<string | null>();
  }
});

test('artifacts have an owner, and their options are checked', () => {
  const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1', retentionDays: 30 });
  // @ts-expect-error the owner is missing
  scopedArtifacts(memoryStore(), {});
  // @ts-expect-error the scope must be known before the call
  scopedArtifacts(memoryStore(), { scope: Promise.resolve('chat-1') });
  // @ts-expect-error a value is not content, so use `JSON.stringify`
  void artifacts.save({ rows: 1 }, { toolName: 'read', toolCallId: 'call_1' });
  // @ts-expect-error an artifact is named after its call
  void artifacts.save('text', { toolName: 'read' });
  // @ts-expect-error
  void artifacts.readLines('path', { from: 5 });
  expectTypeOf(artifacts.save('text', { toolName: 'read', toolCallId: 'call_1' })).resolves.toHaveProperty('path');
});

test('a store has all six methods', () => {
  const { locate: _, ...incomplete } = memoryStore();
  // @ts-expect-error
  incomplete satisfies ArtifactStore;
});

test('a misspelt error code does not compile', () => {
  const error: unknown = null;
  if (!AiTruncateError.isInstance(error)) return;
  if (error.code === 'ARTIFACT_NOT_FOUND') return;
  // @ts-expect-error
  if (error.code === 'ARTIFACT_NOTFOUND') return;
});

test('an output keeps its type or is replaced, and a stream becomes text', async () => {
  const options = { store: memoryStore(), scope: 'chat-1', toolName: 'read', toolCallId: 'call_1' };
  expectTypeOf(truncateOutput({ rows: [1] }, options)).resolves.toEqualTypeOf<{ rows: number[] } | TruncatedOutput>();
  expectTypeOf(truncateOutput(new ReadableStream<string>(), options)).resolves.toEqualTypeOf<
    string | TruncatedOutput
  >();
  expectTypeOf(truncateOutput(Promise.resolve({ id: 1 }), options)).resolves.toEqualTypeOf<
    { id: number } | TruncatedOutput
  >();
  expectTypeOf(truncateOutput(Readable.from(['a']), options)).resolves.toEqualTypeOf<string | TruncatedOutput>();
  // @ts-expect-error the owner is missing
  void truncateOutput('text', { store: memoryStore(), toolName: 'read', toolCallId: 'call_1' });
});
