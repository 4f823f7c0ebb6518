/** Evenly spread numbers from 0 up to 1 that depend on a seed only, so that made-up data is the same on every call. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    // Mulberry32: neighbouring seeds give unlike numbers, which a plain multiplication does not.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of a list, by the next number. */
export function pick<const ITEMS extends readonly [unknown, ...unknown[]]>(
  random: () => number,
  items: ITEMS,
): ITEMS[number] {
  return items[Math.floor(random() * items.length)];
}
