import { tool } from 'ai';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { wrapped } from '../../fixtures/delivered-output.ts';
import { longestTurnOf } from '../../fixtures/longest-turn.ts';
import { returning } from '../../fixtures/returning-tool.ts';
import { countArtifacts, keptOf, runTool, truncatedOf } from '../../fixtures/run-tool.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateOutput } from '../tools/truncate-output.ts';
import { captureValue } from './captured-value.ts';
import type { TruncationEvent } from './events.ts';

const MEGABYTE = 1024 ** 2;
const inputSchema = z.object({});
const rowsOf = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: `row ${id}`, tags: ['a'] }));

/** A tool that returns this, and then changes it. */
function changing<VALUE>(value: VALUE, change: (value: VALUE) => void, when: (work: () => void) => void) {
  return tool({
    inputSchema,
    execute: async (): Promise<unknown> => {
      when(() => change(value));
      return value;
    },
  });
}

/** A store that does this once, in the middle of a save: when it has taken so many bytes. */
function interruptedStore(takenBytes: number): { store: ArtifactStore; onTaken: (work: () => void) => void } {
  const inner = memoryStore();
  let work: (() => void) | undefined;
  async function* watched(body: AsyncIterable<Uint8Array<ArrayBuffer>>) {
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > takenBytes) {
        work?.();
        work = undefined;
      }
      yield chunk;
    }
  }
  return {
    store: { ...inner, put: (key, body, options) => inner.put(key, watched(body), options) },
    onTaken(given) {
      work = given;
    },
  };
}

const soon: [string, (work: () => void) => void][] = [
  ['at once', (work) => void setImmediate(work)],
  [
    'in the next microtask',
    (work) =>
      void Promise.resolve()
        .then(() => Promise.resolve())
        .then(() => setImmediate(work)),
  ],
];

describe('a value of less than 4 MiB that its tool changes later', () => {
  // The part that is written at once depends on its speed, and on a busy machine a value might have to wait.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  const changes: [string, (rows: ReturnType<typeof rowsOf>) => void][] = [
    ['is emptied', (rows) => void rows.splice(0)],
    ['has members deleted', (rows) => void rows.map((row) => Reflect.deleteProperty(row, 'name'))],
    [
      'has other texts',
      (rows) => {
        for (const row of rows) row.name = 'other';
      },
    ],
    ['grows', (rows) => void rows.push(...rowsOf(1000))],
  ];

  for (const [moment, when] of soon) {
    test.each(changes)(`is saved as it was returned, when it %s ${moment}`, async (_, change) => {
      const store = memoryStore();
      const rows = rowsOf(3000);
      const expected = JSON.stringify(rows, null, 2);
      const { output } = await runTool(wrapped({ Read: changing(rows, change, when) }, { store }));
      expect((await keptOf(output, { store })) === expected).toBe(true);
    });
  }

  test.each(changes)('is saved as it was returned, when it %s in the middle of the save', async (_, change) => {
    const { store, onTaken } = interruptedStore(0);
    const rows = rowsOf(3000);
    const expected = JSON.stringify(rows, null, 2);
    const { output } = await runTool(wrapped({ Read: changing(rows, change, onTaken) }, { store }));
    expect((await keptOf(output, { store })) === expected).toBe(true);
  });

  test('is saved as it was returned, even if it contains bytes and texts', async () => {
    for (const value of [
      Buffer.from('a line\n'.repeat(20_000)),
      new Uint8Array(100_000).fill(200),
      { text: 'a line\n'.repeat(20_000), at: new Date(0), list: [undefined, Number.NaN, -0], none: undefined },
    ]) {
      const store = memoryStore();
      const copy = structuredClone(value);
      const untouched = await truncateOutput<unknown>(copy, {
        store,
        scope: 'chat-1',
        toolName: 'Read',
        toolCallId: 'c',
      });
      const change = (given: object) => {
        if (given instanceof Uint8Array) given.fill(65);
        else Object.assign(given, { text: '' });
      };
      const { output } = await runTool(wrapped({ Read: changing<object>(value, change, setImmediate) }, { store }));
      expect(await keptOf(output, { store })).toBe(await keptOf(untouched, { store }));
    }
  });
});

