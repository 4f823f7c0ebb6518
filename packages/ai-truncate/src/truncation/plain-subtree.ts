/** How far a probe may look: nodes in all, levels of nesting, and the objects it must not find again. */
export type ProbeLimits = { nodes: number; levels: number; isAncestor: (value: object) => boolean };

const dateToJson = Date.prototype.toJSON;

/**
 * Counts the nodes of a value that native `JSON.stringify` writes exactly as `serialize` would, or `undefined` when it is
 * too large, too deep or not plain data. A long text counts as more nodes, so the limit also bounds the length.
 */
export function countPlainNodes(value: unknown, limits: ProbeLimits): number | undefined {
  try {
    const left = spend(value, limits.nodes, limits.levels, limits.isAncestor);
    return left < 0 ? undefined : limits.nodes - left;
  } catch {
    return undefined;
  }
}

// Four parameters: this runs once per node of a hundred megabytes, and an object per call shows.
function spend(value: unknown, nodes: number, levels: number, isAncestor: ProbeLimits['isAncestor']): number {
  switch (typeof value) {
    case 'string':
      return nodes - 1 - (value.length >> 4);
    case 'number':
    case 'boolean':
    case 'undefined':
      return nodes - 1;
    case 'object':
      return value === null ? nodes - 1 : spendObject(value, nodes - 1, levels, isAncestor);
    default:
      return -1;
  }
}

function spendObject(value: object, nodes: number, levels: number, isAncestor: ProbeLimits['isAncestor']): number {
  const isArray = Array.isArray(value);
  if (!isArray && !hasPlainPrototype(value)) return isPlainDate(value) ? nodes : -1;
  if (levels === 0 || typeof (value as { toJSON?: unknown }).toJSON === 'function') return -1;
  // An ancestor with a million keys would list them again at each of a million references back to it.
  if (isAncestor(value)) return -1;
  return isArray ? spendItems(value, nodes, levels, isAncestor) : spendMembers(value, nodes, levels, isAncestor);
}

function spendItems(items: unknown[], nodes: number, levels: number, isAncestor: ProbeLimits['isAncestor']): number {
  if (items.length > nodes) return -1;
  let left = nodes;
  for (let index = 0; index < items.length && left >= 0; index++) left = spend(items[index], left, levels - 1, isAncestor);
  return left;
}

function spendMembers(members: object, nodes: number, levels: number, isAncestor: ProbeLimits['isAncestor']): number {
  let left = nodes;
  for (const key in members) {
    left = spend((members as Record<string, unknown>)[key], left - (key.length >> 4), levels - 1, isAncestor);
    if (left < 0) return left;
  }
  return left;
}

function hasPlainPrototype(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isPlainDate(value: object): boolean {
  return Object.getPrototypeOf(value) === Date.prototype && (value as Date).toJSON === dateToJson;
}
