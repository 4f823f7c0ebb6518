import { PlainProbe } from '../json/plain-json.ts';
import { toJsonValue, unboxed } from '../json/represent-value.ts';
import { atOnce, finished, inTurns, type Steps } from '../pace.ts';
import { inspectSafely } from '../protocol/guards.ts';
import { isOwn, markOwn } from '../protocol/truncated-output.ts';
import { base64Of, base64Pieces, bytesOfBase64 } from '../text/base64.ts';
import { OWN_QUICK_CHARS, type RedactedCounts, type Redactor, redactInSteps } from '../text/redaction.ts';
import { isTextType } from './content-parts.ts';

/** The patterns for one output, and the counts of replaced secrets. */
export interface OutputRedaction {
  redactor: Redactor;
  counts: RedactedCounts;
  /** The tool changed the value while it was searched. */
  hasChanged?: boolean;
}

/** The largest value that is redacted before its tool can change it. This takes a few milliseconds. */
const QUICK = { nodes: 4096, levels: 32 };
/** The same for patterns of the application, which are slower. A node has at most 16 characters. */
const OWN_QUICK = { nodes: OWN_QUICK_CHARS / 16, levels: 32 };
/** The largest value that is copied before its tool can change it, and redacted later. */
const COPIED = { nodes: 256 * 1024, levels: 32 };
/** A longer string is searched without the key in front of it. */
const MAX_CONTEXT_CHARS = 16 * 1024;
const MAX_KEY_CHARS = 256;
/** The number of values that one step visits. */
const STEP_VALUES = 256;

/**
 * A value without secrets in its strings and keys. It is the same value if it contains no secret, and otherwise a copy. A string is
 * searched with its key in front of it, as in `password: …`. Bytes, and base64 of files that are not text, do not change.
 */
export async function redactValue<Value>(value: Value, redaction: OutputRedaction): Promise<Value> {
  if (typeof value !== 'object' && typeof value !== 'string') return value;
  if (isQuick(value, redaction.redactor)) return finished(redactInWalks(value, redaction)) as Value;
  const copy = typeof value === 'object' ? copied(value) : undefined;
  return (await inTurns(redactInWalks(copy ?? value, redaction))) as Value;
}

function isQuick(value: unknown, { hasOwnPatterns }: Redactor): boolean {
  if (typeof value !== 'string') return isPlain(value, hasOwnPatterns ? OWN_QUICK : QUICK);
  return value.length <= (hasOwnPatterns ? OWN_QUICK_CHARS : MAX_CONTEXT_CHARS);
}

function* redactInWalks(value: unknown, redaction: OutputRedaction): Steps<unknown> {
  const counts = { ...redaction.counts };
  const walk = new ValueWalk(redaction, { keepsCycles: true });
  const redacted = yield* walk.redact(value);
  if (!walk.hasCycle || redacted === value) return redacted;
  // In a copy, a cycle would lead back to the value with its secrets.
  for (const kind of Object.keys(redaction.counts)) delete redaction.counts[kind];
  Object.assign(redaction.counts, counts);
  return yield* new ValueWalk(redaction, { keepsCycles: false }).redact(value);
}

/** Its containers may change after this call, but its strings cannot. */
function copied<Value>(value: Value): Value | undefined {
  return atOnce(() => (isPlain(value, COPIED) ? (copyOf(value) as Value) : undefined));
}

function isPlain(value: unknown, limits: typeof QUICK): boolean {
  return new PlainProbe().countNodes(value, limits) !== undefined;
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const copy = emptyLike(value);
  for (const [key, member] of Object.entries(value)) setMember(copy, key, copyOf(member));
  return copy;
}

function emptyLike(value: object): Record<string, unknown> {
  const hasNoPrototype = inspectSafely(value, (members) => Object.getPrototypeOf(members) === null);
  return hasNoPrototype ? Object.create(null) : {};
}

