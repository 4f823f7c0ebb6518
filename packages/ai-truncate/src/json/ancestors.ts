/** Growing one Set copies all of it: at a million objects that is a step of 90 ms, at this size one of some milliseconds. */
const MAX_SET_SIZE = 65_536;

/** The containers that are open around the value being written, last in, first out. */
export class Ancestors {
  readonly #sets: Set<object>[] = [new Set()];

  has(value: object): boolean {
    for (const set of this.#sets) if (set.has(value)) return true;
    return false;
  }

  add(value: object): void {
    const last = this.#last();
    if (last.size < MAX_SET_SIZE) last.add(value);
    else this.#sets.push(new Set([value]));
  }

  /** Removes the value that was added last. */
  remove(value: object): void {
    const last = this.#last();
    last.delete(value);
    if (last.size === 0 && this.#sets.length > 1) this.#sets.pop();
  }

  #last(): Set<object> {
    return this.#sets[this.#sets.length - 1] as Set<object>;
  }
}
