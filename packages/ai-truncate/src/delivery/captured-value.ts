import { now } from '../deadlines.ts';
import { indentedJson } from '../json/indented-json.ts';
import { PlainProbe, stringify } from '../json/plain-json.ts';
import { serialize } from '../json/serialize.ts';
import { atOnce } from '../pace.ts';
import { byteLength, bytePieces } from '../text/utf.ts';

/** The text of an output at the time its tool returned it. */
export interface CapturedValue {
  mediaType: 'text/plain' | 'application/json';
  /** The JSON as the SDK sends it, if it was written at once. */
  json?: string;
  /** The part that was written at once already exceeds `maxBytes`. */
  isOver?: boolean;
  /** The number of bytes, if the output is bytes. */
  bytes?: number;
  /** Produced as they are pulled. Can be read once. */
  chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
  /** Known after the last chunk: whether the tool has changed the value, so that the text differs from the output. */
  hasChanged(): boolean;
  /** Known after the last chunk: whether a part is nested too deep to be in the text. */
  isTooDeep?(): boolean;
}

/** The part that is written at once: about 4 MiB of JSON. A text counts as one value for each 16 of its characters. */
const AT_ONCE = { nodes: 256 * 1024, levels: 32 };
/** If a probe takes longer than this, no larger part of the value is probed in the same turn. */
const LONG_LOOK_MS = 3;
const MAX_COPIED_BYTES = 4 * 1024 * 1024;

/**
 * A value is saved over many turns of the event loop, and its tool may change the object in that time. So a plain value of up
 * to 4 MiB is written at once, and the visible part of any other value is compared afterwards. If much was written at once a
 * moment ago, smaller values are compared too.
 */
export function captureValue(value: unknown, maxBytes = 0): CapturedValue {
  if (typeof value !== 'object' || value === null) return uncapturedValue(value);
  const written = atOnce(() => plainJson(value) ?? isOver(value, maxBytes));
  if (typeof written === 'string') return captureJson(written);
  const startedAt = now();
  const sizes = sizesOf(value, () => now() - startedAt > LONG_LOOK_MS);
  const uncaptured = uncapturedValue(copyOfBytes(value));
  const isSame = () => {
    const after = sizes && sizesOf(value, (seen) => seen >= sizes.length);
    return sizes === undefined || (sizes.length === after?.length && sizes.every((size, at) => size === after[at]));
  };
  return { ...uncaptured, isOver: written === true, hasChanged: () => uncaptured.hasChanged() || !isSame() };
}

/** The same without reading the value now. It counts as changed only if `serialize` notices a change while it writes. */
export function uncapturedValue(value: unknown): CapturedValue {
  return serialize(value, { indent: 2 });
}

/** The same for JSON text. */
export function captureJson(json: string): CapturedValue {
  return {
    json,
    mediaType: 'application/json',
    // Indented, like every saved value.
    chunks: indentedJson(json),
    hasChanged: () => false,
  };
}

/** The same for bytes that are text, which are saved unchanged. For bytes that are not copied, only a transfer is noticed. */
export function captureBytes(bytes: Uint8Array): CapturedValue {
  const { length } = bytes;
  const copy = copyOfBytes(bytes);
  return {
    mediaType: 'text/plain',
    bytes: length,
    chunks: bytePieces(copy, MAX_PIECE_BYTES),
    hasChanged: () => copy.length !== length,
  };
}

/**
 * A save waits for each piece. The text of a megabyte would be outside the heap, where the engine collects forty of them before
 * it frees memory. A store would also get several chunks of it, and could hang at each.
 */
export const MAX_PIECE_BYTES: number = 64 * 1024;

/**
 * A text that `JSON.stringify` and `serialize` write in the same way, so that it can be read and indented later. Probes growing
 * parts of the value, because a million values take between 10 ms and 200 ms: objects with different keys are slow.
 */
function plainJson(value: object): string | undefined {
  const { nodes, levels } = AT_ONCE;
  const startedAt = now();
  const probe = new PlainProbe();
  for (const part of [16, 4, 1]) {
    if (probe.countNodes(value, { nodes: nodes / part, levels }) !== undefined) return stringify(value);
    if (now() - startedAt > LONG_LOOK_MS) break;
  }
  return undefined;
}

/** Each of these chunks has up to 1,024 values or 64 KB. */
const MAX_CHUNKS = 64;

function isOver(value: object, maxBytes: number): boolean {
  let bytes = 0;
  let count = 0;
  for (const chunk of serialize(value).chunks) {
    bytes += byteLength(chunk);
    if (bytes > maxBytes) return true;
    if (++count === MAX_CHUNKS) return false;
  }
  return false;
}

/** A copy of bytes that their owner may change or transfer; the value itself if it is not bytes or cannot be copied now. */
function copyOfBytes<Value>(value: Value): Value | Uint8Array<ArrayBuffer> {
  try {
    const isSmall = value instanceof Uint8Array && value.byteLength <= MAX_COPIED_BYTES;
    return (isSmall && atOnce(() => new Uint8Array(value))) || value;
  } catch {
    // They were already transferred.
    return value;
  }
}

const MAX_CONTAINERS = 64;
const MAX_CHILDREN = 16;
const CHILDREN: readonly string[] = Array.from({ length: MAX_CHILDREN }, (_, index) => String(index));

/**
 * The lengths and keys of the outermost containers, up to the first that `isEnough` accepts, because many keys take long to
 * list. No getter is called. Returns `undefined` if a Proxy throws.
 */
function sizesOf(root: unknown, isEnough: (seen: number) => boolean): unknown[] | undefined {
  const sizes: unknown[] = [];
  const containers: unknown[] = [root];
  try {
    for (let index = 0; index < Math.min(containers.length, MAX_CONTAINERS); index++) {
      if (index > 0 && isEnough(sizes.length)) break;
      const container = containers[index];
      if (typeof container !== 'object' || container === null) continue;
      if (ArrayBuffer.isView(container)) {
        sizes.push(container.byteLength);
        continue;
      }
      const isList = Array.isArray(container);
      const keys = isList ? [] : Object.keys(container);
      const first = isList ? CHILDREN.slice(0, container.length) : keys.slice(0, MAX_CHILDREN);
      if (isList) sizes.push(container.length);
      else sizes.push(keys.length, ...first);
      for (const key of first) {
        containers.push(Object.getOwnPropertyDescriptor(container, key)?.value);
      }
    }
    return sizes;
  } catch {
    return undefined;
  }
}
