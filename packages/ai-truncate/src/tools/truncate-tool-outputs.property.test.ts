import { type ToolSet, tool } from 'ai';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { arbitraryLargeText } from '../../fixtures/arbitrary-text.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { TruncatedToolError } from '../delivery/tool-error.ts';
import { isTruncatedOutput } from '../protocol/truncated-output.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateToolOutputs } from './truncate-tool-outputs.ts';

const inputSchema = z.object({});
const PREVIEW_BYTES = 1024;

/** All the ways in which a tool can return a text. */
const kinds: Record<string, (text: string) => ToolSet[string]> = {
  returns: (text) => tool({ inputSchema, execute: () => text }),
  resolves: (text) => tool({ inputSchema, execute: async () => text }),
  'returns a value': (text) => tool({ inputSchema, execute: () => ({ id: 1, text, rows: [text, text] }) }),
  'returns an envelope': (text) =>
    tool({
      inputSchema,
      execute: () => ({
        status: 'error',
        data: { content: text },
        text,
        error: { code: text, message: text },
        stats: { time_ms: 1, note: text },
        context: { cwd: text, params_input: text },
      }),
    }),
  'returns its error': (text) => tool({ inputSchema, execute: () => ({ error: text, log: text }) }),
  yields: (text) =>
    tool({
      inputSchema,
      async *execute() {
        yield text.slice(0, text.length / 2);
        yield text;
      },
    }),
  streams: (text) => tool({ inputSchema, execute: async () => new Blob([text]).stream() }),
  'streams itself': (text) =>
    tool({ inputSchema, execute: () => ReadableStream.from([text]) as AsyncIterable<string> }),
  'has its own view': (text) =>
    tool({
      inputSchema,
      execute: () => ({ text }),
      toModelOutput: ({ output }) => ({
        type: 'content',
        value: [
          { type: 'text', text: output.text },
          { type: 'text', text: 'end' },
        ],
      }),
    }),
  throws: (text) =>
    tool({
      inputSchema,
      execute: (): string => {
        throw new Error(text);
      },
    }),
  'rejects with a value': (text) =>
    tool({ inputSchema, execute: (): Promise<string> => Promise.reject({ exitCode: 1, text }) }),
};

const store = memoryStore();
const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
const limits = fc.record({
  maxBytes: fc.integer({ min: 1024, max: 4096 }),
  maxLines: fc.integer({ min: 3, max: 100 }),
  previewBytes: fc.constant(PREVIEW_BYTES),
  keep: fc.constantFrom('auto', 'head', 'tail', 'ends'),
} as const);

type Run = { outputs: unknown[]; sent: string };

/** Runs a tool like the SDK: the outputs in order, and the result that the model receives for the last one. */
async function run(wrapped: ToolSet[string]): Promise<Run> {
  const call = { toolCallId: 'call_1', messages: [], context: {} };
  const outputs: unknown[] = [];
  try {
    const result: unknown = wrapped.execute?.({}, call);
    if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result) {
      for await (const output of result as AsyncIterable<unknown>) outputs.push(output);
    } else {
      outputs.push(await result);
    }
  } catch (error) {
    if (!TruncatedToolError.isInstance(error)) return { outputs: [], sent: '' };
    return { outputs: [error.output], sent: String(error) };
  }
  const sent = await wrapped.toModelOutput?.({ toolCallId: 'call_1', input: {}, output: outputs.at(-1) });
  return { outputs, sent: sent && 'value' in sent ? String(sent.value) : '' };
}

test('however a tool returns its output, the model, the UI and the log get a bounded one, and every byte is saved', async () => {
  const truncatedKinds = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      arbitraryLargeText,
      limits,
      fc.constantFrom(...Object.keys(kinds)),
      async (text, options, kind) => {
        const original = kinds[kind]?.(text);
        if (!original) throw new Error(kind);
        const { read } = truncateToolOutputs(
          { read: original },
          { store, scope: 'chat-1', ...options, hint: () => ({ task: 'Task' }) },
        );
        const { outputs, sent } = await run(read);
        const final = outputs.at(-1);
        if (!isTruncatedOutput(final)) return;
        truncatedKinds.set(kind, (truncatedKinds.get(kind) ?? 0) + 1);
        expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(PREVIEW_BYTES);
        expect(sent).not.toMatch(/\p{Surrogate}/u);
        for (const output of outputs.filter(isTruncatedOutput)) {
          expect(Buffer.byteLength(JSON.stringify(output))).toBeLessThanOrEqual(2 * PREVIEW_BYTES + 8192);
        }
        const { full_output_path: path, original_bytes: bytes, media_type: mediaType } = final.data.truncation;
        if (path === null) throw new Error('nothing was kept');
        const kept = await new Response(await artifacts.readStream(path)).text();
        expect(Buffer.byteLength(kept)).toBe(bytes);
        const isJson = mediaType === 'application/json';
        // JSON writes half a pair as an escape. In UTF-8 it can only be U+FFFD.
        expect(kept).toContain(isJson ? JSON.stringify(text).slice(1, -1) : Buffer.from(text).toString());
        await artifacts.delete(path);
      },
    ),
    { numRuns: propertyRuns({ sample: 2000, full: 10_000 }) },
  );
  // Too few cases would prove nothing.
  const least = propertyRuns({ sample: 20, full: 100 });
  for (const kind of Object.keys(kinds)) expect([kind, (truncatedKinds.get(kind) ?? 0) > least]).toEqual([kind, true]);
});
