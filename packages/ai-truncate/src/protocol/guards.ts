/** Whether a value is an object and not a list, so that its members can be read. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Whether a value is an object like the objects from a literal or `JSON.parse`. A `Map`, a `Date` or an instance of a class has
 * no own members to read.
 */
export function isPlainRecord(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const prototype: object | null = Object.getPrototypeOf(value);
  // Does not compare with `Object.prototype`, because another realm has a different one.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether a value yields other values one after another, on request. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  if (typeof value !== 'object' || value === null) return false;
  try {
    // Checked like in the SDK: a member with this name need not be a function, and a Proxy may claim to have any member.
    return typeof (value as { [Symbol.asyncIterator]?: unknown })[Symbol.asyncIterator] === 'function';
  } catch {
    return false;
  }
}

/** Whether a value is a string that is not empty. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** A getter may throw. An object that cannot be inspected counts as a value without members. */
export function inspectSafely<Seen>(output: unknown, see: (output: Record<string, unknown>) => Seen): Seen | undefined {
  try {
    return isRecord(output) ? see(output) : undefined;
  } catch {
    return undefined;
  }
}
