import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
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

/** Why `JSON.parse` may read a record wrong. */
export interface RecordCare {
  hasEscapedKey: boolean;
  hasLongInteger: boolean;
}

/**
 * A record that `JSON.parse` has accepted and may have read wrong, right. One that is larger than 512 KB is refused for a key with
 * an escape, and its integers beyond 2^53 are what `JSON.parse` makes of them.
 *
 * - Keys written with an escape. V8 can give a wrong name for one: after `{"h":[],"\\":0}` it reads `{"h":1,"\"":2}` with a
 *   backslash for a name (nodejs/node#63785). A reviver is told the same wrong name, so its `context.source` is no way out.
 * - Integers beyond 2^53 become a `bigint` instead of a neighbour: they are identifiers.
 */
export function readCarefully(text: string, { hasEscapedKey, parsed }: RecordCare & { parsed: unknown }): unknown {
  if (text.length > MAX_EXACT_CHARS) {
    if (!hasEscapedKey) return parsed;
    throw new RecordError('too large', 'A record of more than 512 KB has a key with an escape: it cannot be read.');
  }
  const scanner = new JsonScanner();
  scanner.feed(text);
  const token = scanner.next();
  return token === NONE ? literalOf(scanner.raw) : readValue(scanner, token);
}

function readValue(scanner: JsonScanner, token: number): unknown {
  if (token === STRING) return stringOf(scanner);
  if (token === LITERAL) return literalOf(scanner.raw);
  return token === OPEN_ARRAY ? readItems(scanner) : readMembers(scanner);
}

function readItems(scanner: JsonScanner): unknown[] {
  const items: unknown[] = [];
  for (let token = scanner.next(); token !== CLOSE_ARRAY; token = scanner.next()) {
    if (token === COMMA) continue;
    items.push(readValue(scanner, token));
    scanner.skipSeparator();
  }
  return items;
}

function readMembers(scanner: JsonScanner): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (let token = scanner.next(); token !== CLOSE_OBJECT; token = scanner.next()) {
    if (token === COMMA) continue;
    const key = stringOf(scanner);
    scanner.skipSeparator();
    const next = scanner.next();
    setOwn(members, key, readValue(scanner, next === COLON ? scanner.next() : next));
    scanner.skipSeparator();
  }
  return members;
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
