/** Whether a value is an object that is no list, so that its members can be looked at. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object as a literal or `JSON.parse` makes it: a `Map`, a `Date` or an instance of a class has no members of its own to read. */
export function isPlainRecord(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const prototype: object | null = Object.getPrototypeOf(value);
  // Not `Object.prototype` itself, which another realm has a different one of.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether a value gives others one after another, each when it is asked for. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  if (typeof value !== 'object' || value === null) return false;
  try {
    // As the SDK asks: a member of that name may be no function, and a Proxy may claim to have any.
    return typeof (value as { [Symbol.asyncIterator]?: unknown })[Symbol.asyncIterator] === 'function';
  } catch {
    return false;
  }
}

/** Whether a value is a string that says something. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** A getter may throw. What cannot be looked at is a value like others, and says nothing of itself. */
export function inspectSafely<Seen>(output: unknown, see: (output: Record<string, unknown>) => Seen): Seen | undefined {
  try {
    return isRecord(output) ? see(output) : undefined;
  } catch {
    return undefined;
  }
}
