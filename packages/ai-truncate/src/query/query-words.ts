import { isoInstant } from '../records/values.ts';
import { thousands } from '../text/utf.ts';
import { kindOf } from './compare-values.ts';
import type { Condition } from './condition.ts';

// What a model reads when a question about records cannot be answered, or not fully. Short, and each names what would do.

const LONGEST_SHOWN = 60;
/** Fields of which values are named. */
const MAX_FIELDS = 5;

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

export const argumentTexts = {
  tooMany: (name: string, max: number): string => `\`${name}\` has too many parts: at most ${max}.`,
  noWholeNumber: (name: string, min: number): string => `\`${name}\` must be a whole number of at least ${min}.`,
  noFieldName: (where: string, maxKeys: number): string =>
    `\`${where}\` needs the name of a field: a short text of at most ${maxKeys} keys with dots between them.`,
  unknownWord: (kind: string, { given, words }: { given: unknown; words: readonly string[] }): string =>
    `There is no ${kind} ${shown(given)}. The ${kind}s are ${words.join(', ')}.`,
  wrongValue: (op: string, expected: string): string => `For the operator ${op}, \`value\` must be ${expected}.`,
  inexact: (value: number): string =>
    `\`value\` is an integer beyond 2^53, which is not exact as a number: give it as text, such as "${BigInt(value)}".`,
  wrongPart: (name: string, keys: readonly string[]): string =>
    `Each part of \`${name}\` must be an object with ${keys.join(', ')}.`,
  noMatcher: 'The operator matches is not available here. Use contains or startsWith.',
  selectInGroups: (name: string, columns: readonly string[]): string =>
    `Groups have no column ${shown(name)}. Their columns are ${columns.map(shown).join(', ')}.`,
} as const;

export function endOfSortedText(max: number): string {
  return `Sorted rows end at ${thousands(max)}: narrow the question with \`where\` for later rows.`;
}

export function unknownFieldText(name: string, similar: string | undefined): string {
  const hint = similar === undefined ? '' : ` Did you mean ${shown(similar)}?`;
  return `No record has the field ${shown(name)}.${hint}`;
}

/** `examples` are values of the field. */
export function incomparableText({ condition, example }: Condition, examples: readonly unknown[]): string {
  const { field, op, value } = condition;
  const kind = kindOf(example);
  const such = new Set([example, ...examples.filter((each) => kindOf(each) === kind)].map(shown));
  const instant = kind === 'number' && typeof value === 'string' ? isoInstant(value) : undefined;
  const epoch = instant === undefined ? '' : ` As milliseconds since 1970 this date is ${instant}.`;
  const advice = kind === 'date' || kind === 'text date' ? ` ${dateAdvice[kind]}` : '';
  return `${shown(field)} cannot be compared by ${op} with ${shown(value)}: its type is ${kind}, such as ${[...such].join(', ')}.${epoch}${advice}`;
}

const dateAdvice = {
  date: 'Write dates as 2015-06-01; for a month use startsWith "2015-06".',
  'text date':
    'Dates written so have no order: find a year or a month with contains, or one date exactly as it is written.',
};

/** An aggregate that met values of another type than it works on. */
type Skipping = Record<'name' | 'op', string> & { skipped: number; skippedExample?: unknown };

export function wrongTypeText({ name, op, skippedExample }: Skipping): string {
  const needed = op === 'sum' || op === 'avg' ? 'numbers' : 'numbers, dates or text';
  return `${name} needs ${needed}; the field has values such as ${shown(skippedExample)}.`;
}

export const queryNotes = {
  someIncomparable: ({ condition: { field, op, value }, example, incomparable }: Condition): string =>
    `${thousands(incomparable)} values of ${shown(field)}, such as ${shown(example)}, cannot be compared by ${op} with ${shown(value)}; they ${op === 'ne' ? 'count as different' : 'did not match'}.`,
  someSkipped: ({ name, skipped, skippedExample }: Skipping): string =>
    `${name} leaves out ${thousands(skipped)} values of another type, such as ${shown(skippedExample)}.`,
  cutTexts: (field: string, { count, chars }: { count: number; chars: number }): string =>
    `${thousands(count)} values of ${shown(field)} were matched only in their first ${thousands(chars)} characters.`,
  deadline: 'Time was up before all records were read: the answer is about those that were read.',
  tooManyGroups: (groups: number, leftOut: number): string =>
    `Only ${thousands(groups)} groups found room: ${thousands(leftOut)} records of further groups are not in the answer. Group by something coarser, or narrow it with \`where\`.`,
  tooManyDistinct: 'Too many different values to count them all: distinct is a lower bound.',
  noMatch: (fields: readonly { name: string; examples: readonly unknown[] }[]): string => {
    const existing = fields
      .slice(0, MAX_FIELDS)
      .map(({ name, examples }) => `${shown(name)} e.g. ${examples.map(shown).join(', ')}`);
    const values = existing.length > 0 ? ` Values that exist: ${existing.join('; ')}.` : '';
    return `No record matched. Text is compared case-sensitively.${values}`;
  },
  datesByLetters: (column: string, example: string): string =>
    `${shown(column)} has dates that are not ISO, such as ${shown(example)}: they are ordered by their letters, not by time.`,
  noRecords: 'There are no records.',
  dayIsMoment: (day: string): string =>
    `A day is its first moment: ${shown(day)} is 00:00 UTC of it. For the whole day ask from it on (gte) and before the next (lt).`,
} as const;
