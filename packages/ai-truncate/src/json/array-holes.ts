const CHECKS_PER_STEP = 1024;
const CHECKS_BEFORE_KEYS = 4096;
/** Arrays longer than this are asked for their keys: four billion indexes would take a minute. */
const MAX_SCANNED_LENGTH = 50_000_000;

/** Finds the items of sparse arrays without visiting every hole. */
export class ArrayHoles {
  // Listed once per array: at each of a hundred thousand gaps the list would be quadratic.
  readonly #itemIndexes: WeakMap<object, number[]> = new WeakMap();

  /** The first index from `start` on that holds an item, or `end`. Every yield is a place to pause. */
  *nextItem(array: object, range: { start: number; end: number }): Generator<void, number> {
    const { start, end } = range;
    for (let index = start; index < end; index++) {
      const checks = index - start;
      if (this.#itemIndexes.has(array) || (checks === CHECKS_BEFORE_KEYS && end > MAX_SCANNED_LENGTH)) {
        return Math.min(end, firstFrom(this.#indexesOf(array), index));
      }
      if (!isHole(array, index)) return index;
      if (checks % CHECKS_PER_STEP === CHECKS_PER_STEP - 1) yield;
    }
    return end;
  }

  #indexesOf(array: object): number[] {
    const known = this.#itemIndexes.get(array);
    if (known) return known;
    const indexes = listIndexes(array);
    this.#itemIndexes.set(array, indexes);
    return indexes;
  }
}

/** Whether an array has no item at `index`, not even `undefined`. */
export function isHole(array: object, index: number): boolean {
  try {
    return !(index in array);
  } catch {
    // A Proxy that let the item be read but not looked for: what was read stands.
    return false;
  }
}

function listIndexes(array: object): number[] {
  try {
    const indexes = Object.keys(array).map(Number).filter(Number.isInteger);
    return indexes.sort((left, right) => left - right);
  } catch {
    return [];
  }
}

/** Binary search: the first of the sorted `indexes` that is not below `start`. */
function firstFrom(indexes: number[], start: number): number {
  let low = 0;
  let high = indexes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((indexes[middle] as number) < start) low = middle + 1;
    else high = middle;
  }
  return indexes[low] ?? Number.POSITIVE_INFINITY;
}
