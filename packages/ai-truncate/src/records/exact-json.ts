import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  JsonScanner,
  LITERAL,
  NONE,
  OPEN_ARRAY,
  STRING,
} from '../json/json-scanner.ts';
import { RecordError } from './record-words.ts';
import { exactInteger, setOwn } from './values.ts';

/** Reading exactly is ten times slower than `JSON.parse`: more would be a long step. */
const MAX_EXACT_CHARS = 512 * 1024;
/** Longer integers may be changed by `JSON.parse`: 2^53 is 9,007,199,254,740,992. */
export const MAX_SAFE_DIGITS = 15;

/**
 * The records of a text that has `count` of them between commas. One that is larger than 512 KB is refused for a key with
 * an escape, as its name could be wrong, and its integers beyond 2^53 are what `JSON.parse` makes of them.
 */
export function parseRecords(
  text: string,
  { count, hasEscapedKey, hasLongInteger }: { count: number; hasEscapedKey: boolean; hasLongInteger: boolean },
): unknown[] {
  // Brackets around a giant would be a copy of it.
  const records = count === 1 ? [JSON.parse(text)] : (JSON.parse(`[${text}]`) as unknown[]);
  const isLong = text.length > MAX_EXACT_CHARS;
  if (hasEscapedKey && isLong)
    throw new RecordError('too large', 'A record of more than 512 KB has a key with an escape: it cannot be read.');
  const needsCare = hasEscapedKey || (!isLong && hasLongInteger);
  return needsCare ? readExactly(text) : records;
}

/**
 * Reads values between commas that `JSON.parse` has accepted, and does right what that does wrong:
 *
 * - Keys written with an escape. V8 can give a wrong name for one: after `{"h":[],"\\":0}` it reads `{"h":1,"\"":2}` with a
 *   backslash for a name (nodejs/node#63785). A reviver is told the same wrong name, so its `context.source` is no way out.
 * - Integers beyond 2^53 become a `bigint` instead of a neighbour: they are identifiers.
 */
function readExactly(text: string): unknown[] {
  const scanner = new JsonScanner();
  scanner.feed(text);
  return readItems(scanner);
}

function readItems(scanner: JsonScanner): unknown[] {
  const items: unknown[] = [];
  for (let token = scanner.next(); token !== NONE && token !== CLOSE_ARRAY; token = scanner.next())
    if (token !== COMMA) items.push(readValue(scanner, token));
  // A number or word at the end of the text.
  if (scanner.open === LITERAL) items.push(literalOf(scanner.raw));
  return items;
}

function readMembers(scanner: JsonScanner): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (let token = scanner.next(); token !== CLOSE_OBJECT; token = scanner.next()) {
    if (token === COMMA) continue;
    const key = stringOf(scanner);
    scanner.next();
    setOwn(members, key, readValue(scanner, scanner.next()));
  }
  return members;
}

function readValue(scanner: JsonScanner, token: number): unknown {
  if (token === STRING) return stringOf(scanner);
  if (token === LITERAL) return literalOf(scanner.raw);
  return token === OPEN_ARRAY ? readItems(scanner) : readMembers(scanner);
}

function stringOf(scanner: JsonScanner): string {
  return scanner.escapeUnits === 0 ? scanner.content : (JSON.parse(scanner.raw) as string);
}

function literalOf(raw: string): unknown {
  if (raw === 'null') return null;
  if (raw === 'true') return true;
  if (raw === 'false') return false;
  return raw.length > MAX_SAFE_DIGITS && isInteger(raw) ? exactInteger(raw) : Number(raw);
}

/** Also true for the end of an integer, which is all that is known of one that goes on from an earlier piece. */
export function isInteger(raw: string): boolean {
  return /^-?\d*$/.test(raw);
}
