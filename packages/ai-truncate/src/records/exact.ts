import { setOwn } from './own.ts';

const LONGEST_INTEGER = 80;
const BACKSLASH = '\\';

/** Digits that a number may lose: 2^53 is 9,007,199,254,740,992. A hit inside a string costs time, nothing else. */
const LONG_INTEGER = /(?:9\d{15}|\d{17})/;

/** Whether `JSON.parse` may change an integer of this text. */
export function hasLongInteger(text: string): boolean {
  return LONG_INTEGER.test(text);
}

/**
 * Reads JSON that `JSON.parse` has accepted, and does right what that does wrong:
 *
 * - Keys written with an escape. V8 can give a wrong name for one: after `{"h":[],"\\":0}` it reads `{"h":1,"\"":2}` with a
 *   backslash for a name (nodejs/node#63785).
 * - Integers beyond 2^53 become a `bigint` instead of a neighbour: they are identifiers.
 */
export function readExactly(text: string): unknown {
  return new ExactReader(text).value();
}

class ExactReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): unknown {
    this.#skipSpace();
    const first = this.#text.charCodeAt(this.#at);
    if (first === 0x7b) return this.#object();
    if (first === 0x5b) return this.#array();
    if (first === 0x22) return this.#string();
    return this.#literal();
  }

  #object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.#at++;
    while (this.#next() !== 0x7d) {
      if (this.#text.charCodeAt(this.#at) === 0x2c) {
        this.#at++;
        this.#skipSpace();
      }
      const key = this.#string();
      this.#next();
      this.#at++;
      const value = this.value();
      setOwn(object, key, value);
    }
    this.#at++;
    return object;
  }

  #array(): unknown[] {
    const array: unknown[] = [];
    this.#at++;
    while (this.#next() !== 0x5d) {
      if (this.#text.charCodeAt(this.#at) === 0x2c) this.#at++;
      array.push(this.value());
    }
    this.#at++;
    return array;
  }

  #string(): string {
    const start = this.#at + 1;
    let end = this.#text.indexOf('"', start);
    let hasEscape = false;
    while (this.#isEscaped(end, start)) {
      hasEscape = true;
      end = this.#text.indexOf('"', end + 1);
    }
    this.#at = end + 1;
    const raw = this.#text.slice(start, end);
    return hasEscape || raw.includes(BACKSLASH) ? (JSON.parse(`"${raw}"`) as string) : raw;
  }

  #isEscaped(quote: number, start: number): boolean {
    let at = quote;
    while (at > start && this.#text[at - 1] === BACKSLASH) at--;
    return (quote - at) % 2 === 1;
  }

  #literal(): unknown {
    const start = this.#at;
    while (this.#at < this.#text.length && !isEnd(this.#text.charCodeAt(this.#at))) this.#at++;
    const raw = this.#text.slice(start, this.#at);
    if (raw === 'null') return null;
    if (raw === 'true') return true;
    if (raw === 'false') return false;
    return isInteger(raw) ? exactInteger(raw) : Number(raw);
  }

  /** The character after white space. */
  #next(): number {
    this.#skipSpace();
    return this.#text.charCodeAt(this.#at);
  }

  #skipSpace(): void {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at++;
  }
}

/** An integer as it is written; a `bigint` where a number would be another one. */
export function exactInteger(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) || digits.length > LONGEST_INTEGER ? number : BigInt(digits);
}

function isInteger(raw: string): boolean {
  return raw.length > 15 && /^-?\d+$/.test(raw);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function isEnd(code: number): boolean {
  return code === 0x2c || code === 0x5d || code === 0x7d || isSpace(code);
}
