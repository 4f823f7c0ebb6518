import { InvalidOptionError } from './errors.ts';
import { firstChars, shortened } from './text/utf.ts';

// All checks of options that a developer sets, and the call of a listener. Each check throws an `InvalidOptionError` where the
// option is set.

/** Throws unless the option is valid. */
export function requireOption(
  isRight: unknown,
  fault: { option: string; value: unknown; expected: string },
): asserts isRight {
  if (!isRight) throw new InvalidOptionError(fault);
}

/** The options that an entrance accepts. */
interface KnownOptions {
  known: Iterable<string>;
  /** The path before each name, e.g. `explore`. */
  at?: string;
  /** A description of the options, for the error. */
  expected?: string;
  /** The word for a name in the error. @default 'option' */
  kind?: 'option' | 'key' | 'environment variable';
  /** Names that are options of another place, and a description of that place. */
  elsewhere?: { known: Iterable<string>; place: string };
}

/** Throws unless `options` is an object with only these names. Otherwise a misspelt option would be ignored silently. */
export function requireOptions<OPTIONS>(
  options: OPTIONS,
  known: KnownOptions,
): asserts options is OPTIONS & Record<string, unknown> {
  const { at = '', expected = 'an object', kind = 'option', elsewhere } = known;
  const isObject = typeof options === 'object' && options !== null && !Array.isArray(options);
  requireOption(isObject, { option: at || 'options', value: options, expected });
  const names = [...known.known];
  const unknown = Object.entries(options as object).find(
    ([name, value]) => value !== undefined && !names.includes(name),
  );
  if (!unknown) return;
  const [name] = unknown;
  const isElsewhere = elsewhere && [...elsewhere.known].includes(name);
  const next = isElsewhere ? `\`${name}\` is an option of ${elsewhere.place}.` : nextStepFor(name, names);
  const option = at ? `${at}.${name}` : name;
  throw new InvalidOptionError({ option, message: `Unknown ${kind} \`${shortened(option, MAX_SHOWN)}\`. ${next}` });
}

/** Throws unless the name, e.g. of a tool or a reader, is known. */
export function requireKnownName(
  name: unknown,
  { option, kind, known }: { option: string; kind: string; known: Iterable<string> },
): asserts name is string {
  const names = [...known];
  if (typeof name === 'string' && names.includes(name)) return;
  const expected = `the name of a ${kind} (${listed(names)})`;
  requireOption(typeof name === 'string', { option, value: name, expected });
  const message = `Unknown ${kind} \`${shortened(name, MAX_SHOWN)}\` in \`${option}\`. ${nextStepFor(name, names)}`;
  throw new InvalidOptionError({ option, message });
}

const MAX_SHOWN = 100;
const MAX_LISTED = 30;

function nextStepFor(name: string, known: readonly string[]): string {
  const meant = likelyName(name, known);
  return meant === undefined ? `Known: ${listed(known)}.` : `Did you mean \`${meant}\`?`;
}

function listed(names: readonly string[]): string {
  const more = names.length > MAX_LISTED ? ', …' : '';
  return names.length === 0 ? 'none' : names.slice(0, MAX_LISTED).join(', ') + more;
}

/** Names that other libraries and our own files use for the same option. */
const ALIASES: ReadonlyMap<string, string> = new Map([['direction', 'keep']]);
/** Words with the same meaning. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([['directory', 'dir']]);
const MAX_TYPOS = 2;

/** The known name that was probably meant: an alias, a name with a typo, or the only name that has all its words. */
function likelyName(name: string, known: readonly string[]): string | undefined {
  const words = wordsOf(firstChars(name, MAX_SHOWN));
  const letters = words.join('');
  const alias = ALIASES.get(letters);
  if (alias !== undefined && known.includes(alias)) return alias;
  const near = known
    .map((each) => ({ each, typos: distance(letters, wordsOf(each).join('')) }))
    .filter(({ each, typos }) => typos <= Math.min(MAX_TYPOS, each.length / 3))
    .sort((one, other) => one.typos - other.typos);
  if (near[0]) return near[0].each;
  const wider = known.filter((each) => meaningsOf(words).every((word) => meaningsOf(wordsOf(each)).includes(word)));
  return words.length > 0 && wider.length === 1 ? wider[0] : undefined;
}

