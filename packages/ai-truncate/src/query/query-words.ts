import { isoInstant } from '../text/table-cells.ts';
import { thousands } from '../text/utf.ts';
import { kindOf } from './compare-values.ts';
import type { Condition } from './condition.ts';
import type { Operator } from './operators.ts';

// Texts for the model when a question about records cannot be answered, or only in part. They are short, and name the next step.

const LONGEST_SHOWN = 60;
/** The most fields whose values are named. */
const MAX_FIELDS = 5;

/** A value from a model or from the data, short and on one line. */
function shown(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value, bigintToText);
  if (text === undefined) return typeof value;
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

function bigintToText(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'string' ? value.slice(0, LONGEST_SHOWN + 1) : value;
}

export const argumentTexts = {
  tooMany: (name: string, max: number): string => `\`${name}\` can have at most ${max} parts.`,
  noWholeNumber: (name: string, min: number): string => `\`${name}\` must be a whole number of at least ${min}.`,
  noFieldName: (where: string, maxKeys: number): string =>
    `\`${where}\` needs the name of a field: a short text of at most ${maxKeys} keys with dots between them.`,
  unknownWord: (kind: string, { given, words }: { given: unknown; words: readonly string[] }): string =>
    `There is no ${kind} ${shown(given)}. The ${kind}s are ${words.join(', ')}.`,
  wrongValue: (op: string, expected: string): string => `For the operator ${op}, \`value\` must be ${expected}.`,
  inexact: (value: number): string =>
    `\`value\` is an integer beyond 2^53, which a number cannot represent exactly. Send it as text, such as "${BigInt(value)}".`,
  wrongPart: (name: string, keys: readonly string[]): string =>
    `Each part of \`${name}\` must be an object with ${keys.join(', ')}.`,
  elsewhere:
    'For values of another output, `value` must be { path, field, where }, and `where` must not refer to another output.',
  tooManyElsewhere: (path: string, { max, unit }: { max: number; unit: 'values' | 'characters of values' }): string =>
    `${shown(path)} has more than ${thousands(max)} ${unit} to compare with. Narrow the \`where\` of \`value\`.`,
  noMatcher: 'The operator matches is not available here. Use contains or startsWith.',
  selectInGroups: (name: string, columns: readonly string[]): string =>
    `Groups have no column ${shown(name)}. Their columns are ${columns.map(shown).join(', ')}.`,
} as const;

export function endOfSortedText(max: number): string {
  return `Only the first ${thousands(max)} sorted rows can be read. To reach later rows, narrow the question with \`where\`.`;
}

export function unknownFieldText(name: string, similar: string | undefined): string {
  const hint = similar === undefined ? '' : ` Did you mean ${shown(similar)}?`;
  return `No record has the field ${shown(name)}.${hint}`;
}

/** The name ends in a part, such as `year`, that the values do not have. */
export function noPartText(name: string, examples: readonly unknown[]): string {
  const end = name.lastIndexOf('.');
  const part = name.slice(end + 1);
  const values = examples.length > 0 ? `, such as ${examples.map(shown).join(', ')}` : '';
  const needed =
    part === 'length'
      ? 'Texts and lists have a length'
      : `Only ISO dates have a ${part}; to find a ${part} in a text, use contains`;
  return `The values of ${shown(name.slice(0, end))} have no .${part}${values}. ${needed}.`;
}

export function aggregateAdvice({ op, field }: { op: unknown; field: unknown }): string {
  const part = JSON.stringify({ op, ...(field !== undefined && { field }) });
  return `To compute it, use \`aggregate\`: [${part}].`;
}

/** `examples` are values of the field. */
export function incomparableText({ condition, example }: Condition, examples: readonly unknown[]): string {
  const { field, op, value } = condition;
  const kind = kindOf(example);
  const such = new Set([example, ...examples.filter((each) => kindOf(each) === kind)].map(shown));
  const instant = kind === 'number' && typeof value === 'string' ? isoInstant(value) : undefined;
  const epoch = instant === undefined ? '' : ` In milliseconds since 1970, this date is ${instant}.`;
  const advice = kind === 'date' || kind === 'text date' ? ` ${dateAdvice[kind]}` : '';
  return `${shown(field)} cannot be compared by ${op} with ${shown(value)}: its type is ${kind}, such as ${[...such].join(', ')}.${epoch}${advice}`;
}

const dateAdvice = {
  date: 'Write dates as 2015-06-01; for a month, use startsWith "2015-06".',
  'text date':
    'Dates in this notation have no order. Find a year or a month with contains, or one date exactly as it is written.',
};

