import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { viewedValue } from '../../fixtures/view-of.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { withTextView } from '../artifacts/text-views.ts';
import { InvalidOptionError } from '../errors.ts';
import { memoryStore } from '../stores/memory-store.ts';
import {
  findLineStart,
  formatPosition,
  idOf,
  parseCursor,
  parsePosition,
  placeOf,
  readAt,
  type TextPosition,
  withId,
} from './place.ts';

const artifacts = scopedArtifacts(memoryStore(), { scope: 'places' });
const call = { toolName: 'read', toolCallId: 'call_1' };

async function save(content: string | Uint8Array): Promise<string> {
  return (await artifacts.save(content, call)).path;
}

async function saveValue(value: unknown): Promise<{ path: string; json: string }> {
  const json = JSON.stringify(value, undefined, 2);
  const { path } = await artifacts.save(withTextView(new Blob([json])), { ...call, mediaType: 'application/json' });
  return { path, json };
}

describe('a place as text', () => {
  test('has its line, character and byte', () => {
    expect(formatPosition({ line: 3, character: 14, byte: 159 })).toBe('3:14:159');
  });

  test('is read as it was written', () => {
    const count = fc.integer({ min: 1, max: 2 ** 40 });
    fc.assert(
      fc.property(count, count, count, (line, character, more) => {
        const position = { line, character, byte: line + character - 2 + more };
        expect(parsePosition(formatPosition(position))).toEqual(position);
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ...['', '1', '1:1', '1:1:', ':1:0', '1:1:0:0', '0:1:0', '1:0:0', '01:1:0', '1:1:00', '+1:1:0', '-1:1:0', '1.5:1:1'],
    ...[' 1:1:0', '1:1:0 ', '1:1:0\n', '1:1:0x', '１:1:0', '1e3:1:9999', '9007199254740993:1:9007199254740993'],
  ])('is refused in any other form: %j', (text) => {
    expect(parsePosition(text)).toBeUndefined();
  });

  test('is refused if it has a million digits', () => {
    expect(parsePosition(`1:1:${'9'.repeat(1_000_000)}`)).toBeUndefined();
  });

  test.each([[undefined], [null], [7], [['1:1:0']]])('is refused if it is no text: %j', (value) => {
    expect(parsePosition(value)).toBeUndefined();
  });

  test('is refused if the bytes before it are fewer than its line breaks and characters', () => {
    expect(parsePosition('3:5:6')).toEqual({ line: 3, character: 5, byte: 6 });
    expect(parsePosition('3:5:5')).toBeUndefined();
  });
});

describe('a cursor', () => {
  test('has the random part of the name, and its place', async () => {
    const path = await save('one\ntwo');
    const cursor = withId(path, '2:1:4');
    expect(cursor).toBe(`${idOf(path)}:2:1:4`);
    expect(parseCursor(cursor)).toEqual({ id: idOf(path), position: { line: 2, character: 1, byte: 4 } });
    expect(placeOf(path, cursor)).toBe('2:1:4');
  });

  test('fits any artifact if it has no name', () => {
    expect(placeOf('anything', '2:1:4')).toBe('2:1:4');
  });

  test('fits no other artifact', async () => {
    const cursor = withId(await save('one'), '1:1:0');
    const other = await save('two');
    expect(() => placeOf(other, cursor)).toThrow('an unchanged cursor from an answer about this artifact');
  });

  test('has a short place, whatever a model sends', async () => {
    const path = await save('one');
    expect(placeOf(path, withId(path, '9'.repeat(1_000_000))).length).toBeLessThanOrEqual(100);
  });

  test.each([...['', ':', 'x', '1:1:0', 'id:0:1:0', 'id:1:1', 'id:1:1:0 '], ...[null, undefined, 7, ['id:1:1:0']]])(
    'is refused in any other form: %j',
    (cursor) => {
      expect(() => parseCursor(cursor as string)).toThrow(InvalidOptionError);
    },
  );

  test('is refused if its name has more than 99 characters', () => {
    expect(parseCursor(`${'x'.repeat(99)}:1:1:0`).id).toHaveLength(99);
    expect(() => parseCursor(`${'x'.repeat(100)}:1:1:0`)).toThrow(InvalidOptionError);
    expect(() => parseCursor('x:'.repeat(500_000))).toThrow(InvalidOptionError);
  });
});

describe('the random part of a name', () => {
  test('is found in every form of a path', async () => {
    const path = await save('one');
    const name = path.slice(path.lastIndexOf('/') + 1);
    const id = name.slice(-20, -4);
    expect([path, name, `/srv/tool-output/${name}`, id].map(idOf)).toEqual([id, id, id, id]);
  });

  test.each(['', 'x', 'notes.txt', '../../etc/passwd'])('is empty for %j', (path) => {
    expect(idOf(path)).toBe('');
  });
});

describe('the start of a line', () => {
  const abortSignal = undefined;

  test('is the byte after the line break before it', async () => {
    const path = await save('é\n\nthree');
    const starts = [1, 2, 3].map(
      async (line) => (await findLineStart(artifacts, path, { line, abortSignal })).lineStart,
    );
    expect(await Promise.all(starts)).toEqual([0, 3, 4]);
  });

  test('does not exist after the last line', async () => {
    const path = await save('one\n');
    expect(await findLineStart(artifacts, path, { line: 3, abortSignal })).toEqual({
      totalLines: 2,
      lineStart: undefined,
    });
  });

  test('exists in an empty artifact', async () => {
    expect(await findLineStart(artifacts, await save(''), { line: 1 })).toEqual({ totalLines: 1, lineStart: 0 });
  });
});

/** Every place at which a code point starts, and the end. `parts` are the stored texts and the texts that they mean. */
function placesOf(parts: Iterable<{ stored: string; text: string }>): TextPosition[] {
  const position = { line: 1, character: 1, byte: 0 };
  const places = [{ ...position }];
  for (const { stored, text } of parts) {
    position.byte += Buffer.byteLength(stored);
    position.line += text === '\n' ? 1 : 0;
    position.character = text === '\n' ? 1 : position.character + text.length;
    places.push({ ...position });
  }
  return places;
}

const charactersOf = (text: string) => Array.from(text, (sign) => ({ stored: sign, text: sign }));

/** The escapes of a JSON text, each with the text that it means. */
function escapesOf(json: string): { stored: string; text: string }[] {
  return Array.from(json.match(/\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.|./gsu) ?? [], (stored) => ({
    stored,
    text: stored.startsWith('\\') ? (JSON.parse(`"${stored}"`) as string).replace(/\p{Surrogate}/gu, '\ufffd') : stored,
  }));
}

const isAccepted = async (path: string, position: TextPosition) =>
  (await readAt(artifacts, path, { position, bytes: 10 })) !== undefined;

async function expectOnly(path: string, places: readonly TextPosition[], [line, character, byte]: number[]) {
  const known = new Set(places.map(formatPosition));
  for (const position of places) expect([position, await isAccepted(path, position)]).toEqual([position, true]);
  const last = places.at(-1)?.byte ?? 0;
  for (const place of [places.at(-1), places[Math.floor(places.length / 2)]]) {
    const other = {
      line: Math.max(1, (place?.line ?? 1) + (line ?? 0)),
      character: Math.max(1, (place?.character ?? 1) + (character ?? 0)),
      byte: Math.min(last + 1, Math.max(0, (place?.byte ?? 0) + (byte ?? 0))),
    };
    expect([other, await isAccepted(path, other)]).toEqual([other, known.has(formatPosition(other))]);
  }
}

const shift = fc.tuple(
  fc.integer({ min: -1, max: 1 }),
  fc.integer({ min: -2, max: 2 }),
  fc.integer({ min: -3, max: 3 }),
);

describe('a place from a model', () => {
  test('is valid where a code point starts, and nowhere else', async () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'é', '日', '🙂', '\n', '\r', '\\', '\ufffd'), maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(texts, shift, async (text, change) => {
        await expectOnly(await save(text), placesOf(charactersOf(text)), change);
      }),
      { numRuns: 60 },
    );
  });

  test('is valid in the text view of a value where a decoded code point starts', async () => {
    const values = viewedValue.filter((value) => JSON.stringify(value).length < 120);
    await fc.assert(
      fc.asyncProperty(values, shift, async (value, change) => {
        const { path, json } = await saveValue(value);
        await expectOnly(path, placesOf(escapesOf(json)), change);
      }),
      { numRuns: 30 },
    );
  });

  test.each(['\ud83d', '\ude42', 'a\ud83d', '\ud83db', '\ud83d\ud83d\ude42', '\ud83d\\'])(
    'is valid after the half of a surrogate pair in a text view: %j',
    async (text) => {
      const { path, json } = await saveValue(text);
      for (const position of placesOf(escapesOf(json))) {
        expect([position, await isAccepted(path, position)]).toEqual([position, true]);
      }
    },
  );

  test('is not valid inside an escape of a text view', async () => {
    const { path } = await saveValue('a"b');
    const at = (character: number, byte: number) => isAccepted(path, { line: 1, character, byte });
    expect(await Promise.all([at(3, 2), at(3, 3), at(4, 3), at(4, 4)])).toEqual([true, false, false, true]);
    const pair = await artifacts.save(withTextView(new Blob(['"\\ud83d\\ude42"'])), {
      ...call,
      mediaType: 'application/json',
    });
    const within = Array.from({ length: 11 }, (_, more) =>
      [2, 3].map((character) => ({ line: 1, character, byte: 2 + more })),
    );
    for (const position of within.flat()) expect(await isAccepted(pair.path, position)).toBe(false);
    expect(await isAccepted(pair.path, { line: 1, character: 4, byte: 13 })).toBe(true);
  });

  test('is read with the requested bytes after it', async () => {
    const path = await save(`one\n${'x'.repeat(5000)}`);
    const found = await readAt(artifacts, path, { position: { line: 2, character: 101, byte: 104 }, bytes: 1000 });
    expect(found?.totalLines).toBe(2);
    expect(found?.window).toMatchObject({ start: 4, totalBytes: 5004 });
    expect((found?.window.end ?? 0) - 104).toBeGreaterThanOrEqual(1000);
    expect(found?.window.end).toBeLessThan(1200);
  });

  test('beyond 64 KB into a line only has to be possible, and costs no read of the line', async () => {
    const path = await save(`${'x'.repeat(200_000)}é`);
    const at = (character: number, byte: number) =>
      readAt(artifacts, path, { position: { line: 1, character, byte }, bytes: 10 });
    expect((await at(150_001, 150_000))?.window.start).toBeGreaterThan(149_000);
    expect(await at(140_001, 150_000)).toBeDefined();
    expect(await at(150_002, 150_000)).toBeUndefined();
    expect(await at(40_000, 150_000)).toBeUndefined();
    expect(await at(200_001, 200_001)).toBeUndefined();
  });

  test('beyond 64 KB is not in a line that ends before it', async () => {
    const path = await save(`${'x'.repeat(100_000)}\ntwo`);
    const position = { line: 1, character: 100_002, byte: 100_001 };
    expect(await isAccepted(path, position)).toBe(false);
    expect(await isAccepted(path, { line: 2, character: 1, byte: 100_001 })).toBe(true);
  });
});
