import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { viewedValue, viewOf } from '../../fixtures/view-of.ts';
import { decodeText, wellFormedText } from '../text/utf.ts';
import { decodableFrom, ViewDecoder, viewOfBytes } from './text-view.ts';
import { countLineBreaks, LineBreaks, ViewLines, ViewText } from './view-lines.ts';

const storedJson = viewedValue.map((value) => {
  const json = JSON.stringify(value, null, 2);
  // Not from the result of JSON.parse, because V8 can return a wrong escaped key (nodejs/node#63785).
  return { json, view: viewOf(value), bytes: new TextEncoder().encode(json) };
});
const chunkSizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
const numRuns = propertyRuns({ sample: 1000, full: 10_000 });

/** The text or bytes in pieces of these lengths, again and again. */
function cut<Piece extends { length: number; slice(start: number, end: number): Piece }>(
  whole: Piece,
  sizes: readonly number[],
): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0, turn = 0; at < whole.length; turn++) {
    const end = at + (sizes[turn % sizes.length] ?? 1);
    pieces.push(whole.slice(at, end));
    at = end;
  }
  return pieces;
}

function decoded(pieces: readonly Uint8Array[], targetBytes: number): string {
  const decoder = new ViewDecoder();
  const target = new Uint8Array(targetBytes);
  const view: number[] = [];
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const { read, written } = decoder.decodeInto(piece.subarray(at), target);
      view.push(...target.subarray(0, written));
      at += read;
    }
  }
  return decodeText(Uint8Array.from(view));
}

test('bytes are decoded to the same view, wherever they are cut and however small the target is', async () => {
  const targets = fc.integer({ min: 4, max: 100 });
  await fc.assert(
    fc.property(storedJson, chunkSizes, targets, ({ bytes, view }, sizes, targetBytes) => {
      expect(decoded(cut(bytes, sizes), targetBytes)).toBe(view);
    }),
    { numRuns },
  );
});

test('text is decoded to the same view, wherever it is cut', async () => {
  await fc.assert(
    fc.property(storedJson, chunkSizes, ({ json, view }, sizes) => {
      const text = new ViewText();
      const parts = cut(json, sizes).map((piece) => text.push(piece));
      expect(wellFormedText(parts.join(''))).toBe(view);
      expect(text.hasEscapes).toBe(json.includes('\\'));
    }),
    { numRuns },
  );
});

test('the line starts found in the stored bytes are the line starts of the view, and decoding can begin at each', async () => {
  await fc.assert(
    fc.property(storedJson, chunkSizes, ({ bytes, view }, sizes) => {
      const lines = new ViewLines();
      const starts = [0];
      let base = 0;
      for (const piece of cut(bytes, sizes)) {
        // At any place of its buffer.
        lines.read(bytes.subarray(base, base + piece.length), (end) => starts.push(base + end));
        base += piece.length;
      }
      const expected = view.split('\n');
      expect(starts).toHaveLength(expected.length);
      const { offsets } = viewOfBytes(bytes, { start: 0 });
      let viewBytes = 0;
      for (const [index, start] of starts.entries()) {
        expect(offsets.storedOf(viewBytes)).toBe(start);
        expect(offsets.viewOf(start)).toBe(viewBytes);
        const rest = decodeText(viewOfBytes(bytes.subarray(start), { start }).view);
        expect(rest).toBe(expected.slice(index).join('\n'));
        viewBytes += Buffer.byteLength(`${expected[index]}\n`);
      }
    }),
    { numRuns: numRuns / 4 },
  );
});

test('counting line breaks inside strings leaves out the line breaks of the layout', async () => {
  await fc.assert(
    fc.property(storedJson, chunkSizes, ({ json, view }, sizes) => {
      const breaks = new LineBreaks();
      for (const piece of cut(json, sizes)) breaks.push(piece);
      const expected = view.split('\n').length - json.split('\n').length;
      expect([breaks.count, countLineBreaks(json)]).toEqual([expected, expected]);
    }),
    { numRuns },
  );
});

test('bytes that begin inside an escape can be decoded from a place that is found', async () => {
  await fc.assert(
    fc.property(storedJson, fc.nat(), ({ bytes, view }, at) => {
      const part = bytes.subarray(at % bytes.length);
      const rest = decodeText(viewOfBytes(part.subarray(decodableFrom(part)), { start: 0 }).view);
      // Up to five digits of an escape that began before.
      expect(Array.from({ length: 6 }, (_, digits) => rest.slice(digits)).some((each) => view.endsWith(each))).toBe(
        true,
      );
    }),
    { numRuns },
  );
});

test.each([
  ['\\u000a', '\n'],
  ['\\u000A', '\n'],
  ['\\u001b[0m', '\u001b[0m'],
  ['\\u00e9\\u20ac\\/', 'é€/'],
  ['\\ud83d\\ude00', '😀'],
  ['\\ud83d\\u0041', '\ufffdA'],
  ['\\ud83d\\ud83d\\ude00', '\ufffd😀'],
  ['\\ude00', '\ufffd'],
])('%s is decoded, however it is cut', (json, text) => {
  const bytes = new TextEncoder().encode(`"${json}"`);
  for (let size = 1; size <= bytes.length; size++) {
    expect(decoded(cut(bytes, [size]), 64)).toBe(`"${text}"`);
    const lines = new ViewLines();
    let count = 0;
    for (const piece of cut(bytes, [size])) lines.read(piece, () => count++);
    expect(count).toBe(text.split('\n').length - 1);
  }
});
