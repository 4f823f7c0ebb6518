/** The limits of a probe. */
export type ProbeLimits = {
  /** The number of values. A long text counts as several values, so the limit also bounds the length. */
  nodes: number;
  /** Containers inside each other. */
  levels: number;
};

/**
 * The JSON of a value for which native `JSON.stringify` writes the same text as `serialize`; `undefined` for any other value.
 * Never throws.
 */
export function plainJson(value: unknown, limits: ProbeLimits): string | undefined {
  return new PlainProbe().countNodes(value, limits) === undefined ? undefined : stringify(value);
}

/** A value that passed a probe can still throw, because a getter may behave differently the next time. */
export function stringify(value: unknown, indent = 0): string | undefined {
  try {
    return JSON.stringify(value, null, indent) ?? 'null';
  } catch {
    return undefined;
  }
}

/**
 * Finds values for which native `JSON.stringify` writes exactly the same text as `serialize`: small, plain data. `ancestors`
 * are the containers around a value, which it must not refer to.
 */
export class PlainProbe {
  readonly #surroundings: Surroundings;

  constructor(ancestors: readonly object[] = []) {
    this.#surroundings = { ancestors, path: [], tooLarge: undefined };
  }

  /** The keys of `value`. The first caller gets the keys that the last failed probe has already listed. */
  takeKeys(value: object): string[] {
    const { tooLarge } = this.#surroundings;
    if (tooLarge?.source !== value) return Object.keys(value);
    this.#surroundings.tooLarge = undefined;
    return tooLarge.keys;
  }

  /** The number of nodes in `value`, or `undefined` if it is too large, too deep or not plain. Never throws. */
  countNodes(value: unknown, { nodes, levels }: ProbeLimits): number | undefined {
    this.#surroundings.path.length = levels + 1;
    try {
      const left = spend(value, nodes, levels, this.#surroundings);
      return left < 0 ? undefined : nodes - left;
    } catch {
      return undefined;
    }
  }
}

type Surroundings = {
  readonly ancestors: readonly object[];
  readonly path: object[];
  /** Stored for the walk, and for the next probe that gets here, because listing a million keys takes 200 ms. */
  tooLarge: { source: object; keys: string[] } | undefined;
};

// Returns how many nodes are left, or a negative number if the value is not for native code. It has four parameters and no
// object, because it runs for every value of hundreds of megabytes, where private methods and a counter in a field cost a
// third.
function spend(value: unknown, nodes: number, levels: number, around: Surroundings): number {
  switch (typeof value) {
    case 'string':
      return nodes - 1 - (value.length >> 4);
    case 'number':
    case 'boolean':
    case 'undefined':
      return nodes - 1;
    case 'object':
      return value === null ? nodes - 1 : spendObject(value, nodes - 1, levels, around);
    default:
      return -1;
  }
}

function spendObject(value: object, nodes: number, levels: number, around: Surroundings): number {
  const isArray = Array.isArray(value);
  if (!isArray) {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === Date.prototype && (value as Date).toJSON === dateToJson) return nodes;
    if (prototype !== Object.prototype && prototype !== null) return -1;
  }
  if (levels === 0 || typeof (value as { toJSON?: unknown }).toJSON === 'function') return -1;
  // Not only because native code throws at a cycle, but also because an object of a million keys would list them again in each
  // round.
  const { path, ancestors } = around;
  for (let above = levels + 1; above < path.length; above++) if (path[above] === value) return -1;
  if (ancestors.includes(value)) return -1;
  path[levels] = value;
  return isArray ? spendItems(value, nodes, levels - 1, around) : spendMembers(value, nodes, levels - 1, around);
}

const dateToJson = Date.prototype.toJSON;

function spendItems(items: readonly unknown[], nodes: number, levels: number, around: Surroundings): number {
  const { length } = items;
  if (length > nodes) return -1;
  let left = nodes;
  for (let index = 0; index < length && left >= 0; index++) left = spend(items[index], left, levels, around);
  return left;
}

function spendMembers(members: object, nodes: number, levels: number, around: Surroundings): number {
  const keys = around.tooLarge?.source === members ? around.tooLarge.keys : Object.keys(members);
  if (keys.length > nodes) {
    around.tooLarge = { source: members, keys };
    return -1;
  }
  let left = nodes;
  for (const key of keys) {
    left = spend((members as Record<string, unknown>)[key], left - (key.length >> 4), levels, around);
    if (left < 0) return left;
  }
  return left;
}
