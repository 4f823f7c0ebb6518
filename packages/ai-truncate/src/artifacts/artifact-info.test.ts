import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { parseExpiry, parseInfo, readInfo, type StoredInfo, serializeInfo } from './artifact-info.ts';
import type { LineMark } from './line-index.ts';
import { scopedArtifacts } from './scoped-artifacts.ts';

const call = { toolName: 'readServerLogs', toolCallId: 'call_123' };

function kindOf(key: string): string {
  return key.endsWith('.info.json') ? 'side-car' : 'artifact';
}

async function listed(store: ArtifactStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list('')) keys.push(key);
  return keys;
}

/** The metadata of an artifact with marks for its lines. */
function infoWith({
  marks = [{ line: 0, offset: 0 }],
  ...facts
}: Partial<StoredInfo> & { marks?: LineMark[] } = {}): StoredInfo {
  const [lines, bytes] = [10_000_000, 1_000_000_000];
  return {
    ...call,
    mediaType: 'text/plain',
    bytes,
    lines,
    createdAt: new Date('2026-01-05T10:00:00.123Z'),
    expiresAt: new Date('2026-02-05T10:00:00.123Z'),
    index: { lines, bytes, interval: 16_384, marks },
    ...facts,
  };
}

const marksOf = (count: number): LineMark[] =>
  Array.from({ length: count }, (_, at) => ({ line: at * 1000, offset: at * 500_000 }));
const textOf = (info: StoredInfo) => new TextDecoder().decode(serializeInfo(info));

