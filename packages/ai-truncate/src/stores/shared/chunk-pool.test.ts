import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StoreBody } from '../artifact-store.ts';
import { chunkPoolOf, createChunkPool, withChunkPool } from './chunk-pool.ts';

const MEGABYTE = 1024 * 1024;

function grown() {
  const pool = createChunkPool();
  for (let bytes = 64 * 1024; bytes < MEGABYTE; bytes *= 2) expect(pool.next().length).toBe(bytes);
  return pool;
}

describe('a chunk pool', () => {
  test('returns a released chunk again, once', () => {
    const pool = grown();
    const chunk = pool.next();
    pool.giveBack(chunk.subarray(0, 7));
    pool.giveBack(chunk);
    expect(pool.next().buffer).toBe(chunk.buffer);
    expect(pool.next().buffer).not.toBe(chunk.buffer);
  });

  test('accepts no foreign chunk', () => {
    const pool = grown();
    const foreign = [new Uint8Array(MEGABYTE), grown().next()];
    for (const chunk of foreign) pool.giveBack(chunk);
    expect(foreign.map(({ buffer }) => buffer)).not.toContain(pool.next().buffer);
  });

  test('holds at most two spare chunks', () => {
    const pool = grown();
    const chunks = [pool.next(), pool.next(), pool.next()];
    for (const chunk of chunks) pool.giveBack(chunk);
    const known = chunks.map(({ buffer }) => buffer);
    expect([pool.next(), pool.next(), pool.next()].filter(({ buffer }) => known.includes(buffer))).toHaveLength(2);
  });

  test('reuses nothing after its end', () => {
    const pool = grown();
    const [before, after] = [pool.next(), pool.next()];
    pool.giveBack(before);
    pool.end();
    pool.giveBack(after);
    expect([before.buffer, after.buffer]).not.toContain(pool.next().buffer);
  });

  test('never lends the same memory twice at the same time, in any order of releases', () => {
    const steps = fc.array(fc.oneof(fc.constant('next' as const), fc.nat(20)), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (actions) => {
        const pool = grown();
        const given: Uint8Array<ArrayBuffer>[] = [];
        const inUse = new Set<ArrayBuffer>();
        for (const action of actions) {
          if (action === 'next') {
            const chunk = pool.next();
            expect(inUse.has(chunk.buffer)).toBe(false);
            inUse.add(chunk.buffer);
            given.push(chunk);
          } else if (given[action]) {
            pool.giveBack(given[action]);
            inUse.delete(given[action].buffer);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  test('is found only through the body that it was made for', () => {
    const [body, other] = [emptyBody(), emptyBody()];
    const pool = createChunkPool();
    expect(withChunkPool(body, pool)).toBe(body);
    expect(chunkPoolOf(body)).toBe(pool);
    expect(chunkPoolOf(other)).toBeUndefined();
  });
});

function emptyBody(): StoreBody {
  return { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }) };
}
