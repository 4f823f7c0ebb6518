/**
 * The values with these names, in the order of the names, or all values if no name is given. An unknown name ends the program.
 */
export function chosen<Value>(all: Readonly<Record<string, Value>>, names: readonly string[]): [string, Value][] {
  const entries = (names.length > 0 ? names : Object.keys(all)).map((name) => {
    const value = Object.hasOwn(all, name) ? all[name] : undefined;
    return value === undefined ? name : ([name, value] satisfies [string, Value]);
  });
  const unknown = entries.filter((entry) => typeof entry === 'string');
  if (unknown.length > 0) {
    console.error(`Unknown: ${unknown.join(', ')}. Known: ${Object.keys(all).join(', ')}`);
    process.exit(1);
  }
  return entries.filter((entry) => typeof entry !== 'string');
}