describe('metadata', () => {
  test('are read as they were written', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', 'é', '🙂', '\u2028', '\0'), maxLength: 10 });
    const step = fc.record({ line: fc.nat(1000), offset: fc.nat(2 ** 40) });
    fc.assert(
      fc.property(
        text,
        text,
        fc.array(step, { maxLength: 20 }),
        fc.boolean(),
        (toolName, toolCallId, steps, isView) => {
          const marks: LineMark[] = [{ line: 0, offset: 0 }];
          for (const { line, offset } of steps) {
            const last = marks.at(-1) as LineMark;
            marks.push({ line: last.line + line, offset: last.offset + offset });
          }
          const { index, ...facts } = infoWith({ toolName, toolCallId, marks });
          const info: StoredInfo = { ...facts, index: { ...index, ...(isView && { isView: true as const }) } };
          expect(parseInfo(textOf(info), 'name')).toEqual(info);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('have fewer marks if they would be larger than 32 KB, and the first mark always', () => {
    const info = infoWith({ toolCallId: 'x'.repeat(20_000), marks: marksOf(2048) });
    expect(serializeInfo(info).length).toBeLessThanOrEqual(32 * 1024);
    const { marks, interval } = parseInfo(textOf(info), 'name').index;
    expect(marks[0]).toEqual({ line: 0, offset: 0 });
    expect(marks.length).toBeGreaterThan(100);
    for (const [at, { offset }] of marks.entries()) {
      if (at > 0) expect(offset - (marks[at - 1]?.offset ?? 0)).toBeGreaterThanOrEqual(interval);
    }
  });

  test('may be larger for long ids, with some marks', () => {
    const info = infoWith({ toolCallId: 'x'.repeat(65_536), marks: marksOf(2048) });
    expect(serializeInfo(info).length).toBeLessThan(70_000);
    expect(parseInfo(textOf(info), 'name').index.marks.length).toBeGreaterThan(10);
  });

  test('are read in chunks of any size', async () => {
    const text = JSON.stringify({ toolName: 'é🙂日' });
    for (const size of [1, 2, 3, 1000]) {
      const bytes = new TextEncoder().encode(text);
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      expect(await readInfo(ReadableStream.from(chunks))).toBe(text);
    }
    expect(await readInfo(ReadableStream.from([]))).toBe('');
  });
});

describe('changed metadata', () => {
  const valid = JSON.parse(textOf(infoWith({ marks: marksOf(3) })));

  test.each<[string, Record<string, unknown>]>([
    ['another version', { version: 3 }],
    ['a version that is no number', { version: '1' }],
    ['a name that is no text', { toolName: 7 }],
    ['an id that is missing', { toolCallId: undefined }],
    ['a negative size', { bytes: -1 }],
    ['a broken number of lines', { lines: 1.5 }],
    ['a huge number', { bytes: 2 ** 53 }],
    ['a date that is only a word', { createdAt: 'yesterday' }],
    ['an end that is a number', { expiresAt: 1_767_000_000_000 }],
    ['no marks', { lineIndex: undefined }],
    ['marks that are a list', { lineIndex: [] }],
    ['an interval that is missing', { lineIndex: { ...valid.lineIndex, interval: undefined } }],
    ['a mark that goes back', { lineIndex: { ...valid.lineIndex, offsets: [0, 5, -1] } }],
    ['a line that goes back', { lineIndex: { ...valid.lineIndex, lines: [0, 5, -1] } }],
    ['more lines than offsets', { lineIndex: { ...valid.lineIndex, lines: [0, 1, 2, 3] } }],
  ])('is refused: %s', (_, change) => {
    expect(() => parseInfo(JSON.stringify(valid), 'name')).not.toThrow();
    const changed = JSON.stringify({ ...valid, ...change });
    expect(() => parseInfo(changed, 'a.txt')).toThrow('The metadata of `a.txt` cannot be read');
  });

  test.each(['', '{', 'null', '[]', '7', '"text"'])('is refused if it is %j', (text) => {
    expect(() => parseInfo(text, 'name')).toThrow(expect.objectContaining({ code: 'ARTIFACT_INFO_BROKEN' }));
  });
});

describe('the end of an artifact', () => {
  test('is known for a version that does not exist yet', () => {
    const text = JSON.stringify({ version: 9, expiresAt: '2026-02-05T10:00:00Z', more: true });
    expect(parseExpiry(text)).toBe(Date.parse('2026-02-05T10:00:00Z'));
    expect(parseExpiry(textOf(infoWith()))).toBe(Date.parse('2026-02-05T10:00:00.123Z'));
  });

  test.each(['', '{', 'null', '{}', '7', '{"expiresAt":"soon"}', '{"expiresAt":null}', '{"expiresAt":{}}'])(
    'is unknown in %j',
    (text) => {
      expect(parseExpiry(text)).toBeUndefined();
    },
  );
});

describe('a side-car', () => {
  test('has at most 32 KB for the largest artifact, for any lines', async () => {
    const inner = memoryStore();
    const store: ArtifactStore = {
      ...inner,
      // A gibibyte is read, but not stored.
      async put(key, body, options) {
        if (kindOf(key) === 'side-car') return inner.put(key, body, options);
        for await (const _ of body);
      },
    };
    const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
    function* gibibyte() {
      const newlines = new Uint8Array(1024 ** 2).fill(10);
      for (let count = 0; count < 1024; count++) yield newlines;
    }
    await artifacts.save(gibibyte(), { toolName: 'x'.repeat(900), toolCallId: 'é'.repeat(900) });
    const keys = await listed(store);
    const sideCar = await store.head(keys.find((key) => key.endsWith('.info.json')) ?? '');
    expect(sideCar?.bytes).toBeGreaterThan(10_000);
    expect(sideCar?.bytes).toBeLessThanOrEqual(32_768);
  });

  test('that was changed causes its own error, and does not look like a missing artifact', async () => {
    const store = memoryStore();
    const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
    const { path } = await artifacts.save('text', call);
    const key = (await listed(store)).find((each) => each.endsWith('.info.json')) ?? '';
    const whole: string = await new Response(await store.get(key)).text();
    const { lineIndex, ...facts } = JSON.parse(whole);
    const marks = ([lines, offsets]: number[][]) =>
      JSON.stringify({ ...facts, lineIndex: { ...lineIndex, lines, offsets } });
    const unequal = [
      [[0, 1], [0]],
      [[0], [0, 1]],
      [[], [0]],
    ].map(marks);
    for (const broken of ['', '{', 'null', '{"version":2}', '{"version":1,"bytes":-1}', ...unequal]) {
      await store.delete([key]);
      await store.put(key, ReadableStream.from([new TextEncoder().encode(broken)]), {
        contentType: 'application/json',
      });
      await expect(artifacts.info(path)).rejects.toMatchObject({ code: 'ARTIFACT_INFO_BROKEN' });
    }
  });
});
