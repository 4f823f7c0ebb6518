import { orderYear } from '../orders';
import { kindsOf, MAX_PHRASE_WORDS, monthNames } from './vocabulary';

/** A word or phrase of a question, and its possible meanings. */
export interface Phrase {
  text: string;
  /** Empty for an unknown word. */
  kinds: ReadonlySet<string>;
}

/** A question as its phrases. */
export interface Question {
  text: string;
  phrases: readonly Phrase[];
}

/** The longest question. A longer text is not read. */
const MAX_QUESTION_CHARS = 400;

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}_.'’-]*[\p{L}\p{N}])?|[<>+%]/gu;
const NUMBER_RANGE = /^(\d{1,9})-(\d{1,9})$/;
const ISO_DATE = /^\d{4}-\d{2}(?:-\d{2})?$/;

/** Splits a question into phrases. The longest known phrase wins, so `last night` is one phrase. */
export function readQuestion(text: string): Question {
  if (text.length > MAX_QUESTION_CHARS) return { text, phrases: [{ text: `${text.slice(0, 40)}…`, kinds: new Set() }] };
  const words = text
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .match(WORD)
    ?.flatMap((word) => NUMBER_RANGE.exec(word)?.slice(1) ?? [word]);
  return { text, phrases: phrasesOf(words ?? []) };
}

function phrasesOf(words: readonly string[]): Phrase[] {
  const phrases: Phrase[] = [];
  for (let index = 0; index < words.length; ) {
    const { kinds, count } = longestPhrase(words.slice(index, index + MAX_PHRASE_WORDS));
    phrases.push({ text: words.slice(index, index + count).join(' '), kinds });
    index += count;
  }
  return joinDates(phrases);
}

function longestPhrase(words: readonly string[]): { kinds: ReadonlySet<string>; count: number } {
  for (let count = words.length; count > 0; count--) {
    const kinds = kindsOf(words.slice(0, count));
    if (kinds) return { kinds, count };
  }
  return { kinds: kindsOfShape(words[0] ?? ''), count: 1 };
}

/** The meaning of a word that follows from its form: a number, a day, or the id of a customer. */
function kindsOfShape(word: string): ReadonlySet<string> {
  const plain = word.toLowerCase().replace(/['’]s$/, '');
  if (/^c-\d+$/.test(plain)) return new Set([`customer=${plain}`]);
  if (ISO_DATE.test(plain) && isCalendarDate(plain)) return new Set([`date=${plain}`]);
  if (/^20[123]\d$/.test(plain)) return new Set([`number=${plain}`, `year=${plain}`]);
  const day = Number(/^(\d{1,2})(?:st|nd|rd|th)?$/.exec(plain)?.[1] ?? 0);
  const dayKinds = day >= 1 && day <= 31 ? [`dayOfMonth=${day}`] : [];
  const numberKinds = /^\d{1,12}$/.test(plain) ? [`number=${Number(plain)}`] : [];
  return new Set([...numberKinds, ...dayKinds]);
}

/** The values of a kind in these phrases: `region` gives the regions that are named. */
export function valuesOf(phrases: readonly Phrase[], kind: string): string[] {
  const start = `${kind}=`;
  return phrases.flatMap(({ kinds }) =>
    [...kinds].filter((each) => each.startsWith(start)).map((each) => each.slice(start.length)),
  );
}

/** Whether one of the phrases can mean this. */
export function hasKind(phrases: readonly Phrase[], kind: string): boolean {
  return phrases.some(({ kinds }) => [...kinds].some((each) => each === kind || each.startsWith(`${kind}=`)));
}

/** The days that a question names. A missing bound is open. */
export interface Period {
  /** `YYYY-MM-DD`, the first day. */
  from?: string;
  /** The first day after the period. */
  before?: string;
}

/** The period that a question names; `unclear` if its dates are not one period. */
export function periodIn(phrases: readonly Phrase[]): Period | 'unclear' | undefined {
  const spans = valuesOf(phrases, 'span').map((span) => span.split('/'));
  const [[from = '', end = ''] = [], [nextFrom = '', nextEnd = ''] = []] = spans;
  const has = (kind: string) => hasKind(phrases, kind);
  const openings = ['dateFrom', 'dateAfter', 'dateBefore'].filter(has).length;
  if (spans.length === 0) return openings > 0 ? 'unclear' : undefined;
  if (spans.length === 1) {
    if (openings > 1) return 'unclear';
    if (has('dateFrom')) return { from };
    if (has('dateAfter')) return { from: end };
    return has('dateBefore') ? { before: from } : { from, before: end };
  }
  const isRange = has('dateBetween') || has('dateBefore') || end === nextFrom;
  return spans.length === 2 && isRange && from < nextEnd ? { from, before: nextEnd } : 'unclear';
}

/** Joins the words of each date into one phrase: `3 July 2026`, `July 3rd`, `July`, `2026-07-03`, `2026`. */
function joinDates(phrases: readonly Phrase[]): Phrase[] {
  const joined: Phrase[] = [];
  for (let index = 0; index < phrases.length; index++) {
    const phrase = phrases[index] as Phrase;
    const numberAt = (place: number, kind: string) => Number(valuesOf(phrases.slice(place, place + 1), kind)[0] ?? 0);
    const [iso, month, ownYear] = [valuesOf([phrase], 'date')[0], numberAt(index, 'month'), numberAt(index, 'year')];
    if (iso) joined.push(dateOf(phrase.text, iso.split('-').map(Number)));
    else if (month === 0) joined.push(ownYear > 0 ? dateOf(phrase.text, [ownYear]) : phrase);
    else {
      const dayBefore = index > 0 ? numberAt(index - 1, 'dayOfMonth') : 0;
      if (dayBefore > 0) joined.pop();
      const dayAfter = dayBefore > 0 ? 0 : numberAt(index + 1, 'dayOfMonth');
      if (dayAfter > 0) index++;
      const year = numberAt(index + 1, 'year');
      if (year > 0) index++;
      const day = dayBefore || dayAfter;
      joined.push(dateOf(phrase.text, [year || orderYear, month, ...(day > 0 ? [day] : [])]));
    }
  }
  return joined;
}

function dateOf(text: string, parts: number[]): Phrase {
  const { from, before } = spanOf(parts);
  return { text, kinds: new Set([`span=${from}/${before}`]) };
}

function isCalendarDate(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && isoDay(time).startsWith(text);
}

/** The first day of a year, month or day, and the first day after it. */
function spanOf([year = 0, month, day]: number[]): Required<Period> {
  const start = Date.UTC(year, (month ?? 1) - 1, day ?? 1);
  const end =
    day !== undefined ? start + 86_400_000 : month !== undefined ? Date.UTC(year, month, 1) : Date.UTC(year + 1, 0, 1);
  return { from: isoDay(start), before: isoDay(end) };
}

function isoDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** A period in words: `in July 2026`, `on 3 July 2026`. */
export function periodWords({ from, before }: Period): string {
  const last = before && isoDay(Date.parse(before) - 86_400_000);
  if (!from) return `until ${dayWords(last ?? '')}`;
  if (!last) return `since ${dayWords(from)}`;
  if (from === last) return `on ${dayWords(from)}`;
  const [year, month] = from.split('-');
  if (from.endsWith('-01') && isoDay(Date.UTC(Number(year), Number(month), 1)) === before)
    return `in ${monthNames[Number(month) - 1]} ${year}`;
  return `from ${dayWords(from)} to ${dayWords(last)}`;
}

/** A day in words: `3 July 2026`. */
export function dayWords(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  return `${date} ${monthNames[(month ?? 1) - 1]} ${year}`;
}
