/** How far a probe may look. */
export type ProbeLimits = {
  /** Values in all; a long text counts as more of them, so the limit also bounds the length. */
  nodes: number;
  /** Containers inside each other. */
  levels: number;
};

const dateToJson = Date.prototype.toJSON;

/**
 * Finds subtrees that native `JSON.stringify` writes exactly as `serialize` would: small, plain data. One object for all
 * probes of a walk, with the count in a field, because it looks at every value of hundreds of megabytes.
 */
export class PlainProbe {
  readonly #isAncestor: (value: object) => boolean;
  readonly #path: object[] = [];
  #nodesLeft = 0;

  /** `isAncestor` tells the containers around the subtree, which it must not lead back to. */
  constructor(isAncestor: (value: object) => boolean) {
    this.#isAncestor = isAncestor;
  }

  /** How many nodes `value` has, or `undefined` when it is too large, too deep or not plain. Never throws. */
  countNodes(value: unknown, { nodes, levels }: ProbeLimits): number | undefined {
    this.#nodesLeft = nodes;
    this.#path.length = 0;
    try {
      return this.#isPlain(value, levels) ? nodes - this.#nodesLeft : undefined;
    } catch {
      return undefined;
    }
  }

  #isPlain(value: unknown, levels: number): boolean {
    switch (typeof value) {
      case 'string':
        return this.#spend(1 + (value.length >> 4));
      case 'number':
      case 'boolean':
      case 'undefined':
        return this.#spend(1);
      case 'object':
        return this.#spend(1) && (value === null || this.#isPlainObject(value, levels));
      default:
        return false;
    }
  }

  #isPlainObject(value: object, levels: number): boolean {
    const isArray = Array.isArray(value);
    if (!isArray && !hasPlainPrototype(value)) return isPlainDate(value);
    if (levels === 0 || typeof (value as { toJSON?: unknown }).toJSON === 'function') return false;
    // Not only because native code throws at a cycle: each time around, an object of a million keys would list them again.
    if (this.#isAncestor(value) || this.#path.includes(value)) return false;
    this.#path.push(value);
    const isPlain = isArray ? this.#areItemsPlain(value, levels - 1) : this.#areMembersPlain(value, levels - 1);
    this.#path.pop();
    return isPlain;
  }

  #areItemsPlain(items: readonly unknown[], levels: number): boolean {
    const { length } = items;
    if (length > this.#nodesLeft) return false;
    for (let index = 0; index < length; index++) if (!this.#isPlain(items[index], levels)) return false;
    return true;
  }

  #areMembersPlain(members: object, levels: number): boolean {
    for (const key in members) {
      if (!this.#spend(key.length >> 4) || !this.#isPlain((members as Record<string, unknown>)[key], levels)) return false;
    }
    return true;
  }

  #spend(nodes: number): boolean {
    this.#nodesLeft -= nodes;
    return this.#nodesLeft >= 0;
  }
}

function hasPlainPrototype(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isPlainDate(value: object): boolean {
  return Object.getPrototypeOf(value) === Date.prototype && (value as Date).toJSON === dateToJson;
}
