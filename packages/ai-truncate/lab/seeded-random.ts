/** Random numbers that are the same in each run, so that a failure can be reproduced. */
export interface SeededRandom {
  /** From 0 to less than 1. */
  next(): number;
  /** A whole number from 0 to less than `end`. */
  below(end: number): number;
  oneOf<Item>(items: readonly Item[]): Item;
}

/** Mulberry32: 32 bits of state, good enough to choose cases. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (end: number): number => Math.floor(next() * end);
  return { next, below, oneOf: (items) => items[below(items.length)] as (typeof items)[number] };
}
