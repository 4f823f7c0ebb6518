import { isoInstant } from '../records/date.ts';
import type { Verdict } from './equality.ts';
import { compareSame, kindOf, toNumber } from './value.ts';

/** Whether a value stands where it is wanted: before or after another one. */
export function compared(wanted: unknown, isWanted: (order: number) => boolean): (value: unknown) => Verdict {
  const orderOf = orderTo(wanted);
  return (value) => {
    const order = orderOf(value);
    return order === undefined ? undefined : isWanted(order);
  };
}

/**
 * Numbers with numbers, dates with dates as moments, text with text by code unit; a year is a date where dates stand.
 * Nothing else has an order: a day and `today`, a number and a word. Nor have dates that are not ISO, which letters would
 * put wrong.
 */
function orderTo(wanted: unknown): (value: unknown) => number | undefined {
  const number = toNumber(wanted);
  const text = typeof wanted === 'string' ? wanted : undefined;
  const instant = text === undefined ? undefined : isoInstant(/^\d{4}$/.test(text) ? `${text}-01-01` : text);
  const isPlainText = text !== undefined && kindOf(text) === 'text';
  return (value) => {
    if (typeof value === 'string') {
      if (isPlainText) return kindOf(value) === 'text' ? compareSame(value, text) : undefined;
      const numeric = number === undefined ? undefined : toNumber(value);
      if (number !== undefined && numeric !== undefined) return compareSame<number | bigint>(numeric, number);
      const actual = instant === undefined ? undefined : isoInstant(value);
      return actual === undefined || instant === undefined ? undefined : compareSame(actual, instant);
    }
    if (number === undefined || kindOf(value) !== 'number') return undefined;
    return compareSame(value as number | bigint, number);
  };
}