describe('a larger value that its tool changes later', () => {
  const large = () => ({ pages: [rowsOf(200_000)], title: 'rows' });

  test.each<[string, (value: ReturnType<typeof large>) => void]>([
    ['a list is emptied', ({ pages }) => void pages[0]?.splice(0)],
    ['a list grows', ({ pages }) => void pages[0]?.push(...rowsOf(1))],
    ['a member is deleted', (value) => void Reflect.deleteProperty(value, 'title')],
    ['a member is added', (value) => void Object.assign(value, { more: 1 })],
  ])('has no path, and the notice says why: %s', async (_, change) => {
    const { store, onTaken } = interruptedStore(MEGABYTE);
    const onTruncate = vi.fn<(event: TruncationEvent) => void>();
    const Read = changing(large(), change, onTaken);
    const { output, sent } = await runTool(wrapped({ Read }, { store, onTruncate }));
    const { text, data } = truncatedOf(output);
    expect(data.truncation.full_output_path).toBeNull();
    expect(text).toContain(
      'It changed after the tool had returned it, so the rest was not saved and cannot be retrieved.',
    );
    expect(JSON.stringify(sent)).toContain('It changed after the tool had returned it');
    expect(await countArtifacts(store)).toBe(0);
    expect(onTruncate).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ path: null, error: expect.objectContaining({ code: 'OUTPUT_CHANGED' }) }),
    );
  });

  test('has no path if a nested list changes while it is written', async () => {
    const { store, onTaken } = interruptedStore(MEGABYTE);
    const deep = { a: { b: { c: Array.from({ length: 200 }, () => ({ rows: rowsOf(2000) })) } } };
    const change = ({ a }: typeof deep) => {
      for (const page of a.b.c) page.rows.length = 0;
    };
    const { output } = await runTool(wrapped({ Read: changing(deep, change, onTaken) }, { store }));
    expect(truncatedOf(output).data.truncation.full_output_path).toBeNull();
    expect(await countArtifacts(store)).toBe(0);
  });

  test('has no path if its bytes are transferred', async () => {
    const store = memoryStore();
    const bytes = new TextEncoder().encode('a line\n'.repeat(2_000_000));
    const transfer = ({ buffer }: typeof bytes) => void structuredClone(buffer, { transfer: [buffer] });
    const { output } = await runTool(wrapped({ Read: changing(bytes, transfer, setImmediate) }, { store }));
    expect(truncatedOf(output)).toMatchObject({
      data: { truncation: { full_output_path: null, original_bytes: 14_000_000 } },
      text: expect.stringContaining('It changed after the tool had returned it'),
    });
  });

  test('is saved completely if it does not change', async () => {
    const store = memoryStore();
    const value = large();
    const { output } = await runTool(wrapped({ Read: tool({ inputSchema, execute: async () => value }) }, { store }));
    expect((await keptOf(output, { store })) === JSON.stringify(value, null, 2)).toBe(true);
  });
});

describe('the event loop keeps turning while tools return', () => {
  const dictionaryOf = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, id) => [`key ${id}`, id]));

  test.each<[string, () => object[]]>([
    ['twenty lists of records', () => Array.from({ length: 20 }, () => rowsOf(6000))],
    ['two texts of control characters', () => Array.from({ length: 2 }, () => ({ text: '\u0001'.repeat(8_300_000) }))],
    ['a hundred times the same bytes', () => Array(100).fill(Buffer.alloc(1024 * 1024, 'a line\n'))],
    [
      'thirty dictionaries',
      () => [Array.from({ length: 2 }, () => Array.from({ length: 15 }, () => dictionaryOf(20_000)))],
    ],
  ])('%s', async (_, make) => {
    const options = { store: memoryStore(), scope: 'chat-1', toolName: 'Read', toolCallId: 'c' };
    const values = make();
    const longest = await longestTurnOf(() =>
      Promise.all(values.map((value) => truncateOutput<unknown>(value, options))),
    );
    // The promise is 50 ms, and a busy machine needs some more.
    expect(longest).toBeLessThan(100);
  });
});

test('a value whose keys need an escape is saved with the correct keys', () => {
  // V8 can return a wrong name for such a key once it has parsed a backslash: nodejs/node#63785.
  JSON.parse('{"h":[],"\\\\":0}');
  const value = { h: 1, '"': 2 };
  expect([...(captureValue(value).chunks as Iterable<string>)].join('')).toBe(JSON.stringify(value, null, 2));
});

test.each([
  ['beyond the limits in its shallow part', [rowsOf(3000), nested(600)]],
  ['beyond what JSON reaches', nested(100_000)],
])('a value that is nested too deep is not saved, and the notice says so: %s', async (_, value) => {
  const store = memoryStore();
  const onTruncate = vi.fn<(event: TruncationEvent) => void>();
  const { output } = await runTool(wrapped({ Read: returning(value) }, { store, onTruncate }));
  const { text, data } = truncatedOf(output);
  expect(data.truncation.full_output_path).toBeNull();
  expect(text).toContain('It became too large to save, so the rest was not read and cannot be retrieved.');
  expect(await countArtifacts(store)).toBe(0);
  const error = { code: 'ARTIFACT_TOO_LARGE', message: expect.stringContaining('nested deeper than 512 levels') };
  expect(onTruncate).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ path: null, error: expect.objectContaining(error) }),
  );
});

function nested(levels: number): unknown {
  let value: unknown = 'end';
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}
