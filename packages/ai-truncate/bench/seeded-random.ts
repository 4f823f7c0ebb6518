/** Numbers that look random and are the same at each run. */
export interface SeededRandom {
  /** A whole number from 0 up to `end`, `end` not included. */
  below(end: number): number;
  of<ITEM>(items: readonly ITEM[]): ITEM;
}

/** The mulberry32 generator. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    of(items) {
      if (items.length === 0) throw new Error('There is nothing to choose from.');
      return items[below(items.length)] as (typeof items)[number];
    },
  };
}
