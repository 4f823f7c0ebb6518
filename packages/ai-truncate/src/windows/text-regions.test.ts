import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { viewedValue, viewOf } from '../../fixtures/view-of.ts';
import { withTextView } from '../artifacts/text-views.ts';
import { decodeText } from '../text/utf.ts';
import {
  contentKind,
  isReadable,
  isUnreadable,
  positionAt,
  type Region,
  type RegionStart,
  regionKind,
  textRegions,
} from './text-regions.ts';

const START: RegionStart = { byte: 0, leadBytes: 0, character: 0 };
const encoder = new TextEncoder();

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The regions, with a copy of their bytes, which are only valid for a short time. */
async function regionsOf(
  text: string | Uint8Array,
  { start = START, size = 64 * 1024, isView = false }: { start?: RegionStart; size?: number; isView?: boolean } = {},
): Promise<Region[]> {
  const bytes = typeof text === 'string' ? encoder.encode(text) : text;
  const chunks = chunksOf(bytes, size);
  const regions: Region[] = [];
  for await (const region of textRegions(isView ? withTextView(chunks) : chunks, start)) {
    const stored = region.storedOf && Array.from({ length: region.bytes.length + 1 }, (_, at) => region.storedOf?.(at));
    regions.push({
      ...region,
      bytes: region.bytes.slice(),
      ...(stored && { storedOf: (offset: number) => stored[offset] ?? -1 }),
    });
  }
  return regions;
}

const newText = ({ text, from, to }: Region) => text.slice(from, to);

/** Lines of any length, some longer than a region, and any script. */
const line = fc
  .tuple(
    fc.string({ unit: fc.constantFrom('a', 'é', '日', '🙂', '\r', ' ') }),
    fc.oneof({ weight: 4, arbitrary: fc.nat(20) }, { weight: 1, arbitrary: fc.integer({ min: 3000, max: 20_000 }) }),
  )
  .map(([part, times]) => part.repeat(times).slice(0, 150_000));
const text = fc.array(line, { minLength: 1, maxLength: 12 }).map((lines) => lines.join('\n'));

