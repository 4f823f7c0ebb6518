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
