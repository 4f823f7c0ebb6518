import { toCell } from './table-cells.ts';
import type { ValueRange } from './value-counts.ts';

/** A number with more digits may not be exact. */
const MAX_DIGITS = 15;
const POWERS = Array.from({ length: MAX_DIGITS + 1 }, (_, digits) => 10 ** digits);

/**
 * The number in a range of characters such as 12 or -0.75. It makes no string, because an output can have millions of numbers.
 * `undefined` for any other text, which needs the slow way.
 */
function plainNumber({ text, from, to }: ValueRange): number | undefined {
  const isNegative = text.charCodeAt(from) === 0x2d;
  const start = isNegative ? from + 1 : from;
  if (to - start > MAX_DIGITS + 1 || to === start) return undefined;
  let digits = 0;
  let point = -1;
  for (let at = start; at < to; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit >= 0 && digit <= 9) digits = digits * 10 + digit;
    else if (digit === -2 && point < 0) point = at;
    else return undefined;
  }
  const integerEnd = point < 0 ? to : point;
  const isPadded = text.charCodeAt(start) === 0x30 && integerEnd - start > 1;
  if (isPadded || integerEnd === start || point === to - 1) return undefined;
  if (to - start - (point < 0 ? 0 : 1) > MAX_DIGITS) return undefined;
  // The result is correctly rounded, because both numbers are exact and only the division rounds.
  const value = point < 0 ? digits : digits / (POWERS[to - 1 - point] as number);
  return isNegative ? -value : value;
}

/** The number of a CSV cell; `undefined` if it is text. `toCell` returns the same number. */
export function numberOfCell(range: ValueRange): number | undefined {
  const { text, from, to } = range;
  if (text.charCodeAt(from) > 0x39) return undefined;
  const plain = plainNumber(range);
  if (plain !== undefined) return plain;
  // Dates are frequent. The fifth character of a date is a hyphen, and there is no exponent before it.
  if (text.charCodeAt(from + 4) === 0x2d && isDigit(text.charCodeAt(from + 3))) return undefined;
  const cell = toCell(text.slice(from, to));
  return typeof cell === 'number' || typeof cell === 'bigint' ? Number(cell) : undefined;
}

/** The number of a JSON literal, which may be `true` or `false`. */
export function numberOfLiteral(range: ValueRange): number | undefined {
  const { text, from, to } = range;
  if (text.charCodeAt(from) > 0x39) return undefined;
  return plainNumber(range) ?? Number(text.slice(from, to));
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
