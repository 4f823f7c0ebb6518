import { invalidParameter } from './http-refusal.ts';
import { httpWords } from './http-words.ts';

/** Reads one parameter of an address; `undefined` when it is not there, and a refusal when it is there twice. */
export function textParameter(parameters: URLSearchParams, name: string): string | undefined {
  const [value, second] = parameters.getAll(name);
  if (second !== undefined) throw invalidParameter({ name, value: second, expected: httpWords.parameterTwice });
  return value;
}

/** A whole number in decimal digits, within bounds. */
export function numberParameter(
  parameters: URLSearchParams,
  { name, min, max, expected }: { name: string; min: number; max: number; expected: string },
): number | undefined {
  const text = textParameter(parameters, name);
  if (text === undefined) return undefined;
  const number = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  // Also for no number, which is neither less nor more than any.
  if (!(number >= min && number <= max)) throw invalidParameter({ name, value: text, expected });
  return number;
}

/** One of some words. */
export function wordParameter<Word extends string>(
  parameters: URLSearchParams,
  { name, words }: { name: string; words: readonly [Word, ...Word[]] },
): Word {
  const text = textParameter(parameters, name);
  const word = text === undefined ? words[0] : words.find((each) => each === text);
  if (word !== undefined) return word;
  throw invalidParameter({ name, value: text, expected: words.map((each) => `'${each}'`).join(' or ') });
}
