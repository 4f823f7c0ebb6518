import type { Steps } from '../pace.ts';
import { isHighSurrogate, isLowSurrogate } from '../text/utf.ts';
import type { ProfileField } from './json-profile.ts';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  JsonScanner,
  LITERAL,
  NONE,
  OPEN_ARRAY,
  OPEN_OBJECT,
  STRING,
} from './json-scanner.ts';

/**
 * A JSON document that may lack some of its parts. Numbers keep their raw text, so `12345678901234567890` stays exact.
 */
export type JsonNode = JsonLiteral | JsonString | JsonContainer;

/** A number, `true`, `false` or `null`, as it was written. */
export type JsonLiteral = { kind: 'literal'; text: string };

/** A string. It is complete if `first` is as long as `length`; otherwise its beginning, its end and its length are known. */
export type JsonString = { kind: 'string'; first: string; last: string; length: number };

/**
 * An array or object: its first and last known items, and the true number of items. It is complete if `last` is empty and no
 * item is missing.
 */
export type JsonContainer = {
  kind: 'array' | 'object';
  first: JsonItem[];
  last: JsonItem[];
  count: number;
  /** Items from any place that are more important than the first and last items. */
  middle?: JsonHighlight[];
  /** The container, or something in it, has such items or a profile. */
  isHighlighted?: boolean;
  /** The terms of the question that chose items, at the root of a document. */
  focus?: readonly string[];
  /** Counts, ranges and frequent values of its records, and how many of its items these are. */
  profile?: { fields: readonly ProfileField[]; count: number };
};

/** An item that matches the question, or reports a failure. */
export type JsonHighlight = { index: number; rank: number; isAsked: boolean; item: JsonItem };

/** An element of an array, or a member of an object with its key. */
export type JsonItem = { key?: string; value: JsonNode };

/** A container that is open at a place. All places inside the container share the same object. */
export type JsonFrame = {
  kind: 'array' | 'object';
  key: string | undefined;
  parent: JsonFrame | undefined;
  /** The number of its items, once it is closed. */
  count: number;
};

/**
 * A place where a long text is cut, after a comma or anywhere inside a string value, with everything that is needed to continue
 * from there.
 */
export type JsonPlace = {
  /** The number of UTF-16 units before it. */
  position: number;
  /** The innermost container that is open. */
  frame: JsonFrame | undefined;
  /** The cut string value, with its length once it has ended. */
  string?: { key: string | undefined; length: number } | undefined;
  /** The raw beginning of an escape in this string that the place divides. */
  cutEscape?: string;
};

/** A long string with line breaks. */
export type LongText = {
  /** The line of the text view in which the string begins, counted from 1. */
  line: number;
  /** Its key or, in an array, its index; `undefined` if the document is a string. */
  key: string | number | undefined;
};

/** Strings of at least 4 KiB with a line break. */
export type LongTexts = {
  /** The size of these strings in bytes as written, without the quotes. */
  bytes: number;
  /** The strings in order; `undefined` if there are more than a preview could name. */
  texts: LongText[] | undefined;
};

export const LONG_TEXT_BYTES = 4096;
/** The most UTF-8 bytes of a character. */
const MAX_BYTES_PER_UNIT = 3;

/** Whether a string with this many characters may have the bytes of a long text. */
export function mayBeLongText(chars: number): boolean {
  return chars * MAX_BYTES_PER_UNIT >= LONG_TEXT_BYTES;
}

/** The nodes of a complete text whose structure was checked. `undefined` if a string, number or word in it is not valid JSON. */
export function* readWhole(text: string): Steps<JsonContainer | undefined> {
  return (yield* readPart(text))?.root;
}

/** The same for a text of which only the beginning and the end are known. */
export function* readBothEnds(
  head: { text: string; end: JsonPlace },
  tail: { text: string; start: JsonPlace } | undefined,
): Steps<JsonContainer | undefined> {
  const before = yield* readPart(head.text);
  const after = tail && (yield* readPart(tail.text, tail.start));
  if (!before || (tail && !after)) return undefined;

  const headFrames = framesDownTo(head.end.frame);
  const tailFrames = framesDownTo(tail?.start.frame);
  const cutString = head.end.string;
  const isSameString = cutString !== undefined && cutString === tail?.start.string;
  if (before.cutString && cutString) before.cutString.length = cutString.length;
  if (before.cutString && isSameString) before.cutString.last = after?.cutString?.last ?? '';
  for (const [level, frame] of headFrames.entries()) (before.open[level] as JsonContainer).count = frame.count;
  for (let level = 0; level < headFrames.length && headFrames[level] === tailFrames[level]; level++) {
    const last = after?.started[level]?.last ?? [];
    const next = headFrames[level + 1];
    // An item that spans the gap is one item. It is at the end of `first`, so it is removed from the start of `last`.
    if (next ? next === tailFrames[level + 1] : isSameString) last.shift();
    (before.open[level] as JsonContainer).last = last;
  }
  return before.root;
}