/** Does not assign, because a key may be `__proto__`. */
function setMember(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** A container whose members are visited. */
interface Frame {
  source: object;
  /** The keys of an object; absent for an array. */
  keys: readonly string[] | undefined;
  length: number;
  /** The member that is visited, as it was read. */
  current: unknown;
  /** The redacted members so far. */
  results: unknown[];
  isChanged: boolean;
}

/** The most values in a row whose `toJSON` returns another such value. */
const MAX_CONVERSIONS = 100;

/** One walk through one value. */
class ValueWalk {
  hasCycle = false;
  readonly #redaction: OutputRedaction;
  readonly #options: { keepsCycles: boolean; conversions?: number };
  readonly #frames: Frame[] = [];
  readonly #open = new Set<object>();
  /** The results of visited containers. Without them, objects with shared parts could take endless time. */
  readonly #done = new Map<object, unknown>();
  #visited = 0;

  constructor(redaction: OutputRedaction, options: { keepsCycles: boolean; conversions?: number }) {
    this.#redaction = redaction;
    this.#options = options;
  }

  *redact(root: unknown): Steps<unknown> {
    const { conversions = 0 } = this.#options;
    // The result of a `toJSON` is not converted again.
    const first = yield* this.#visit(root, { key: '', isConverted: conversions > 0 });
    if (first !== ENTERED) return first;
    for (;;) {
      const frame = this.#frames.at(-1) as Frame;
      const at = frame.results.length;
      if (at === frame.length) {
        const result = yield* this.#leave(frame);
        const outer = this.#frames.at(-1);
        if (!outer) return result;
        addResult(outer, result);
        continue;
      }
      if (++this.#visited % STEP_VALUES === 0) yield;
      const key = frame.keys ? (frame.keys[at] as string) : at;
      frame.current = read(frame.source, key);
      const result = yield* this.#visit(frame.current, { key, parent: frame.source });
      if (result !== ENTERED) addResult(frame, result);
    }
  }

  /** The redacted value, or `ENTERED` if its members are visited first. */
  *#visit(value: unknown, place: Place): Steps<unknown> {
    if (typeof value === 'string') return yield* this.#redactString(value, place);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    if (this.#open.has(value)) {
      this.hasCycle = true;
      return this.#options.keepsCycles ? value : '[Circular]';
    }
    if (this.#done.has(value)) return this.#done.get(value);
    const json = place.isConverted ? value : toJsonValue(value, place.key);
    if (json !== value) return yield* this.#redactConverted(value, json);
    const text = unboxed(value);
    if (typeof text === 'string') {
      const redacted = yield* this.#redactString(text, place);
      return redacted === text ? value : redacted;
    }
    const keys = isList(value) ? undefined : keysOf(value);
    const length = keys?.length ?? lengthOf(value);
    this.#open.add(value);
    this.#frames.push({ source: value, keys, length, current: undefined, results: [], isChanged: false });
    return ENTERED;
  }

  /** An object with a `toJSON` stays as it is, unless its JSON has a secret. */
  *#redactConverted(value: object, json: unknown): Steps<unknown> {
    const { keepsCycles, conversions = 0 } = this.#options;
    if (conversions === MAX_CONVERSIONS) return '[Nested too deep]';
    const walk = new ValueWalk(this.#redaction, { keepsCycles, conversions: conversions + 1 });
    const redacted = yield* walk.redact(json);
    this.hasCycle ||= walk.hasCycle;
    return Object.is(redacted, json) ? value : redacted;
  }

  *#leave(frame: Frame): Steps<unknown> {
    const { source, keys, length, results } = frame;
    this.#frames.pop();
    this.#open.delete(source);
    if (!keys && lengthOf(source) !== length) this.#redaction.hasChanged = true;
    const result = keys ? yield* this.#copyObject(frame, keys) : frame.isChanged ? results : source;
    if (result !== source && isOwn(source)) markOwn(result as object);
    this.#done.set(source, result);
    return result;
  }

  *#copyObject({ source, results, isChanged }: Frame, keys: readonly string[]): Steps<object> {
    const { redactor, counts } = this.#redaction;
    const shown: string[] = [];
    for (const key of keys) {
      if (shown.length % STEP_VALUES === STEP_VALUES - 1) yield;
      shown.push(yield* redactInSteps(key, redactor, { counts }));
    }
    if (!isChanged && shown.every((key, at) => key === keys[at])) return source;
    const copy: Record<string, unknown> = emptyLike(source);
    /** The last number of each key that occurred before. Without it, each of many equal keys would try all numbers. */
    const numbers = new Map<string, number>();
    for (const [at, key] of shown.entries()) {
      if (at % STEP_VALUES === STEP_VALUES - 1) yield;
      setMember(copy, freeKey(copy, { key, numbers }), results[at]);
    }
    return copy;
  }

  *#redactString(text: string, { key, parent }: Place): Steps<string> {
    const { redactor, counts } = this.#redaction;
    const file = parent && (key === 'data' || key === 'blob') ? typeOfFile(parent) : undefined;
    if (file !== undefined) {
      const base64 = base64Of(text);
      if (base64 !== undefined) return isTextType(file) ? yield* this.#redactBase64(base64, text) : text;
    }
    const hasContext = typeof key === 'string' && key.length <= MAX_KEY_CHARS && text.length <= MAX_CONTEXT_CHARS;
    if (!hasContext || key === '') return yield* redactInSteps(text, redactor, { counts });
    const redacted = yield* redactInSteps(text, redactor, { counts, context: `${key}: ` });
    return redactor.hasOwnPatterns ? yield* redactInSteps(redacted, redactor, { counts }) : redacted;
  }

  *#redactBase64(base64: string, original: string): Steps<string> {
    const { redactor, counts } = this.#redaction;
    const text = new TextDecoder().decode(bytesOfBase64(base64));
    const redacted = yield* redactInSteps(text, redactor, { counts });
    return redacted === text ? original : [...base64Pieces(new TextEncoder().encode(redacted))].join('');
  }
}

const ENTERED = Symbol('entered');

/** The place of a value in the container around it. */
interface Place {
  key: string | number;
  parent?: object;
  isConverted?: boolean;
}

function addResult(frame: Frame, result: unknown): void {
  frame.results.push(result);
  frame.isChanged ||= !Object.is(frame.current, result);
}

/** A getter or a Proxy may throw. The text of the value reports this later. */
function read(source: object, key: string | number): unknown {
  try {
    return (source as Record<string | number, unknown>)[key];
  } catch {
    return undefined;
  }
}

/** A revoked Proxy throws. */
function isList(value: object): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

function keysOf(value: object): readonly string[] {
  try {
    return Object.keys(value);
  } catch {
    return [];
  }
}

function lengthOf(value: object): number {
  try {
    return Math.trunc((value as unknown[]).length) || 0;
  } catch {
    return 0;
  }
}

/** The media type of a file part: `{ type, data, mediaType }`, or `{ data, mimeType }` of an MCP server. */
function typeOfFile(parent: object): string | undefined {
  return inspectSafely(parent, ({ mediaType, mimeType }) => {
    const type = mediaType ?? mimeType;
    return typeof type === 'string' ? type : undefined;
  });
}

/** Two keys may become the same text. */
function freeKey(
  copy: Record<string, unknown>,
  { key, numbers }: { key: string; numbers: Map<string, number> },
): string {
  let free = key;
  while (Object.hasOwn(copy, free)) {
    const number = (numbers.get(key) ?? 1) + 1;
    numbers.set(key, number);
    free = `${key} (${number})`;
  }
  return free;
}
