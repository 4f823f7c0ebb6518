import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryLargeText } from '../../fixtures/arbitrary-text.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { isTruncatedOutput } from '../protocol/truncated-output.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { modelText } from '../text/frame.ts';
import { truncateOutput } from './truncate-output.ts';

const store = memoryStore();
const artifacts = scopedArtifacts(store, { scope: 'chat-1' });

const outputs = fc.oneof(
  arbitraryLargeText,
  fc.tuple(arbitraryLargeText, fc.integer({ min: 1, max: 5000 })).map(([text, size]) => streamOf(text, size)),
  fc.jsonValue({ maxDepth: 4 }),
  fc.array(fc.record({ id: fc.nat(), text: fc.string({ unit: 'binary', maxLength: 200 }) }), { maxLength: 80 }),
);
const limits = fc.record({
  maxBytes: fc.integer({ min: 1024, max: 8192 }),
  maxLines: fc.integer({ min: 3, max: 100 }),
  previewBytes: fc.constant(1024),
  keep: fc.constantFrom('auto', 'head', 'tail', 'ends'),
} as const);

function streamOf(text: string, size: number): ReadableStream<string> {
  const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  );
  return ReadableStream.from(chunks);
}

test('any output, within any limits, is returned unchanged or bounded, with every byte of it in the store', async () => {
  let truncated = 0;
  await fc.assert(
    fc.asyncProperty(outputs, limits, fc.string({ maxLength: 100 }), async (output, options, toolName) => {
      const result = await truncateOutput<unknown>(output, {
        store,
        scope: 'chat-1',
        toolName,
        toolCallId: 'call_1',
        hint: { task: 'task' },
        input: output instanceof ReadableStream ? {} : output,
        ...options,
      });
      if (!isTruncatedOutput(result)) return;
      truncated++;
      const { text, data } = result;
      expect(Buffer.byteLength(modelText({ text, preview: data.preview }))).toBeLessThanOrEqual(1024);
      expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(2 * 1024 + 8192);
      // A notice and a hint that make an output larger would be useless.
      if (typeof output === 'string') {
        const sent = Buffer.byteLength(modelText({ text, preview: data.preview }));
        expect(sent).toBeLessThan(Buffer.byteLength(output));
      }
      const path = data.truncation.full_output_path ?? '';
      const info = await artifacts.info(path);
      expect([info.bytes, info.lines]).toEqual([data.truncation.original_bytes, data.truncation.original_lines]);
      if (typeof output === 'string') {
        const bytes = await new Response(await artifacts.readStream(path)).bytes();
        expect(Buffer.compare(bytes, Buffer.from(output))).toBe(0);
      }
      await artifacts.delete(path);
    }),
    { numRuns: propertyRuns({ sample: 2000, full: 24_000 }) },
  );
  // Too few cases would prove nothing.
  expect(truncated).toBeGreaterThan(propertyRuns({ sample: 200, full: 2600 }));
});
