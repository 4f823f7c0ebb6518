/** Medians are exact up to this many numbers in all groups of a query. */
const MAX_EXACT = 200_000;
const MAX_EXACT_OF_GROUP = 100_000;
const MAX_BUCKETS = 200_000;
/** The largest error of a number in a bucket, as a share of the number. */
const ERROR = 0.01;
const GROWTH = (1 + ERROR) / (1 - ERROR);
const LOG_GROWTH = Math.log(GROWTH);
/** Larger than the bucket of any number, so that the buckets of positive numbers are positive. */
const FIRST_BUCKET = 40_000;

/** The memory that the medians of all groups share. */
export class MedianRoom {
  numbers: number = MAX_EXACT;
  buckets: number = MAX_BUCKETS;
  /** Numbers for which there was no room. */
  leftOut = 0;
}

/**
 * The middle of a list of numbers: exact for a hundred thousand numbers. For more, within 1 %, by counting the numbers in narrow
 * ranges.
 */
export class Median {
  readonly #room: MedianRoom;
  #numbers: number[] = [];
  #buckets: Map<number, number> | undefined;
  #count = 0;

  constructor(room: MedianRoom) {
    this.#room = room;
  }

  get isExact(): boolean {
    return this.#buckets === undefined;
  }

  add(number: number): void {
    if (!this.#buckets && (this.#numbers.length === MAX_EXACT_OF_GROUP || this.#room.numbers === 0))
      this.#countInBuckets();
    if (this.#buckets) {
      this.#addToBucket(number);
      return;
    }
    this.#room.numbers--;
    this.#count++;
    this.#numbers.push(number);
  }

  /** `null` if there are no numbers. */
  result(): number | null {
    if (this.#count === 0) return null;
    const middle = (this.#count - 1) / 2;
    if (this.#buckets) return (this.#estimate(Math.floor(middle)) + this.#estimate(Math.ceil(middle))) / 2;
    const sorted = Float64Array.from(this.#numbers).sort();
    const [left = 0, right = 0] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
    return left === right ? left : left / 2 + right / 2;
  }

  #countInBuckets(): void {
    const numbers = this.#numbers;
    this.#buckets = new Map();
    this.#numbers = [];
    this.#count = 0;
    this.#room.numbers += numbers.length;
    for (const number of numbers) this.#addToBucket(number);
  }

  #addToBucket(number: number): void {
    const buckets = this.#buckets as Map<number, number>;
    const bucket = bucketOf(number);
    const count = buckets.get(bucket);
    if (count === undefined && this.#room.buckets === 0) {
      this.#room.leftOut++;
      return;
    }
    if (count === undefined) this.#room.buckets--;
    buckets.set(bucket, (count ?? 0) + 1);
    this.#count++;
  }

  #estimate(rank: number): number {
    const buckets = this.#buckets as Map<number, number>;
    let before = 0;
    for (const bucket of [...buckets.keys()].sort((left, right) => left - right)) {
      before += buckets.get(bucket) as number;
      if (before > rank) return numberOf(bucket);
    }
    return 0;
  }
}

function bucketOf(number: number): number {
  if (number === 0) return 0;
  return Math.sign(number) * (Math.ceil(Math.log(Math.abs(number)) / LOG_GROWTH) + FIRST_BUCKET);
}

function numberOf(bucket: number): number {
  if (bucket === 0) return 0;
  return (Math.sign(bucket) * 2 * GROWTH ** (Math.abs(bucket) - FIRST_BUCKET)) / (GROWTH + 1);
}
