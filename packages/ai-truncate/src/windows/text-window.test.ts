import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { viewedValue, viewOf } from '../../fixtures/view-of.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { withTextView } from '../artifacts/text-views.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { BEGINNING } from './place.ts';
import {
  bytesOfBeginning,
  fitWindow,
  piecesOfBytes,
  piecesOfLines,
  positionAfter,
  type StoredPiece,
  textBytes,
} from './text-window.ts';

const artifacts = scopedArtifacts(memoryStore(), { scope: 'windows' });
const call = { toolName: 'read', toolCallId: 'call_1' };
const encoder = new TextEncoder();

/** The pieces of a text that is stored as it is, starting at byte 0. */
function piecesOf(text: string): StoredPiece[] {
  const bytes = encoder.encode(text);
  const window = { bytes, start: 0, end: bytes.length, totalBytes: bytes.length };
  return piecesOfBytes(textBytes(window, BEGINNING), { position: BEGINNING, limit: 100 });
}

const restOfLine = (text: string, character: number): StoredPiece => {
  const [piece] = piecesOf(text) as [StoredPiece];
  return { ...piece, character };
};

describe('a page', () => {
  test('has numbered rows', () => {
    expect(fitWindow(piecesOf('one\n\nthree'), { maxChars: 100 }).content).toBe('1: one\n2: \n3: three');
  });

  test('is empty without any piece', () => {
    expect(fitWindow([], { maxChars: 100 })).toEqual({ pieces: [], content: '' });
  });

  test('has exactly as many characters as it may have', () => {
    const pieces = piecesOf('one\ntwo');
    expect(fitWindow(pieces, { maxChars: 13 }).content).toBe('1: one\n2: two');
    expect(fitWindow(pieces, { maxChars: 12 })).toEqual({
      pieces: [{ line: 1, character: 1, text: 'one', isEnd: true }],
      content: '1: one',
    });
  });

  test('shows the beginning of a first line that does not fit', () => {
    const [piece] = piecesOf('x'.repeat(100)) as [StoredPiece];
    const { content, cut, pieces } = fitWindow([piece], { maxChars: 50 });
    expect(content).toBe(`1: ${'x'.repeat(25)} … (this line goes on)`);
    expect(cut).toEqual({ piece, characters: 25 });
    expect(pieces).toEqual([{ line: 1, character: 1, text: 'x'.repeat(25), isEnd: false }]);
  });

  test('shows no part of a later line that does not fit', () => {
    const page = fitWindow(piecesOf(`one\n${'x'.repeat(100)}`), { maxChars: 50 });
    expect(page.content).toBe('1: one');
    expect(page.cut).toBeUndefined();
  });

  test('shows the rest of a line with the number of its first character', () => {
    expect(fitWindow([restOfLine('rest', 301)], { maxChars: 100 }).content).toBe('1 (from character 301): rest');
  });

  test('says that the last piece goes on if its line does', () => {
    const [piece] = piecesOf('one') as [StoredPiece];
    const { content } = fitWindow([{ ...piece, isEnd: false }], { maxChars: 100 });
    expect(content).toBe('1: one … (this line goes on)');
  });

  test('cuts the first line earlier for a smaller `maxFirst`', () => {
    const pieces = piecesOf('one two\nthree');
    expect(fitWindow(pieces, { maxChars: 100, maxFirst: 3 }).cut?.characters).toBe(3);
    expect(fitWindow(pieces, { maxChars: 100, maxFirst: 7 }).content).toBe('1: one two\n2: three');
  });

  test('makes invisible characters visible, so that fewer of them fit', () => {
    const page = fitWindow(piecesOf('\u202e'.repeat(100)), { maxChars: 60 });
    expect(page.content).toMatch(/^1: (\\u\{202e\})+ … \(this line goes on\)$/);
    expect(page.content.length).toBeLessThanOrEqual(60);
    expect(page.cut?.characters).toBeGreaterThanOrEqual(3);
    expect(page.cut?.characters).toBeLessThanOrEqual(4);
  });

  test.each([
    ['x', 1],
    ['🙂', 2],
    ['\u{e0041}', 2],
    ['\ud83dx', 1],
  ])('shows at least one code point, however small it is: %j', (text, characters) => {
    for (const maxChars of [0, 1, 5]) {
      const page = fitWindow(piecesOf(text.repeat(50)), { maxChars });
      expect(page.cut?.characters).toBe(characters);
    }
  });

  test('cuts no surrogate pair between invisible characters', () => {
    for (let maxChars = 30; maxChars < 130; maxChars++) {
      const [piece] = fitWindow(piecesOf('\u202e🙂'.repeat(50)), { maxChars }).pieces;
      expect(piece?.text).not.toMatch(/\p{Surrogate}/u);
    }
  });

  test('never cuts a surrogate pair, and is never too long', () => {
    const units = fc.constantFrom('a', 'é', '🙂', '\u202e', '\ud83d', '\x07', '\u{e0041}');
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: units, maxLength: 40 }), { maxLength: 6 }),
        fc.integer({ min: 60, max: 200 }),
        fc.integer({ min: 1, max: 40 }),
        (lines, maxChars, maxFirst) => {
          const pieces = piecesOf(lines.join('\n'));
          const page = fitWindow(pieces, { maxChars, maxFirst });
          expect(page.content.length).toBeLessThanOrEqual(maxChars);
          expect(page.pieces.length).toBeGreaterThan(0);
          const shown = page.pieces.map(({ text }) => text).join('\n');
          expect(
            pieces
              .map(({ text }) => text)
              .join('\n')
              .startsWith(shown),
          ).toBe(true);
          expect(page.pieces[0]?.text.length).toBeLessThanOrEqual(Math.max(2, maxFirst));
          const next = pieces[0]?.text.charCodeAt(page.cut?.characters ?? 0) ?? 0;
          const last = page.pieces.at(-1)?.text.charCodeAt((page.cut?.characters ?? 0) - 1) ?? 0;
          const isSplit = page.cut && /^[\ud800-\udbff][\udc00-\udfff]$/.test(String.fromCharCode(last, next));
          expect(isSplit ?? false).toBe(false);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('the place after a piece', () => {
  const [first, last] = piecesOf('é\ntwo') as [StoredPiece, StoredPiece];

  test('is the start of the next line', () => {
    expect(positionAfter(first)).toEqual({ line: 2, character: 1, byte: 3 });
  });

  test('is in the same line if that goes on', () => {
    const piece = { ...first, isEnd: false, character: 5 };
    expect(positionAfter(piece)).toEqual({ line: 1, character: 6, byte: 2 });
  });

  test('does not exist after the last line', () => {
    expect(positionAfter(last)).toBeUndefined();
  });
});

/** The text of stored bytes, as a piece says where they are. */
async function storedText(path: string, { byte, endByte }: StoredPiece): Promise<string> {
  return new Response(await artifacts.readStream(path, { start: byte, end: endByte })).text();
}

describe('the pieces of lines', () => {
  test('have the places of their lines', async () => {
    const { path } = await artifacts.save('é\n\nthree', call);
    expect(piecesOfLines(await artifacts.readLines(path))).toEqual([
      { line: 1, character: 1, text: 'é', isEnd: true, byte: 0, endByte: 2, nextByte: 3, isLast: false },
      { line: 2, character: 1, text: '', isEnd: true, byte: 3, endByte: 3, nextByte: 4, isLast: false },
      { line: 3, character: 1, text: 'three', isEnd: true, byte: 4, endByte: 9, nextByte: 10, isLast: true },
    ]);
  });

  test('go on if the window has only the beginning of the line', async () => {
    const { path } = await artifacts.save('x'.repeat(100), call);
    const [piece] = piecesOfLines(await artifacts.readLines(path, { maxBytes: 10 }));
    expect(piece).toMatchObject({ text: 'x'.repeat(10), isEnd: false, endByte: 10, isLast: false });
  });

  test('have the stored places of a text view', async () => {
    const json = '{\n  "a": "é\\n\\"x"\n}';
    const content = withTextView(new Blob([json]));
    const { path } = await artifacts.save(content, { ...call, mediaType: 'application/json' });
    const pieces = piecesOfLines(await artifacts.readLines(path));
    expect(pieces.map(({ text }) => text)).toEqual(['{', '  "a": "é', '"x"', '}']);
    expect(await Promise.all(pieces.map((piece) => storedText(path, piece)))).toEqual(['{', '  "a": "é', '\\"x"', '}']);
    // The line break of the second line is an escape of two bytes.
    expect(pieces.map(({ endByte, nextByte }) => nextByte - endByte)).toEqual([1, 2, 1, 1]);
    expect(pieces[2]?.storedBytes?.(1)).toBe(2);
  });
});

describe('the pieces of bytes', () => {
  test('are the lines of the text, up to the limit', () => {
    const text = 'one\n\nthree\n';
    expect(piecesOf(text).map((piece) => piece.text)).toEqual(['one', '', 'three', '']);
    const bytes = encoder.encode(text);
    const whole = textBytes({ bytes, start: 0, end: 11, totalBytes: 11 }, BEGINNING);
    expect(piecesOfBytes(whole, { position: BEGINNING, limit: 2 }).map((piece) => piece.text)).toEqual(['one', '']);
  });

  test('are one empty line without any byte', () => {
    expect(piecesOf('')).toMatchObject([{ line: 1, text: '', isEnd: true, isLast: true }]);
  });

  test('start at a place in the bytes, with its line and character', () => {
    const bytes = encoder.encode('xxé two\nthree');
    const position = { line: 7, character: 3, byte: 102 };
    const text = textBytes({ bytes, start: 100, end: 114, totalBytes: 114 }, position);
    expect(piecesOfBytes(text, { position, limit: 9 })).toMatchObject([
      { line: 7, character: 3, text: 'é two', byte: 102, endByte: 108, nextByte: 109 },
      { line: 8, character: 1, text: 'three', byte: 109, isLast: true },
    ]);
  });

  test.each([1, 2, 3])('leave out a code point with only %i of its four bytes', (count) => {
    const bytes = encoder.encode('a\nbcde🙂').subarray(0, 6 + count);
    const text = textBytes({ bytes, start: 0, end: bytes.length, totalBytes: 100 }, BEGINNING);
    const pieces = piecesOfBytes(text, { position: BEGINNING, limit: 9 });
    expect(pieces.at(-1)?.text).toMatch(/^bc?d?e?$/);
    expect(pieces.at(-1)).toMatchObject({ isEnd: false, isLast: false });
  });

  test('leave out the last four bytes of bytes that go on, even if they are whole lines', () => {
    const text = textBytes({ bytes: encoder.encode('abcdef\n'), start: 0, end: 7, totalBytes: 100 }, BEGINNING);
    expect(piecesOfBytes(text, { position: BEGINNING, limit: 9 })).toMatchObject([
      { text: 'abc', isEnd: false, endByte: 3 },
    ]);
  });

  test('have no empty piece at the end of bytes that go on', () => {
    const bytes = encoder.encode('a\nb\n');
    const text = textBytes({ bytes, start: 0, end: 4, totalBytes: 100 }, BEGINNING);
    const pieces = piecesOfBytes(text, { position: BEGINNING, limit: 9 });
    expect(pieces.map((piece) => piece.text)).not.toContain('');
  });

  test('join to the text view, and each is stored where it says', async () => {
    await fc.assert(
      fc.asyncProperty(viewedValue, async (value) => {
        const content = withTextView(new Blob([JSON.stringify(value, undefined, 2)]));
        const { path } = await artifacts.save(content, { ...call, mediaType: 'application/json' });
        const window = await artifacts.readBytes(path);
        const pieces = piecesOfBytes(textBytes(window, BEGINNING), { position: BEGINNING, limit: 10_000 });
        expect(pieces.map(({ text }) => text).join('\n')).toBe(viewOf(value));
        for (const piece of pieces) {
          const [bytes, stored] = [piece.text, await storedText(path, piece)].map(
            (text) => encoder.encode(text).length,
          );
          expect(piece.storedBytes?.(bytes ?? 0) ?? bytes).toBe(stored);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('the size of the first characters', () => {
  const never = () => Promise.reject(new Error('was read'));

  test('is counted in the text', async () => {
    const [piece] = piecesOf('aé🙂b') as [StoredPiece];
    expect(await bytesOfBeginning(piece, { characters: 4, readPiece: never })).toBe(7);
  });

  test('is counted in the text if the text really has the replacement character', async () => {
    const [piece] = piecesOf('\ufffdab') as [StoredPiece];
    expect(await bytesOfBeginning(piece, { characters: 2, readPiece: never })).toBe(4);
  });

  test('is read again where invalid bytes are shown as replacement characters', async () => {
    const bytes = Uint8Array.from([0xff, 10, 97, 0xff, 98, 99]);
    const window = { bytes, start: 0, end: 6, totalBytes: 6 };
    const [, piece] = piecesOfBytes(textBytes(window, BEGINNING), { position: BEGINNING, limit: 2 });
    expect(piece?.text).toBe('a\ufffdbc');
    const readPiece = async () => window;
    expect(await bytesOfBeginning(piece as StoredPiece, { characters: 3, readPiece })).toBe(3);
    expect(await bytesOfBeginning(piece as StoredPiece, { characters: 1, readPiece: never })).toBe(1);
  });

  test('is that of the stored escapes in a text view', async () => {
    const content = withTextView(new Blob(['"\\u0007\\u0007x"']));
    const { path } = await artifacts.save(content, { ...call, mediaType: 'application/json' });
    const [piece] = piecesOfLines(await artifacts.readLines(path)) as [StoredPiece];
    expect(await bytesOfBeginning(piece, { characters: 2, readPiece: never })).toBe(7);
  });
});
