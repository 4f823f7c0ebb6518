import { InvalidOptionError } from './errors.ts';

// Every check of an option that a developer writes, and the call of a listener among them. Each check throws `InvalidOptionError`
// where the option is given.

/** Throws unless the option is right. */
export function requireOption(
  isRight: unknown,
  fault: { option: string; value: unknown; expected: string },
): asserts isRight {
  if (!isRight) throw new InvalidOptionError(fault);
}

/** Throws unless `options` is an object with these names only. A misspelt option would otherwise be ignored without a word. */
export function requireOptions(
  options: unknown,
  {
    known,
    at = '',
    expected = 'an object',
  }: {
    known: Iterable<string>;
    /** Before each name, e.g. `explore`. */
    at?: string;
    /** What the options are, for the error. */
    expected?: string;
  },
): asserts options is Record<string, unknown> {
  const isObject = typeof options === 'object' && options !== null && !Array.isArray(options);
  requireOption(isObject, { option: at || 'options', value: options, expected });
  const names = [...known];
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || names.includes(name)) continue;
    const option = at ? `${at}.${name}` : name;
    const meant = likelyName(name, names);
    const next = meant === undefined ? `Known: ${names.join(', ')}.` : `Did you mean \`${meant}\`?`;
    throw new InvalidOptionError({ option, message: `Unknown option \`${option}\`. ${next}` });
  }
}

/** Names that other libraries and our own files use for the same thing. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['direction', 'keep'],
  ['dir', 'directory'],
]);
const MAX_TYPOS = 2;

function likelyName(name: string, known: readonly string[]): string | undefined {
  const camelCase = name.slice(0, 100).replace(/[_-]+(\w)/g, (_, letter: string) => letter.toUpperCase());
  const alias = ALIASES.get(camelCase) ?? camelCase;
  if (known.includes(alias)) return alias;
  const letters = (text: string) => text.replaceAll('_', '').toLowerCase();
  const distances = known.map((each) => [distance(letters(alias), letters(each)), each] as const);
  const [nearest] = distances.sort(([one], [other]) => one - other);
  return nearest && nearest[0] <= Math.min(MAX_TYPOS, nearest[1].length / 3) ? nearest[1] : undefined;
}

/** How many letters to add, drop or replace to get from one word to the other. */
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

/** The same, where the option may be left out. */
export function requireOptionalWholeNumber(option: string, range: Parameters<typeof requireWholeNumber>[1]): void {
  if (range.value !== undefined) requireWholeNumber(option, range);
}

/** Throws unless the option is a function or left out. */
export function requireOptionalFunction(option: string, value: unknown): void {
  requireOption(value === undefined || typeof value === 'function', { option, value, expected: 'a function' });
}

/** Throws unless the option is `true`, `false` or left out. */
export function requireOptionalBoolean(option: string, value: unknown): void {
  requireOption(value === undefined || typeof value === 'boolean', { option, value, expected: '`true` or `false`' });
}

/** Throws unless the option is a string or left out. */
export function requireOptionalString(option: string, value: unknown): void {
  requireOption(value === undefined || typeof value === 'string', { option, value, expected: 'a string' });
}

/** Throws unless the option is a list of names or left out. */
export function requireToolNames(option: string, value: unknown): void {
  const isRight = value === undefined || (Array.isArray(value) && value.every((name) => typeof name === 'string'));
  requireOption(isRight, { option, value, expected: 'the names of tools, as in Object.keys(tools)' });
}

/** The options that are given: with `exactOptionalPropertyTypes`, `undefined` is no value of an option. */
export function withoutUndefined<Options extends object>(
  options: Options,
): { [Name in keyof Options]: Exclude<Options[Name], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}

/** Calls a listener of the application, if there is one. Whatever it throws or rejects with must not cost the result. */
export function notify<Event>(listener: ((event: Event) => unknown) | undefined, event: Event): void {
  try {
    Promise.resolve(listener?.(event)).catch(() => {});
  } catch {
    // See above.
  }
}