/** An aggregate that found values of a type that it does not support. */
type Skipping = Record<'name' | 'op', string> & { skipped: number; skippedExample?: unknown };

export function wrongTypeText({ name, op, skippedExample }: Skipping): string {
  const needed = op === 'sum' || op === 'avg' || op === 'median' ? 'numbers' : 'numbers, dates or text';
  return `${name} needs ${needed}; the field has values such as ${shown(skippedExample)}.`;
}

function lackingAdvice(op: Operator): string {
  return op === 'ne' ? ' and do not count as different' : ' and did not match';
}

function valuesText(count: number): string {
  return `${thousands(count)} value${count === 1 ? '' : 's'}`;
}

export const queryNotes = {
  someIncomparable: ({ condition: { field, op, value }, example, incomparable }: Condition): string =>
    `${valuesText(incomparable)} of ${shown(field)}, such as ${shown(example)}, cannot be compared by ${op} with ${shown(value)} and ${op === 'ne' ? 'counted as different' : 'did not match'}.`,
  someSkipped: ({ name, skipped, skippedExample }: Skipping): string =>
    `${name} leaves out ${valuesText(skipped)} of another type, such as ${shown(skippedExample)}.`,
  cutTexts: (field: string, { count, chars }: { count: number; chars: number }): string =>
    `Only the first ${thousands(chars)} characters of ${valuesText(count)} of ${shown(field)} were tested.`,
  lacking: ({ condition: { field, op, value }, lacking, nulls }: Condition, records: number): string => {
    const wantsNull = [value].flat().includes(null);
    const withNull = nulls > 0 && !wantsNull ? `; in ${thousands(nulls)} it is null` : '';
    const advice = wantsNull ? '. To find them, use exists with value false instead of null' : lackingAdvice(op);
    return `${thousands(lacking)} of ${thousands(records)} records lack ${shown(field)}${advice}${withNull}.`;
  },
  leavesOut: (
    { field, lacking, nulls }: { field: string; lacking: number; nulls: number },
    records: number,
  ): string => {
    const withNull = nulls > 0 ? `, and in ${thousands(nulls)} it is null` : '';
    return `${thousands(lacking)} of the ${thousands(records)} matching records lack ${shown(field)}${withNull}.`;
  },
  missingGroup: (field: string, count: number): string =>
    `${thousands(count)} records without ${shown(field)} are in the group "(missing)".`,
  unsorted: (field: string, count: number): string => `${thousands(count)} records without ${shown(field)} come last.`,
  anyItem:
    'A condition on a list holds if any item matches, and each condition may hold for a different item. To test item by item, name the list in `at`.',
  wholeItems: 'In a list, contains finds whole items. To find a part of an item, use matches.',
  cutLists: (field: string, most: number): string =>
    `Only the first ${thousands(most)} items of each list in ${shown(field)} were tested. To test all items, name the list in \`at\`.`,
  estimated: (name: string): string =>
    `${name} is an estimate within 1 %, because there are too many numbers for an exact median.`,
  tooManyMedians: 'There are too many numbers in too many groups, so the medians leave some out.',
  deadline: 'The time limit was reached before all records were read, so the answer covers only part of them.',
  tooManyGroups: (groups: number, leftOut: number): string =>
    `There is room for only ${thousands(groups)} groups, so ${thousands(leftOut)} records of other groups are not in the answer. Use coarser groups, or narrow the question with \`where\`.`,
  tooManyDistinct: 'There are too many different values to count, so distinct is a lower bound.',
  noMatch: (fields: readonly { name: string; examples: readonly unknown[] }[]): string => {
    const existing = fields
      .slice(0, MAX_FIELDS)
      .map(({ name, examples }) => `${shown(name)} e.g. ${examples.map(shown).join(', ')}`);
    const values = existing.length > 0 ? ` Values that exist: ${existing.join('; ')}.` : '';
    return `No record matched. Text is compared case-sensitively.${values}`;
  },
  datesByLetters: (column: string, example: string): string =>
    `${shown(column)} has dates that are not ISO, such as ${shown(example)}. They are ordered by their letters, not by time.`,
  noRecords: 'There are no records.',
  dayIsMoment: (date: string): string => {
    const unit = date.length === 10 ? 'day' : date.length === 7 ? 'month' : 'year';
    return `A ${unit} means its first moment: ${shown(date)} is 00:00 UTC on ${unit === 'day' ? 'that' : 'its first'} day. For the whole ${unit}, use gte with it and lt with the next ${unit}.`;
  },
} as const;
