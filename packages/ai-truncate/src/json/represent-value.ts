import { shortened } from '../text/utf.ts';
import { bigIntText } from './bigint-text.ts';

/**
 * How a value that is not a JSON scalar is written: as a scalar (a text that says what stood there), as bytes, or as a
 * container that is walked. Pure decisions; `serialize.ts` does the writing.
 */
export type Representation =
  | string
  | number
  | boolean
  | null
  | { kind: 'raw'; text: string }
  | { kind: 'bytes'; source: Uint8Array }
  | { kind: 'items'; source: ArrayLike<unknown>; length: number }
  | { kind: 'members'; source: object; keys: string[] };

const MAX_NAME_LENGTH = 100;
const MAX_MESSAGE_LENGTH = 200;
const BYTE_VIEWS: ReadonlySet<string | undefined> = new Set(['Uint8Array', 'Uint8ClampedArray', 'Int8Array']);

/** The value `JSON.stringify` goes on with: what `toJSON` answers when there is one. */
export function toJsonValue(value: unknown, key: string | number): unknown {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function' && typeof value !== 'bigint'))
    return value;
  try {
    // Bytes first: the toJSON of a Buffer makes eleven characters of each byte.
    if (ArrayBuffer.isView(value) && isByteView(value)) return value;
    const { toJSON } = value as { toJSON?: unknown };
    // The method itself, on the object that another toJSON gave, is machinery, not data.
    if (typeof toJSON !== 'function') return typeof value === 'function' && key === 'toJSON' ? undefined : value;
    const json: unknown = Reflect.apply(toJSON, value, [String(key)]);
    return value instanceof Error ? withoutStack(json) : json;
  } catch (error) {
    return unreadable(error);
  }
}

/**
 * Decides how a function, symbol, BigInt or object is written. Never throws: what cannot be read is said in place.
 *
 * An object shows what JSON shows of it, its own enumerable members, and nothing more: a `Map`, a `Set` and an `Error` hold what
 * a small output would not send either.
 * `listedKeys` are those of `value` when they are known: listing a million takes 200 ms.
 */
export function representValue(value: object | symbol | bigint, listedKeys?: string[]): Representation {
  try {
    if (typeof value === 'bigint') return bigIntText(value);
    if (typeof value === 'symbol') return `[${shortened(String(value), MAX_NAME_LENGTH)}]`;
    if (typeof value === 'function') return `[Function: ${nameOf(value) ?? 'anonymous'}]`;
    if (Array.isArray(value)) return { kind: 'items', source: value, length: toLength(value.length) };
    if (isRawJson(value)) return { kind: 'raw', text: JSON.stringify(value) };
    return representBuiltIn(value) ?? { kind: 'members', source: value, keys: listedKeys ?? Object.keys(value) };
  } catch (error) {
    return unreadable(error);
  }
}

/** What stands in place of a value whose getter, `toJSON` or Proxy trap threw. */
export function unreadable(error: unknown): string {
  const message = messageOf(error);
  return message ? `[Unreadable: ${shortened(message, MAX_MESSAGE_LENGTH)}]` : '[Unreadable]';
}

/** What JSON unpacks, and views of bytes and numbers, of which JSON would write each with its index. */
function representBuiltIn(value: object): Representation | undefined {
  if (ArrayBuffer.isView(value)) return representView(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return undefined;
  const tag = tagOf(value);
  // A tag can be anything the object says, and a Proxy passes instanceof: only the brand is proof.
  if ((tag === 'Number' || value instanceof Number) && hasBrand(value, Number.prototype.valueOf)) return Number(value);
  if ((tag === 'String' || value instanceof String) && hasBrand(value, String.prototype.valueOf)) return String(value);
  if ((tag === 'Boolean' || value instanceof Boolean) && hasBrand(value, Boolean.prototype.valueOf))
    return Boolean.prototype.valueOf.call(value);
  if (tag === 'BigInt' && hasBrand(value, BigInt.prototype.valueOf))
    return bigIntText(BigInt.prototype.valueOf.call(value));
  // Only a Date that a toJSON gave back comes this far; JSON.stringify would write {} and lose it.
  if (tag === 'Date' && hasBrand(value, Date.prototype.valueOf)) return Date.prototype.toJSON.call(value, '');
  return undefined;
}

function withoutStack(json: unknown): unknown {
  if (json === null || typeof json !== 'object' || json instanceof Error || !Object.hasOwn(json, 'stack')) return json;
  const { stack: _, ...rest } = json as { stack: unknown };
  return rest;
}

function representView(view: ArrayBufferView): Representation | undefined {
  if (isByteView(view)) {
    return { kind: 'bytes', source: new Uint8Array(view.buffer, view.byteOffset, view.byteLength) };
  }
  // Its bytes are behind methods, and so hidden from JSON.
  if (typedArrayName(view) === undefined) return undefined;
  // What is left is a typed array, which the type of all views does not tell.
  const items = view as unknown as ArrayLike<unknown>;
  return { kind: 'items', source: items, length: items.length };
}

/** `JSON.rawJSON`, where there is one: its text goes out as it is. */
function isRawJson(value: object): boolean {
  const { isRawJSON } = JSON as { isRawJSON?: (value: unknown) => boolean };
  return isRawJSON?.(value) === true;
}

/** A Proxy of an array can answer anything when asked for its length. */
function toLength(length: unknown): number {
  return Math.min(Math.max(Math.trunc(Number(length)) || 0, 0), Number.MAX_SAFE_INTEGER);
}

function isByteView(view: ArrayBufferView): boolean {
  return BYTE_VIEWS.has(typedArrayName(view));
}

function tagOf(value: object): string {
  try {
    return Object.prototype.toString.call(value).slice('[object '.length, -1);
  } catch {
    return 'Object';
  }
}

function nameOf(named: unknown): string | undefined {
  if (typeof named !== 'function') return undefined;
  const name: unknown = named.name;
  return typeof name === 'string' && name !== '' ? shortened(name, MAX_NAME_LENGTH) : undefined;
}

/** Reads the message of whatever was thrown; an object is never turned into text, which could throw again or say nothing. */
function messageOf(error: unknown): string | undefined {
  try {
    if (typeof error === 'bigint') return bigIntText(error);
    if (typeof error !== 'object' && typeof error !== 'function') return String(error);
    const message: unknown = (error as { message?: unknown } | null)?.message;
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

type Brand = (this: never) => unknown;

/** Internal slots are checked by the methods that need them: they throw for anything else, whatever it pretends to be. */
function hasBrand(value: object, brand: Brand): boolean {
  try {
    Reflect.apply(brand, value, []);
    return true;
  } catch {
    return false;
  }
}

const typedArrayTag = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)
  ?.get as Brand;

/** `undefined` for a DataView. */
function typedArrayName(view: ArrayBufferView): string | undefined {
  return Reflect.apply(typedArrayTag, view, []) as string | undefined;
}
