/**
 * The same value in every bundle of the server: Next.js gives the instrumentation and the routes copies of a module, each with
 * variables of its own.
 */
export function oncePerProcess<VALUE>(name: string, create: () => VALUE): VALUE {
  const values = globalThis as { [key: symbol]: { value: VALUE } | undefined };
  const key = Symbol.for(`ai-truncate-demo.${name}`);
  const known = values[key] ?? { value: create() };
  values[key] = known;
  return known.value;
}
