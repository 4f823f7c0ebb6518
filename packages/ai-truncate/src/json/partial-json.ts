import { finished, type Steps } from '../pace.ts';
import { detach, isHighSurrogate, isLowSurrogate } from '../text/utf.ts';
import { type JsonContainer, type JsonItem, type JsonNode, type JsonString, MAX_DEPTH } from './json-node.ts';
import type { Expected, JsonFrame, JsonPlace } from './json-place.ts';

/** The whole text as a node, or `undefined` when it is not one JSON document with an object or array as its root. */
export function parseJson(text: string): JsonContainer | undefined {
  return finished(parseJsonInSteps(text));
}

export function* parseJsonInSteps(text: string): Steps<JsonContainer | undefined> {
  const part = yield* parsePart(text, undefined);
  return part?.complete ? part.containers[0] : undefined;
}

/** The nodes of a text of which only the beginning (up to `headEnd`) and the end (from `tailStart`) are known. */
export function* joinParts(
  head: { text: string; end: JsonPlace },
  tail: { text: string; start: JsonPlace },
): Steps<JsonContainer | undefined> {
  const before = yield* parsePart(head.text, undefined);
  const after = yield* parsePart(tail.text, tail.start);
  if (!before || before.complete || !after?.complete) return undefined;

  const headFrames = framesDownTo(head.end.frame);
  const tailFrames = framesDownTo(tail.start.frame);
  if (before.containers.length !== headFrames.length) return undefined;
  if (before.string && head.end.string) before.string.length = head.end.string.length;
  for (const [level, frame] of headFrames.entries()) {
    const container = before.containers[level];
    if (container) container.count = frame.count;
  }

  for (const [level, frame] of headFrames.entries()) {
    if (frame !== tailFrames[level]) break;
    const container = before.containers[level] as JsonContainer;
    container.last = after.containers[level]?.last ?? [];
    const next = headFrames[level + 1];
    const sameString = !next && !tailFrames[level + 1] && before.string && head.end.string === tail.start.string;
    if (sameString && before.string && after.string) before.string.last = after.string.last;
    // What lies over the gap is one item: it stands at the end of `first`, so it goes from the start of `last`.
    if (sameString || (next && next === tailFrames[level + 1])) container.last.shift();
  }
  return before.containers[0];
}

/** A key from its raw text, at most 256 characters of it: keys name things, and frames are kept while gigabytes pass. */
export function decodeKey(raw: string): string {
  if (raw.length <= MAX_KEY) return detach(decode(raw) ?? '');
  const start = decodeStart(raw.slice(0, MAX_KEY)) ?? '';
  // The raw key may have been shortened before, and end with such marks.
  return detach(`${start.replace(/…+$/, '')}…`);
}

/** @see decodeKey */
export const MAX_KEY = 256;

/** A string cut at its end: an escape or a pair that is cut in two is left out. `undefined` when it is not JSON. */
export function decodeStart(raw: string): string | undefined {
  for (let missing = 0; missing < 6; missing++) {
    const text = decode(raw.slice(0, Math.max(0, raw.length - missing)));
    if (text !== undefined) return isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
  }
  return undefined;
}

type Part = {
  complete: boolean;
  /** The containers that are open at the cut, outermost first; of an end, those that were open where it starts. */
  containers: JsonContainer[];
  /** The string value that the cut goes through. */
  string: JsonString | undefined;
};

/** A millisecond or less. */
const TOKENS_PER_STEP = 8192;

type Step = 'next' | 'cut' | 'broken';

/** Reads a text that may start at a place and may be cut at its end. `undefined` when it breaks the grammar. */
function* parsePart(text: string, start: JsonPlace | undefined): Steps<Part | undefined> {
  const parser = new PartParser((start?.prefix ?? '') + text, start);
  let step: Step = 'next';
  for (let count = 1; step === 'next'; count++) {
    step = parser.step();
    if (count % TOKENS_PER_STEP === 0) yield;
  }
  return step === 'broken' ? undefined : parser.part();
}

class PartParser {
  readonly #source: string;
  #at = 0;
  #expects: Expected = 'root';
  #key = '';
  readonly #open: { container: JsonContainer; items: JsonItem[] }[] = [];
  readonly #startContainers: JsonContainer[] = [];
  #root: JsonContainer | undefined;
  /** Set until the string is read in whose middle the text starts. */
  #resumed: { length: number } | undefined;
  #longKey: string | undefined;
  #cutString: JsonString | undefined;
  readonly #isEnd: boolean;

  constructor(source: string, start: JsonPlace | undefined) {
    this.#source = source;
    this.#isEnd = start !== undefined;
    this.#resumed = start?.string;
    this.#longKey = start?.longKey;
    for (const frame of framesDownTo(start?.frame)) this.#resume(frame);
    this.#expects = start?.expects ?? 'root';
    if (start?.deeper) {
      this.#at = skipDeep(source, 0, start.deeper);
      this.#expects = 'comma';
    } else if (start?.prefix) {
      this.#expects = start.frame?.kind === 'object' ? 'key' : 'value';
    }
  }

