/**
 * What the SDK sends for a value, `undefined` when it cannot: `JSON.stringify` throws, or goes on for more than `maxChars`.
 * Every visit writes a character at least, so that a Buffer or a sparse array ends it early.
 */
export function compactJson(value: unknown, maxChars: number): string | undefined {
  let visits = 0;
  try {
    // A value that JSON leaves out, `undefined` for instance, the SDK sends as null.
    return (
      JSON.stringify(value, (_, item: unknown) => {
        if (++visits > maxChars) throw new RangeError('too large');
        return item;
      }) ?? 'null'
    );
  } catch {
    return undefined;
  }
}