describe('the regions of a text', () => {
  test('are one empty region without any byte', async () => {
    expect(await regionsOf('')).toMatchObject([{ text: '', byte: 0, endByte: 0, from: 0, to: 0, isLast: true }]);
  });

  test('join to the text, in order, and know their places', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        const regions = await regionsOf(content);
        expect(regions.map(newText).join('')).toBe(content.replace(/\p{Surrogate}/gu, '\ufffd'));
        expect(regions.map(({ isLast }) => isLast)).toEqual(regions.map((_, index) => index === regions.length - 1));
        const bytes = encoder.encode(content);
        for (const { byte, endByte, bytes: own, text, newlines, from, to } of regions) {
          expect(Buffer.compare(own, bytes.subarray(byte, endByte))).toBe(0);
          expect(text).toBe(decodeText(own));
          expect(newlines).toBe(text.slice(from, to).split('\n').length - 1);
        }
      }),
      { numRuns: 25 },
    );
  });

  test('do not depend on the chunks', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1000, max: 200_000 }), async (content, size) => {
        expect(await regionsOf(content, { size })).toEqual(await regionsOf(content));
      }),
      { numRuns: 10 },
    );
    const content = 'é\n🙂'.repeat(30);
    expect(await regionsOf(content, { size: 1 })).toEqual(await regionsOf(content));
  });

  test('end with a line if one ends in them', async () => {
    const regions = await regionsOf('0123456789\n'.repeat(20_000));
    expect(regions.length).toBeGreaterThan(3);
    for (const region of regions.slice(0, -1)) expect(newText(region)).toMatch(/\n$/);
    expect(regions.map(({ character }) => character)).toEqual(regions.map(() => 0));
  });

  test('have no more than 60 KB each in a line of 10 MB', async () => {
    const regions = await regionsOf(new Uint8Array(10_000_000).fill(120));
    expect(Math.max(...regions.map(({ bytes }) => bytes.length))).toBe(60 * 1024);
    expect(regions.length).toBeLessThan(300);
  });

  test.each(['x', 'é', '日', '🙂'])(
    'repeat text before them, and have more after them, in a long line of %s',
    async (sign) => {
      for (const before of ['', 'a', 'ab', 'abc']) {
        const content = before + sign.repeat(50_000);
        const regions = await regionsOf(content);
        expect(regions.map(newText).join('')).toBe(content);
        let characters = 0;
        for (const region of regions) {
          expect(region.character).toBe(characters);
          characters += region.to - region.from;
          expect(region.from > 0).toBe(region !== regions[0]);
          if (!region.isLast) expect(region.text.length - region.to).toBeGreaterThan(4096);
          expect(/\p{Surrogate}/u.test(newText(region))).toBe(false);
          // Only the very end of the bytes may be a part of a code point.
          expect(region.text.slice(0, -1).includes('\ufffd')).toBe(false);
        }
      }
    },
  );

  test('that start in a line know its characters, and the bytes that only precede them', async () => {
    const [region] = await regionsOf('before after\nnext', { start: { byte: 500, leadBytes: 7, character: 90 } });
    expect(region).toMatchObject({ byte: 500, from: 7, character: 90, newlines: 1 });
    expect(newText(region as Region)).toBe('after\nnext');
  });

  test('that start in a line know its characters without any byte before it too', async () => {
    const [region] = await regionsOf('after\nnext', { start: { byte: 500, leadBytes: 0, character: 90 } });
    expect(positionAt(region as Region, { index: 3, line: 7 })).toEqual({ line: 7, character: 94, byte: 503 });
    expect(positionAt(region as Region, { index: 8, line: 7 })).toEqual({ line: 8, character: 3, byte: 508 });
  });

  test('do not count, and do not end with, a line break that only precedes them', async () => {
    const start = { byte: 500, leadBytes: 4, character: 0 };
    const [short] = await regionsOf('a\nb\nc\nd', { start });
    expect(short).toMatchObject({ from: 4, newlines: 1 });
    const [long] = await regionsOf(`a\nb\n${'x'.repeat(100_000)}`, { start });
    expect(long).toMatchObject({ newlines: 0, text: expect.stringMatching(/x$/) });
    expect((long as Region).to).toBeLessThan((long as Region).text.length);
  });

  test('may be only the line break after a long line', async () => {
    const [region] = await regionsOf(`abcd\n${'x'.repeat(100_000)}`, {
      start: { byte: 9, leadBytes: 4, character: 4 },
    });
    expect(newText(region as Region)).toBe('\n');
  });

  test('decode a text view, and know where each byte is stored', async () => {
    await fc.assert(
      fc.asyncProperty(viewedValue, fc.integer({ min: 1, max: 50 }), async (value, size) => {
        const json = JSON.stringify(value, undefined, 2);
        const regions = await regionsOf(json, { isView: true, size });
        expect(regions.map(newText).join('')).toBe(viewOf(value));
        const stored = encoder.encode(json);
        const [{ byte, endByte, storedOf } = { byte: -1, endByte: -1 }] = regions;
        expect([byte, endByte]).toEqual([0, stored.length]);
        // A byte that is not escaped is stored as it is.
        for (const [at, code] of regions[0]?.bytes.entries() ?? []) {
          const place = storedOf?.(at) ?? -1;
          if (stored[place] !== 0x5c && code < 0x80) expect(stored[place]).toBe(code);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('the position of an index', () => {
  test('is its true line, character and byte', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.nat(), async (content, seed) => {
        let [line, done] = [1, 0];
        for (const region of await regionsOf(content)) {
          const index = region.from + (seed % (region.to - region.from + 1));
          const at = done + index - region.from;
          const isSplit = /^[\udc00-\udfff]/.test(content.slice(at)) && /[\ud800-\udbff]$/.test(content.slice(0, at));
          const before = content.slice(0, at);
          if (!isSplit && !/\p{Surrogate}/u.test(content))
            expect(positionAt(region, { index, line })).toEqual({
              line: before.split('\n').length,
              character: before.length - before.lastIndexOf('\n'),
              byte: encoder.encode(before).length,
            });
          line += region.newlines;
          done += region.to - region.from;
        }
      }),
      { numRuns: 25 },
    );
  });

  test('counts lines from an earlier index', async () => {
    const [region] = await regionsOf('one\ntwo\nthree');
    const index = 'one\ntwo\nth'.length;
    expect(positionAt(region as Region, { index, line: 2, counted: 4 })).toEqual({ line: 3, character: 3, byte: 10 });
  });
});

describe('the kind of content', () => {
  const kindOf = (bytes: Uint8Array) => contentKind(decodeText(bytes));

  test.each([
    ['gzip', gzipSync('text')],
    ['utf-16', Buffer.from('\ufefftext', 'utf16le')],
    ['binary', Buffer.from('a\0b')],
    ['html', Buffer.from('<!DOCTYPE html>')],
    ['html', Buffer.from('\ufeff \n<HTML lang="en">')],
    ['html', Buffer.from('<body>')],
    ['text', Buffer.from('')],
    ['text', Buffer.from('<headline>')],
    ['text', Buffer.from('a <html>')],
    ['text', Buffer.from([0xff, 0xfe])],
    ['text', Buffer.from('\x1fa')],
    ['text', Buffer.from(`${'x'.repeat(1024)}\0`)],
  ])('is %s', (kind, bytes) => {
    expect(kindOf(bytes)).toBe(kind);
  });

  test('is text for a text view, even with a NUL in a string', async () => {
    const [view] = await regionsOf('"a\\u0000"', { isView: true });
    const [stored] = await regionsOf('a\0');
    expect([regionKind(view as Region), regionKind(stored as Region)]).toEqual(['text', 'binary']);
  });

  test('can be read as text if it is text or HTML', () => {
    const kinds = ['text', 'html', 'gzip', 'utf-16', 'binary'] as const;
    expect(kinds.filter(isReadable)).toEqual(['text', 'html']);
  });
});

describe('a part from the middle of an artifact', () => {
  test('is not text if more than a third of it is invalid', () => {
    expect(isUnreadable('\ufffd\0a'.repeat(100))).toBe(true);
    expect(isUnreadable('\0aa'.repeat(100))).toBe(false);
  });

  test('is text if it is too short to decide', () => {
    expect(isUnreadable('\0'.repeat(99))).toBe(false);
    expect(isUnreadable('\0'.repeat(100))).toBe(true);
  });

  test('is judged by its first 1,024 characters', () => {
    expect(isUnreadable('a'.repeat(1024) + '\0'.repeat(1_000_000))).toBe(false);
  });
});
