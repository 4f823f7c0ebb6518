import { thousands } from '../text/utf.ts';
import type { ValueKind } from './compare-values.ts';
import type { OrderedType } from './sorting.ts';

// What a model reads when a question about records cannot be answered, or not fully. Short, and each names what would do.

const LONGEST_SHOWN = 60;
/** Of values that exist. */
const LONGEST_LIST = 1200;

/** Something that a model or the data named, short and on one line. */
function shown(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value, bigintToText);
  if (text === undefined) return typeof value;
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

function bigintToText(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'string' ? value.slice(0, LONGEST_SHOWN + 1) : value;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => shown(name)).join(', ');
}

export const argumentTexts = {
  noObject: 'The query must be an object, such as { "where": [{ "field": "name", "op": "eq", "value": "x" }] }.',
  unknownParameter: (name: string, known: readonly string[]): string =>
    `There is no parameter ${shown(name)}. The parameters are ${known.join(', ')}.`,
  tooMany: (name: string, max: number): string => `\`${name}\` has too many parts: at most ${max}.`,
  noWholeNumber: (name: string, min: number): string => `\`${name}\` must be a whole number of at least ${min}.`,
  noFieldName: (where: string): string => `\`${where}\` needs the name of a field, as text.`,
  longFieldName: (where: string): string => `A field name in \`${where}\` is too long or has too many dots.`,
  unknownOperator: (op: unknown, known: readonly string[]): string =>
    `There is no operator ${shown(op)}. The operators are ${known.join(', ')}.`,
  unknownAggregation: (op: unknown, known: readonly string[]): string =>
    `There is no aggregation ${shown(op)}. There are ${known.join(', ')}.`,
  wrongValue: (op: string, expected: string): string => `The operator ${op} needs as \`value\` ${expected}.`,
  inexact: (value: number): string =>
    `\`value\` is an integer beyond 2^53, which is not exact as a number: give it as text, such as "${BigInt(value)}".`,
  wrongDirection: 'The direction of a sort must be "asc" or "desc".',
  wrongPart: (name: string, keys: readonly string[]): string =>
    `Each part of \`${name}\` must be an object with ${keys.join(', ')}.`,
  offsetTooLarge: (max: number): string =>
    `Sorted rows can be read up to ${thousands(max)}: narrow the question with \`where\` instead.`,
  noMatcher: 'The operator matches is not available here. Use contains or startsWith.',
  selectInGroups: (name: string, columns: readonly string[]): string =>
    `Groups have no column ${shown(name)}. Their columns are ${quoted(columns)}.`,
} as const;

export function unknownFieldText(name: string, similar: string | undefined): string {
  const hint = similar === undefined ? '' : ` Did you mean ${shown(similar)}?`;
  return `No record has the field ${shown(name)}.${hint}`;
}

/** A condition that met values of another type. */
export interface Incomparable {
  field: string;
  op: string;
  value: unknown;
  /** Values that it was compared with, the first of them met for certain. */
  examples: readonly unknown[];
  type: ValueKind;
  /** Milliseconds since 1970, when a number was compared with this date. */
  instant?: number | undefined;
}

export function incomparableText({ field, op, value, examples, type, instant }: Incomparable): string {
  const epoch = instant === undefined ? '' : ` As milliseconds since 1970 this date is ${instant}.`;
  const such = [...new Set(examples.map(shown))].join(', ');
  const advice = type === 'date' || type === 'text date' ? ` ${dateAdvice[type]}` : '';
  return `${shown(field)} cannot be compared by ${op} with ${shown(value)}: it is ${typeNames[type]}, such as ${such}.${epoch}${advice}`;
}

const dateAdvice = {
  date: 'Write dates as 2015-06-01; for a month use startsWith "2015-06".',
  'text date':
    'Dates written so have no order: find a year or a month with contains, or one date exactly as it is written.',
};

const typeNames: Record<ValueKind, string> = {
  number: 'a number',
  'numeric text': 'text that is a number',
  date: 'a date',
  'text date': 'a date that is not ISO',
  text: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

export function wrongTypeText(aggregate: string, { op, example }: { op: string; example: unknown }): string {
  const needed = op === 'sum' || op === 'avg' ? 'numbers' : 'numbers, dates or text';
  return `${aggregate} needs ${needed}; the field has values such as ${shown(example)}.`;
}

export const queryNotes = {
  someIncomparable: ({ field, op, value, examples: [example] }: Incomparable, count: number): string =>
    `${thousands(count)} values of ${shown(field)}, such as ${shown(example)}, cannot be compared by ${op} with ${shown(value)}; they ${op === 'ne' ? 'count as different' : 'did not match'}.`,
  someSkipped: (name: string, { skipped, skippedExample }: { skipped: number; skippedExample?: unknown }): string =>
    `${name} leaves out ${thousands(skipped)} values of another type, such as ${shown(skippedExample)}.`,
  cutTexts: (field: string, { count, chars }: { count: number; chars: number }): string =>
    `${thousands(count)} values of ${shown(field)} were matched only in their first ${thousands(chars)} characters.`,
  deadline: 'Time was up before all records were read: the answer is about those that were read.',
  tooManyGroups: (groups: number, leftOut: number): string =>
    `Only ${thousands(groups)} groups found room: ${thousands(leftOut)} records of further groups are not in the answer. Group by something coarser, or narrow it with \`where\`.`,
  tooManyDistinct: 'Too many different values to count them all: distinct gives at least so many.',
  noMatch: (examples: readonly string[]): string => {
    let room = LONGEST_LIST;
    const shown = examples.filter((each) => {
      room -= each.length;
      return room >= 0;
    });
    const existing = shown.length > 0 ? ` Values that exist: ${shown.join('; ')}.` : '';
    return `No record matched. Text is compared case-sensitively.${existing}`;
  },
  existing: (field: string, examples: readonly unknown[]): string =>
    `${shown(field)} e.g. ${examples.map(shown).join(', ')}`,
  datesByLetters: (column: string, example: string): string =>
    `${shown(column)} has dates that are not ISO, such as ${shown(example)}: they are ordered by their letters, not by time.`,
  mixedOrder: (column: string, types: readonly { type: OrderedType; count: number; example: unknown }[]): string => {
    const each = types.map(({ type, count, example }) => `${thousands(count)} ${type} (${shown(example)})`);
    return `${shown(column)} has ${each.join(', ')}: each type is sorted apart.`;
  },
  absentField: (name: string, similar: string | undefined): string =>
    `${unknownFieldText(name, similar)} So exists with false holds for all of them.`,
  noRecords: 'There are no records.',
  endOfSorted: (max: number): string =>
    `Sorted rows end at ${thousands(max)}: narrow the question with \`where\` for those behind.`,
  behindTheEnd: (offset: number, total: number): string =>
    `Offset ${thousands(offset)} is behind the end: there are ${thousands(total)} rows.`,
  dayIsMoment: (day: string): string =>
    `A day is its first moment: ${shown(day)} is 00:00 UTC of it. For the whole day ask from it on (gte) and before the next (lt).`,
  cutLists: (field: string, count: number): string =>
    `${thousands(count)} lists of ${shown(field)} are so long that only their first items were compared as a number, date or truth value.`,
} as const;
