import { shortened, thousands } from '../text/utf.ts';

/** How to write a value that is not a JSON scalar: as JSON text, as bytes, or as a container whose members are visited. */
export type Representation = { kind: 'raw'; text: string } | { kind: 'bytes'; source: Uint8Array } | Container;

/** A container with the members in `keys` or, without `keys`, with `length` items. */
export type Container = { kind: 'container'; source: object; keys?: readonly string[]; length: number };

/** How to write a value: as a JSON scalar, which may be a text that describes it, or as a `Representation`. */
type Written = string | number | boolean | null | Representation;

const MAX_NAME_LENGTH = 100;
const MAX_MESSAGE_LENGTH = 200;
const BYTE_VIEWS: ReadonlySet<string | undefined> = new Set(['Uint8Array', 'Uint8ClampedArray', 'Int8Array']);

/** The value that `JSON.stringify` would continue with: the result of `toJSON` if the value has one. */
export function toJsonValue(value: unknown, key: string | number): unknown {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function' && typeof value !== 'bigint'))
    return value;
  try {
    // Bytes first, because the toJSON of a Buffer makes eleven characters of each byte.
    if (ArrayBuffer.isView(value) && BYTE_VIEWS.has(typedArrayName(value))) return value;
    const { toJSON } = value as { toJSON?: unknown };
    // The method itself, on an object that another toJSON returned, is not data.
    if (typeof toJSON !== 'function') return typeof value === 'function' && key === 'toJSON' ? undefined : value;
    const json: unknown = Reflect.apply(toJSON, value, [String(key)]);
    return value instanceof Error ? withoutStack(json) : json;
  } catch (error) {
    return unreadable(error);
  }
}

/**
 * Decides how to write a function, symbol, BigInt or object. Never throws: a value that cannot be read is described in its
 * place.
 *
 * An object shows its own enumerable members, like in JSON, and nothing more. The content of a `Map`, a `Set` or an `Error` is
 * not sent for small outputs either.
 */
export function representValue(
  value: object | symbol | bigint,
  listKeys: (value: object) => readonly string[] = Object.keys,
): Written {
  try {
    if (typeof value === 'bigint') return bigIntText(value);
    if (typeof value === 'symbol') return `[${shortened(String(value), MAX_NAME_LENGTH)}]`;
    if (typeof value === 'function') {
      const { name }: { name: unknown } = value;
      const isNamed = typeof name === 'string' && name !== '';
      return `[Function: ${isNamed ? shortened(name, MAX_NAME_LENGTH) : 'anonymous'}]`;
    }
    // A Proxy of an array can return anything as its length.
    if (Array.isArray(value)) return { kind: 'container', source: value, length: Math.trunc(value.length) || 0 };
    if (isRawJson(value)) return { kind: 'raw', text: JSON.stringify(value) };
    const other = ArrayBuffer.isView(value) ? representView(value) : unboxed(value);
    if (other !== undefined) return other;
    const keys = listKeys(value);
    return { kind: 'container', source: value, keys, length: keys.length };
  } catch (error) {
    return unreadable(error);
  }
}

/** The text in place of a value whose getter, `toJSON` or Proxy trap threw. */
export function unreadable(error: unknown): string {
  try {
    const message: unknown = typeof error === 'string' ? error : (error as Error).message;
    if (typeof message === 'string') return `[Unreadable: ${shortened(message, MAX_MESSAGE_LENGTH)}]`;
  } catch {
    // Even the reason cannot be read.
  }
  return '[Unreadable]';
}

/** The time for the decimal form grows with the square of the bits: 9 ms here, 1.6 s at twenty million bits. */
const MAX_DIGITS = 90_000;
const LARGEST_BIGINT = 10n ** BigInt(MAX_DIGITS);

function bigIntText(value: bigint): string {
  const isShort = value < LARGEST_BIGINT && value > -LARGEST_BIGINT;
  return isShort ? value.toString() : `[BigInt of more than ${thousands(MAX_DIGITS)} digits]`;
}

/** Whether the value comes from `JSON.rawJSON`, if the runtime has it. Its text is written unchanged. */
function isRawJson(value: object): boolean {
  const { isRawJSON } = JSON as { isRawJSON?: (value: unknown) => boolean };
  return isRawJSON?.(value) === true;
}

/**
 * Views of bytes and numbers. JSON would write them with an index for each item. A `DataView` has no indexes and is not
 * included.
 */
function representView(view: ArrayBufferView): Representation | undefined {
  const name = typedArrayName(view);
  if (BYTE_VIEWS.has(name))
    return { kind: 'bytes', source: new Uint8Array(view.buffer, view.byteOffset, view.byteLength) };
  // The remaining views are typed arrays, but the type `ArrayBufferView` does not say so.
  const { length } = view as unknown as ArrayLike<unknown>;
  return name === undefined ? undefined : { kind: 'container', source: view, length };
}

const typedArrayTag = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)
  ?.get as () => string | undefined;

function typedArrayName(view: ArrayBufferView): string | undefined {
  return Reflect.apply(typedArrayTag, view, []);
}

type Unboxing = (this: never) => string | number | boolean | bigint | null;

const UNBOXINGS: ReadonlyMap<string, Unboxing> = new Map<string, Unboxing>([
  ['Number', Number.prototype.valueOf],
  ['String', String.prototype.valueOf],
  ['Boolean', Boolean.prototype.valueOf],
  ['BigInt', BigInt.prototype.valueOf],
  // Only a Date that a toJSON returned gets here. JSON.stringify would write {} and lose it.
  ['Date', Date.prototype.toJSON],
]);

/** The primitive value in a wrapper object, like in JSON. */
export function unboxed(value: object): Written | undefined {
  try {
    const unboxing = UNBOXINGS.get(Object.prototype.toString.call(value).slice('[object '.length, -1));
    const content = unboxing && Reflect.apply(unboxing, value, []);
    return typeof content === 'bigint' ? bigIntText(content) : content;
  } catch {
    // An object can claim any tag, but the method throws unless it is such a wrapper.
    return undefined;
  }
}

function withoutStack(json: unknown): unknown {
  if (json === null || typeof json !== 'object' || json instanceof Error || !Object.hasOwn(json, 'stack')) return json;
  const { stack: _, ...rest } = json as { stack: unknown };
  return rest;
}
