/** Chance that is the same each time: whoever doubts a figure can make it again. */
export interface SeededRandom {
  /** A whole number from 0 to before `count`. */
  below(count: number): number;
  oneOf<Item>(items: readonly [Item, ...Item[]]): Item;
}

/** By Marsaglia's xorshift32. */
export function seededRandom(seed: number): SeededRandom {
  // 0 would stay 0, and small seeds begin alike.
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1;
  function below(count: number): number {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % count;
  }
  return { below, oneOf: (items) => items[below(items.length)] ?? items[0] };
}
