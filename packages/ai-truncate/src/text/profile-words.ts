import type { FieldSummary, FrequentValue } from './field-profile.ts';
import { firstChars, thousands } from './utf.ts';

// The profile of a field in words, as the model sees it: "0 to 99; sum 4,950; 3 different; paid (60), refunded (5)".

/** The numbers of frequent values that a preview may show. The room of the preview decides. */
export const VALUES_SHOWN = [20, 12, 5, 3] as const;
const MOST_OF_MANY = 5;
const MAX_SHOWN_CHARS = 64;
/** A number with a smaller share of the records says little about a field of many numbers. */
const NUMBER_SHARE = 0.02;
/** Values with these characters are quoted, because the characters separate the parts of a profile. */
const NEEDS_QUOTES = /[,;()'\p{Cc}]|^\s|\s$|^$/u;

/**
 * The type, range, sum, number of different values and most frequent values of a field, as far as they apply.
 * @param most The number of values that are shown with their counts, if there are more. Otherwise all values are shown.
 */
export function fieldWords(summary: FieldSummary, { records, most }: { records: number; most: number }): string {
  const { values, moreThan, numbers, texts, nulls, dates, lists, listItems, objects, present } = summary;
  const words: string[] = [];
  if (numbers > 0) {
    const amount = numbers < present - nulls ? `${thousands(numbers)} numbers from ` : '';
    words.push(`${amount}${rangeText(summary.least)} to ${rangeText(summary.most)}`);
    words.push(`sum ${numberText(summary.sum)}`);
  }
  if (dates) words.push(`${valueText(dates.first)} to ${valueText(dates.last)}`);
  if (values) words.push(`${thousands(values.different)} different`);
  else if (moreThan > 0) words.push(`more than ${thousands(moreThan)} different`);
  else if (texts > 0) words.push('long texts');
  const frequent = frequentValues(summary, most);
  if (frequent.length > 0)
    words.push(frequent.map(({ text, count }) => `${valueText(text)} (${thousands(count)})`).join(', '));
  if (lists > 0) words.push(`lists with ${thousands(listItems)} items`);
  if (objects > 0) words.push(`${thousands(objects)} objects`);
  if (nulls > 0) words.push(`${summary.isTable ? 'empty' : 'null'} ${thousands(nulls)}`);
  if (present < records) words.push(`missing ${thousands(records - present)}`);
  return words.join('; ');
}

function frequentValues({ values, present, nulls }: FieldSummary, most: number): FrequentValue[] {
  const found = present - nulls;
  // Values that hardly repeat are not frequent.
  if (!values || values.different > found / 2) return [];
  if (values.different <= most) return values.frequent;
  return values.frequent
    .slice(0, Math.min(most, MOST_OF_MANY))
    .filter(({ count, isNumber }) => !isNumber || count >= found * NUMBER_SHARE);
}

/** A bound of a range. It may be a year, so short numbers have no separators. */
function rangeText(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < SEPARATED_FROM ? String(value) : numberText(value);
}

const SEPARATED_FROM = 10_000;

/** A number as people write it. */
function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return thousands(value);
  const rounded = Number(value.toPrecision(15));
  if (!Number.isInteger(rounded) || Math.abs(rounded) >= 1e21) return String(rounded);
  // The last digits of a larger number are unknown.
  return Number.isSafeInteger(rounded) ? thousands(rounded) : `about ${thousands(rounded)}`;
}

/** A value. It is quoted if it could be confused with the words around it. */
export function valueText(value: string): string {
  const shown = value.length > MAX_SHOWN_CHARS ? `${firstChars(value, MAX_SHOWN_CHARS)}…` : value;
  return NEEDS_QUOTES.test(shown) ? `'${shown.replace(/['\\]/g, '\\$&')}'` : shown;
}