/** The words of a name in camelCase, snake_case or kebab-case, in lower case. */
function wordsOf(name: string): string[] {
  const words = name.split(/(?<=[a-z\d])(?=[A-Z])|[^a-zA-Z\d]+/);
  return words.filter((word) => word !== '').map((word) => word.toLowerCase());
}

function meaningsOf(words: readonly string[]): string[] {
  return words.map((word) => SYNONYMS.get(word) ?? word);
}

/** How many letters must be added, removed or replaced to turn one word into the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (letter === other[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

/** Throws unless `value` is a whole number in range. */
export function requireWholeNumber(
  option: string,
  range: { value: unknown; min: number; max?: number; maxName?: string; because?: string | undefined },
): void {
  const { value, min, max = Number.MAX_SAFE_INTEGER, maxName, because } = range;
  const isRight = Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
  const limit = Number(value) > max ? ` and at most ${max}` : '';
  const upper = maxName === undefined ? limit : ` and at most \`${maxName}\` (${max})`;
  const expected = `a whole number of at least ${min}${upper}${because ? ` ${because}` : ''}`;
  requireOption(isRight, { option, value, expected });
}

/** The same for an optional option. */
export function requireOptionalWholeNumber(option: string, range: Parameters<typeof requireWholeNumber>[1]): void {
  if (range.value !== undefined) requireWholeNumber(option, range);
}

/** Throws unless the option is a function or missing. */
export function requireOptionalFunction(option: string, value: unknown): void {
  requireOption(value === undefined || typeof value === 'function', { option, value, expected: 'a function' });
}

/** A function that is called with each event, or several of them. */
export type Listener<Event> = ((event: Event) => void) | readonly ((event: Event) => void)[];

/** Throws unless the option is a function, an array of functions or missing. */
export function requireListener(option: string, value: unknown): void {
  const expected = 'a function or an array of functions';
  requireOption(value === undefined || typeof value === 'function' || Array.isArray(value), {
    option,
    value,
    expected,
  });
  if (!Array.isArray(value)) return;
  for (const [index, each] of value.entries()) {
    requireOption(typeof each === 'function', { option: `${option}[${index}]`, value: each, expected: 'a function' });
  }
}

/** Throws unless the option is `true`, `false` or missing. */
export function requireOptionalBoolean(option: string, value: unknown): void {
  requireOption(value === undefined || typeof value === 'boolean', { option, value, expected: '`true` or `false`' });
}

/** Throws unless the option is a string or missing. */
export function requireOptionalString(option: string, value: unknown): void {
  requireOption(value === undefined || typeof value === 'string', { option, value, expected: 'a string' });
}

/** Throws unless the option is a list of names or missing. */
export function requireToolNames(option: string, value: unknown): void {
  if (value === undefined) return;
  requireOption(Array.isArray(value), { option, value, expected: 'the names of tools, as in Object.keys(tools)' });
  for (const [index, name] of value.entries()) {
    requireOption(typeof name === 'string', {
      option: `${option}[${index}]`,
      value: name,
      expected: 'the name of a tool',
    });
  }
}

/** The options without `undefined` values. With `exactOptionalPropertyTypes`, `undefined` is not a valid value. */
export function withoutUndefined<Options extends object>(
  options: Options,
): { [Name in keyof Options]: Exclude<Options[Name], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}

/** Calls the listeners of the application. Errors that one of them throws, now or later, cost neither the result nor another listener. */
export function notify<Event>(listener: Listener<Event> | undefined, event: Event): void {
  // Most tools have no listener, and for a small output `flat` would take as long as measuring the output.
  if (listener === undefined) return;
  for (const each of [listener].flat() as ((event: Event) => unknown)[]) {
    try {
      Promise.resolve(each(event)).catch(() => {});
    } catch {
      // See above.
    }
  }
}
