import { isoInstant } from '../records/date.ts';
import { dateNotation } from './text-date.ts';
import { kindOf, toNumber, type ValueKind } from './value.ts';

/** `undefined`: the two cannot be compared. */
export type Verdict = boolean | undefined;

/** What a value is can be given where it is known. */
type EqualityTest = (value: unknown, kind?: ValueKind) => Verdict;

/**
 * Whether a value is the wanted one. A number equals itself as text, in both directions, as models quote numbers; `true`
 * equals 'true', as CSV has no other way to say it. Dates are equal when they are the same moment. What can never be equal,
 * such as a day and a word, cannot be compared: an answer without a record would look as if the day did not occur.
 */
export function equals(wanted: unknown): EqualityTest {
  if (wanted === null) return () => false;
  if (typeof wanted === 'string') return equalsText(wanted);
  const number = toNumber(wanted);
  return (value) => {
    if (value === wanted) return true;
    if (typeof value === 'object') return undefined;
    return equalsScalar(value, { number, truth: truthOf(wanted), isTruth: typeof wanted === 'boolean' });
  };
}

function equalsText(wanted: string): EqualityTest {
  const isComparable = comparableWith(wanted);
  const number = toNumber(wanted);
  const instant = isoInstant(wanted);
  const truth = truthOf(wanted);
  return (value, kind) => {
    if (value === wanted) return true;
    if (typeof value === 'object') return undefined;
    if (typeof value !== 'string') return equalsScalar(value, { number, truth, isTruth: false });
    // What a value is takes longer to tell than that it is a date, which lists have by the hundred thousand.
    const actual = instant === undefined ? undefined : isoInstant(value);
    if (actual !== undefined) return actual === instant;
    return isComparable(value, kind ?? kindOf(value)) ? false : undefined;
  };
}

/** Whether one of the two could be the other, by what they are. Text of digits may be looked for in any text. */
function comparableWith(wanted: string): (value: string, kind: ValueKind) => boolean {
  const wantedKind = kindOf(wanted);
  if (wantedKind === 'text date') {
    const notation = dateNotation(wanted);
    return (value, kind) => kind === 'text date' && dateNotation(value) === notation;
  }
  if (wantedKind === 'numeric text') return (_, kind) => kind === 'numeric text' || kind === 'text';
  return (_, kind) => kind === wantedKind;
}

function equalsScalar(
  value: unknown,
  { number, truth, isTruth }: { number: number | bigint | undefined; truth: boolean | undefined; isTruth: boolean },
): Verdict {
  if (typeof value === 'boolean' || isTruth) {
    const actual = truthOf(value);
    return actual === undefined || truth === undefined ? undefined : actual === truth;
  }
  const actual = number === undefined ? undefined : toNumber(value);
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number are compared by value.
  return actual === undefined || number === undefined ? undefined : actual == number;
}

/** Whether a value is one of several. */
export function isOneOf(list: readonly unknown[]): (value: unknown) => Verdict {
  const tests = list.filter((wanted) => wanted !== null).map(equals);
  return (value) => {
    // Once, and not for each of two hundred.
    const kind = kindOf(value);
    let verdict: Verdict;
    for (const test of tests) {
      const isEqual = test(value, kind);
      if (isEqual) return true;
      verdict ??= isEqual;
    }
    return tests.length === 0 ? false : verdict;
  };
}

/** What may equal a value without being the same; nothing, when only the same can. */
export function candidates(wanted: unknown): ((item: unknown) => boolean) | undefined {
  if (wanted === null) return undefined;
  if (typeof wanted !== 'string') return (item) => item !== null && typeof item !== typeof wanted;
  const isDate = isoInstant(wanted) !== undefined;
  if (!isDate && toNumber(wanted) === undefined && truthOf(wanted) === undefined) return undefined;
  return (item) => (typeof item === 'string' ? isDate && looksLikeDate(item) : item !== null);
}

function looksLikeDate(item: string): boolean {
  return item.length >= 7 && item.length <= 40 && (item[4] === '-' || item[4] === '/');
}

function truthOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' && value.length < 6 ? value.toLowerCase() : undefined;
  return word === 'true' ? true : word === 'false' ? false : undefined;
}
