import { describe, expect, test } from 'vitest';
import { memoryStore } from '../memory-store.ts';
import {
  endless,
  expectEqual,
  expectRejection,
  expectSame,
  expectTrue,
  inUnevenChunks,
  keysOf,
  Place,
  pseudoRandomBytes,
} from './checks.ts';

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('a place', () => {
  test('is a folder that no other place uses', () => {
    const store = memoryStore();
    const folders = Array.from({ length: 100 }, () => new Place(store).folder);
    expect(new Set(folders).size).toBe(100);
    expect(folders[0]).toMatch(/^contract-[0-9a-f]{16}$/);
  });

  test('names its values without the folder, and clears only them', async () => {
    const store = memoryStore();
    const [place, other] = [new Place(store), new Place(store)];
    await place.putEach(['b.txt', 'a.txt']);
    await other.putEach(['c.txt']);
    expect(await place.names()).toEqual(['a.txt', 'b.txt']);
    await place.clear();
    expect([await place.names(), await other.names()]).toEqual([[], ['c.txt']]);
  });

  test('clears more values than a store deletes at once', async () => {
    const place = new Place(memoryStore());
    await place.putEach(Array.from({ length: 1001 }, (_, index) => `n${index}.txt`));
    await place.clear();
    await place.expectNames([]);
  });

  test('notices values that are not as expected', async () => {
    const place = new Place(memoryStore());
    await place.keeps(Uint8Array.of(1, 2, 3));
    await place.expectBytes('a.bin', Uint8Array.of(2), { start: 1, end: 2 });
    await expect(place.expectBytes('a.bin', Uint8Array.of(1, 2, 4))).rejects.toThrow('byte 2 of 3 differs');
    await expect(place.expectBytes('b.bin', Uint8Array.of(1))).rejects.toThrow('expected 1 bytes, got nothing');
    await expect(place.expectNames(['b.bin'])).rejects.toThrow('expected b.bin, got a.bin');
    await expect(place.expectNothing('a.bin')).rejects.toThrow();
  });

  test('notices a store that loses or changes bytes', async () => {
    const store = memoryStore();
    const short = new Place({
      ...store,
      put: (key, _, options) => store.put(key, inUnevenChunks(Uint8Array.of(1)), options),
    });
    await expect(short.keeps(Uint8Array.of(1, 2))).rejects.toThrow('expected 2, got 1');
  });
});

describe('bytes of a case', () => {
  test('are the same in every run, and without a pattern', () => {
    const bytes = pseudoRandomBytes(10_000);
    expect(bytes).toEqual(pseudoRandomBytes(10_000));
    expect(pseudoRandomBytes(9999)).not.toEqual(bytes.subarray(0, 9999));
    expect(new Set(bytes).size).toBe(256);
    expect(bytes.subarray(0, 256)).not.toEqual(bytes.subarray(256, 512));
  });

  test('arrive in chunks that grow', async () => {
    const bytes = pseudoRandomBytes(1000);
    const chunks = await collect(inUnevenChunks(bytes));
    expect(chunks.map(({ length }) => length)).toEqual([1, 3, 7, 15, 31, 63, 127, 255, 498]);
    expectSame(await new Blob(chunks).bytes(), bytes);
    expect(await collect(inUnevenChunks(new Uint8Array()))).toEqual([]);
  });

  test('end only when the case throws', async () => {
    let read = 0;
    const failure = new Error('enough');
    const body = endless((chunks) => {
      if (chunks === 3) throw failure;
    });
    const reading = (async () => {
      for await (const _ of body) read++;
    })();
    await expect(reading).rejects.toBe(failure);
    expect(read).toBe(3);
  });
});

describe('a check', () => {
  test('shows at most 500 characters of each value', () => {
    expect(() => expectEqual('a', 'a')).not.toThrow();
    expect(() => expectEqual('x'.repeat(1_000_000), undefined)).toThrow(`expected undefined, got ${'x'.repeat(500)}`);
    expect(() => expectTrue(false, 'no')).toThrow('no');
  });

  test('compares the lengths of bytes before the bytes', () => {
    expect(() => expectSame(Uint8Array.of(1, 2), Uint8Array.of(1))).toThrow('expected 1, got 2');
    expect(() => expectSame(Uint8Array.of(), Uint8Array.of())).not.toThrow();
  });

  test('returns the reason of a rejection, even if that is undefined', async () => {
    const reason = new Error('x');
    expect(await expectRejection(Promise.reject(reason))).toBe(reason);
    expect(await expectRejection(Promise.reject(undefined))).toBeUndefined();
    await expect(expectRejection(Promise.resolve(), 'put("a")')).rejects.toThrow('put("a") was accepted');
  });

  test('needs the size and the time of each listed value', async () => {
    const store = memoryStore();
    const place = new Place(store);
    await place.putEach(['a.txt']);
    for (const change of [{ bytes: -1 }, { bytes: undefined }, { writtenAt: '2026-01-05' }]) {
      const list = async function* () {
        for await (const entry of store.list('')) yield { ...entry, ...change } as never;
      };
      await expect(keysOf({ ...store, list }, '')).rejects.toThrow('without its size or time');
    }
  });
});
