import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { scopedArtifacts } from './scoped-artifacts.ts';

const artifacts = scopedArtifacts(memoryStore(), { scope: 'lines' });
const line = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: fc.constantFrom('a', 'é', '日', '🙂', '\r', ' '), maxLength: 30 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1000, max: 20_000 }).map((length) => 'x日'.repeat(length)) },
);
const texts = fc.array(line, { minLength: 1, maxLength: 60 }).map((lines) => lines.join('\n'));

async function save(text: string): Promise<string> {
  return (await artifacts.save(text, { toolName: 'read', toolCallId: 'call_1' })).path;
}

test('a window has the lines of split, at their bytes', async () => {
  const ranges = fc.record({ start: fc.integer({ min: 1, max: 70 }), count: fc.integer({ min: 1, max: 70 }) });
  await fc.assert(
    fc.asyncProperty(texts, ranges, async (text, { start, count }) => {
      const path = await save(text);
      const { lines, totalLines } = await artifacts.readLines(path, { start, count, maxBytes: 8 * 1024 ** 2 });
      const all = text.split('\n');
      expect(totalLines).toBe(all.length);
      expect(lines.map((each) => each.text)).toEqual(all.slice(start - 1, start - 1 + count));
      for (const { number, text: shown, start: offset, bytes, shownBytes } of lines) {
        expect(offset).toBe(
          Buffer.byteLength(
            all
              .slice(0, number - 1)
              .map((before) => `${before}\n`)
              .join(''),
          ),
        );
        expect(bytes).toBe(Buffer.byteLength(shown));
        expect(shownBytes).toBe(bytes);
      }
      await artifacts.delete(path);
    }),
    { numRuns: propertyRuns({ sample: 100, full: 300 }) },
  );
});

test('windows of any size, one after another, and the bytes of cut lines, join to the whole text', async () => {
  const limits = fc.record({ count: fc.integer({ min: 1, max: 30 }), maxBytes: fc.integer({ min: 8, max: 20_000 }) });
  await fc.assert(
    fc.asyncProperty(texts, limits, async (text, { count, maxBytes }) => {
      const path = await save(text);
      const parts: string[] = [];
      for (let start: number | undefined = 1; start !== undefined; ) {
        const window = await artifacts.readLines(path, { start, count, maxBytes });
        expect(window.lines.length).toBeGreaterThan(0);
        for (const { text: shown, start: offset, bytes, shownBytes } of window.lines) {
          expect(shownBytes).toBeLessThanOrEqual(maxBytes);
          const rest = await readOn(path, { start: offset + shownBytes, end: offset + bytes });
          parts.push(shown + rest);
        }
        start = window.nextLine;
      }
      expect(parts.join('\n')).toBe(text);
      await artifacts.delete(path);
    }),
    { numRuns: propertyRuns({ sample: 30, full: 100 }) },
  );
});

test('byte windows of any size join to the text, none cut inside a code point', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 5000 }), async (text, size) => {
      const path = await save(text);
      let joined = '';
      for (let start = 0, total = 1; start < total; ) {
        const window = await artifacts.readBytes(path, { start, end: start + size });
        joined += new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(window.bytes);
        expect(window.start).toBe(start);
        expect(window.bytes.length).toBeLessThanOrEqual(Math.max(size, 4));
        start = window.end;
        total = window.totalBytes;
      }
      expect(joined).toBe(text);
      await artifacts.delete(path);
    }),
    { numRuns: propertyRuns({ sample: 20, full: 60 }) },
  );
});

async function readOn(path: string, range: { start: number; end: number }): Promise<string> {
  let text = '';
  while (range.start < range.end) {
    const window = await artifacts.readBytes(path, range);
    text += new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(window.bytes);
    range.start = window.end;
  }
  return text;
}
