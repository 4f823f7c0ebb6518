const FIRST_CAPACITY = 128 * 1024;

/**
 * The bytes that are not done with yet. It grows by doubling: with plain concatenation a record that comes in many chunks
 * would be copied once for each of them.
 */
export class RecordBuffer {
  /** More room than content: only the first `length` bytes count. */
  bytes: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  length = 0;
  /** Where in the whole the first byte stands. */
  base = 0;

  append(chunk: Uint8Array): void {
    const needed = this.length + chunk.length;
    if (needed > this.bytes.length) {
      const larger = new Uint8Array(Math.max(needed, this.bytes.length * 2));
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
    }
    this.bytes.set(chunk, this.length);
    this.length = needed;
  }

  /** Forgets what stands before `end`. */
  discard(end: number): void {
    this.bytes.copyWithin(0, end, this.length);
    this.length -= end;
    this.base += end;
  }
}
