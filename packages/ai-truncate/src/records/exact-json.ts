import { RecordError } from '../json/json-pieces.ts';
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
import { exactInteger } from '../text/table-cells.ts';
import { setOwn } from './values.ts';

/** Exact reading is ten times slower than `JSON.parse`, so a longer record would be a long step. */
const MAX_EXACT_CHARS = 512 * 1024;
/** `JSON.parse` may change longer integers: 2^53 is 9,007,199,254,740,992. */
export const MAX_SAFE_DIGITS = 15;

/** The reasons why `JSON.parse` may read a record incorrectly. */
export interface RecordCare {
  hasEscapedKey: boolean;
  hasLongInteger: boolean;
}

/**
 * Reads a record correctly that `JSON.parse` has accepted but may have read incorrectly. A record over 512 KB is refused if it
 * has a key with an escape, and `JSON.parse` decides about its integers beyond 2^53.
 *
 * - Keys written with an escape. V8 can return a wrong name for such a key: after `{"h":[],"\\":0}` it reads `{"h":1,"\"":2}`
 *   with a backslash as the name (nodejs/node#63785). A reviver receives the same wrong name, so its `context.source` does not
 *   help.
 * - Integers beyond 2^53 become a `bigint` instead of a neighboring number, because they are identifiers.
 */
export function readCarefully(text: string, { hasEscapedKey, parsed }: RecordCare & { parsed: unknown }): unknown {
  if (text.length > MAX_EXACT_CHARS) {
    if (!hasEscapedKey) return parsed;
    throw new RecordError(
      'too large',
      'A record of more than 512 KB has a key with an escape, so it cannot be read exactly.',
    );
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

/** Also true for the end of an integer, because only the end is known if the integer started in an earlier piece. */
export function isInteger(raw: string): boolean {
  return /^-?\d*$/.test(raw);
}