type Part = {
  root: JsonContainer | undefined;
  /** The containers that are open at the start and at the end of the text, outermost first. */
  started: JsonContainer[];
  open: JsonContainer[];
  /** The string value that contains the start or the end of the text. */
  cutString: JsonString | undefined;
};

/** A step takes a millisecond or less. */
const TOKENS_PER_STEP = 8192;

/** Reads a text whose structure was checked, from a given place. The text may be cut at its end. */
function* readPart(text: string, start?: JsonPlace): Steps<Part | undefined> {
  const scanner = new JsonScanner();
  scanner.feed(start?.string ? `"${start.cutEscape ?? ''}${text}` : text);
  const open: { container: JsonContainer; items: JsonItem[] }[] = [];
  let root: JsonContainer | undefined;
  let key: string | undefined;
  let cutString: JsonString | undefined;

  const add = (value: JsonNode): void => {
    open.at(-1)?.items.push(key === undefined ? { value } : { key, value });
    key = undefined;
  };
  const enter = (container: JsonContainer, items: JsonItem[]): JsonContainer => {
    root ??= container;
    add(container);
    open.push({ container, items });
    return container;
  };
  const started = framesDownTo(start?.frame).map(({ kind, key: name, count }) => {
    key = name;
    const items: JsonItem[] = [];
    return enter({ kind, first: [], last: items, count }, items);
  });
  key = start?.string?.key;

  for (let count = 1; ; count++) {
    const token = scanner.next();
    const inner = open.at(-1);
    const isKey = inner?.container.kind === 'object' && key === undefined;
    if (token === STRING) {
      const content = decode(scanner.content);
      if (content === undefined) return undefined;
      if (start?.string && !cutString) {
        const last = isLowSurrogate(content.charCodeAt(0)) ? content.slice(1) : content;
        cutString = { kind: 'string', first: '', last, length: start.string.length };
        add(cutString);
      } else if (isKey) key = content;
      else add({ kind: 'string', first: content, last: '', length: content.length });
    } else if (token === LITERAL) {
      if (!LITERAL_TEXT.test(scanner.raw)) return undefined;
      add({ kind: 'literal', text: scanner.raw });
    } else if (token === OPEN_ARRAY || token === OPEN_OBJECT) {
      const items: JsonItem[] = [];
      enter({ kind: token === OPEN_ARRAY ? 'array' : 'object', first: items, last: [], count: 0 }, items);
    } else if (token === CLOSE_ARRAY || token === CLOSE_OBJECT) {
      // The outline has the count of a container that was open at the start, because it read the whole container.
      if (inner && inner.container.first === inner.items) inner.container.count = inner.items.length;
      open.pop();
    } else if (token === NONE) {
      if (scanner.open === STRING && !isKey) {
        const first = decodeStart(scanner.raw.slice(1));
        if (first === undefined) return undefined;
        cutString = { kind: 'string', first, last: '', length: first.length };
        add(cutString);
      }
      return { root, started, open: open.map(({ container }) => container), cutString };
    }
    if (count % TOKENS_PER_STEP === 0) yield;
  }
}

const LITERAL_TEXT = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings.
const NEEDS_DECODING = /[\\\u0000-\u001f]/;

/** The value of the characters between two quotes; `undefined` if they are not valid JSON. */
export function decode(raw: string): string | undefined {
  if (!NEEDS_DECODING.test(raw)) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return undefined;
  }
}

/** The value of a string that is cut at its end. A divided escape or pair is left out. */
function decodeStart(raw: string): string | undefined {
  for (let missing = 0; missing < 6; missing++) {
    const text = decode(raw.slice(0, Math.max(0, raw.length - missing)));
    if (text !== undefined) return isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
  }
  return undefined;
}

function framesDownTo(leaf: JsonFrame | undefined): JsonFrame[] {
  const frames: JsonFrame[] = [];
  for (let frame = leaf; frame; frame = frame.parent) frames.push(frame);
  return frames.reverse();
}
