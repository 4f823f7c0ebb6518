import { isRecord } from './is-record.ts';

/** An object as a literal or `JSON.parse` makes it: a `Map`, a `Date` or an instance of a class has no members of its own to read. */
export function isPlainRecord(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const prototype: object | null = Object.getPrototypeOf(value);
  // Not `Object.prototype` itself, which another realm has a different one of.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