  step(): Step {
    SPACE.lastIndex = this.#at;
    SPACE.test(this.#source);
    this.#at = SPACE.lastIndex;
    if (this.#at >= this.#source.length) return 'cut';
    const character = this.#source.charAt(this.#at);
    switch (character) {
      case '"':
        return this.#expects === 'key' || this.#expects === 'first key' ? this.#readKey() : this.#readString();
      case '{':
      case '[':
        return this.#openContainer(character === '{' ? 'object' : 'array');
      case '}':
      case ']':
        return this.#closeContainer(character === '}' ? 'object' : 'array');
      case ',':
        return this.#pass('comma', this.#open.at(-1)?.container.kind === 'object' ? 'key' : 'value');
      case ':':
        return this.#pass('colon', 'value');
      default:
        return this.#readLiteral();
    }
  }

  part(): Part {
    const complete = this.#expects === 'end';
    const open = this.#open.map(({ container }) => container);
    const whole = this.#root ? [this.#root] : [];
    return {
      complete,
      containers: this.#isEnd ? this.#startContainers : complete ? whole : open,
      string: this.#cutString,
    };
  }

  #pass(expected: Expected, next: Expected): Step {
    if (this.#expects !== expected) return 'broken';
    this.#at++;
    this.#expects = next;
    return 'next';
  }

  #readKey(): Step {
    const end = stringEnd(this.#source, this.#at + 1);
    if (end < 0) return 'cut';
    const key = decode(this.#source.slice(this.#at + 1, end));
    if (key === undefined) return 'broken';
    this.#key = this.#longKey ?? key;
    this.#longKey = undefined;
    this.#at = end + 1;
    this.#expects = 'colon';
    return 'next';
  }

  #readString(): Step {
    if (!this.#expectsValue()) return 'broken';
    const end = stringEnd(this.#source, this.#at + 1);
    const raw = this.#source.slice(this.#at + 1, end < 0 ? undefined : end);
    const text = end < 0 ? decodeStart(raw) : decode(raw);
    if (text === undefined) return 'broken';
    const string: JsonString = this.#resumed
      ? {
          kind: 'string',
          first: '',
          last: isLowSurrogate(text.charCodeAt(0)) ? text.slice(1) : text,
          length: this.#resumed.length,
        }
      : { kind: 'string', first: text, last: '', length: text.length };
    if (this.#resumed || end < 0) this.#cutString = string;
    this.#resumed = undefined;
    this.#add(string);
    this.#at = end + 1;
    return end < 0 ? 'cut' : 'next';
  }

  #readLiteral(): Step {
    if (!this.#expectsValue()) return 'broken';
    LITERAL_CHARACTERS.lastIndex = this.#at;
    const text = LITERAL_CHARACTERS.exec(this.#source)?.[0] ?? '';
    // At the very end it may be the beginning of a longer one.
    if (this.#at + text.length === this.#source.length) return 'cut';
    if (!LITERAL.test(text)) return 'broken';
    this.#add({ kind: 'literal', text });
    this.#at += text.length;
    return 'next';
  }

  #openContainer(kind: 'array' | 'object'): Step {
    if (!this.#expectsValue() && this.#expects !== 'root') return 'broken';
    if (this.#open.length === MAX_DEPTH) {
      this.#add({ kind: 'deep' });
      this.#at = skipDeep(this.#source, this.#at + 1, 1);
      return 'next';
    }
    const items: JsonItem[] = [];
    const container: JsonContainer = { kind, first: items, last: [], count: 0 };
    this.#root ??= container;
    this.#add(container);
    this.#open.push({ container, items });
    this.#at++;
    this.#expects = kind === 'object' ? 'first key' : 'first value';
    return 'next';
  }

  #closeContainer(kind: 'array' | 'object'): Step {
    const level = this.#open.length - 1;
    const inner = this.#open[level];
    const mayClose = this.#expects === 'comma' || this.#expects === (kind === 'object' ? 'first key' : 'first value');
    if (!mayClose || inner?.container.kind !== kind) return 'broken';
    // A container that was open at the start has its count from the scanner, which saw all of it.
    if (this.#startContainers[level] !== inner.container) inner.container.count = inner.items.length;
    this.#open.pop();
    this.#at++;
    this.#expects = level > 0 ? 'comma' : 'end';
    return 'next';
  }

  #resume({ kind, key, count }: JsonFrame): void {
    const items: JsonItem[] = [];
    const container: JsonContainer = { kind, first: [], last: items, count };
    this.#key = key;
    this.#add(container);
    this.#open.push({ container, items });
    this.#startContainers.push(container);
    this.#root ??= container;
  }

  #add(value: JsonNode): void {
    const inner = this.#open.at(-1);
    inner?.items.push(inner.container.kind === 'object' ? { key: this.#key, value } : { value });
    this.#expects = 'comma';
  }

  #expectsValue(): boolean {
    return this.#expects === 'value' || this.#expects === 'first value';
  }
}

const SPACE = /[ \t\n\r]*/y;
const LITERAL_CHARACTERS = /[\w+.-]*/y;
const LITERAL = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings.
const NEEDS_DECODING = /[\\\u0000-\u001f]/;

function decode(raw: string): string | undefined {
  if (!NEEDS_DECODING.test(raw)) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return undefined;
  }
}

/** Where the quote stands that ends a string, or -1. */
function stringEnd(source: string, from: number): number {
  for (let quote = source.indexOf('"', from); quote >= 0; quote = source.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (source[quote - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return quote;
  }
  return -1;
}

/** The place after so many closing brackets, or the end of the text. */
function skipDeep(source: string, from: number, levels: number): number {
  let at = from;
  for (let open = levels; open > 0 && at < source.length; at++) {
    const character = source[at];
    if (character === '"') {
      const end = stringEnd(source, at + 1);
      if (end < 0) return source.length;
      at = end;
    } else if (character === '{' || character === '[') open++;
    else if (character === '}' || character === ']') open--;
  }
  return at;
}

function framesDownTo(leaf: JsonFrame | undefined): JsonFrame[] {
  const frames: JsonFrame[] = [];
  for (let frame = leaf; frame; frame = frame.parent) frames.push(frame);
  return frames.reverse();
}
