import { EnvironmentError } from './environment-error';

/** The environment of a process; `process.env` is one. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The value without blanks around it. A variable that is empty is one that is not set. */
export function readText(variables: Variables, name: string): string | undefined {
  return variables[name]?.trim() || undefined;
}

/** A text of one form; anything else stops the start. */
export function readMatching(
  variables: Variables,
  { name, pattern, expected }: { name: string; pattern: RegExp; expected: string },
): string | undefined {
  const value = readText(variables, name);
  if (value === undefined || pattern.test(value)) return value;
  throw new EnvironmentError(name, { value, expected });
}

/** A number within bounds; anything else stops the start. */
export function readNumber(
  variables: Variables,
  { name, min, max, isWhole }: { name: string; min: number; max: number; isWhole: boolean },
): number | undefined {
  const value = readText(variables, name);
  if (value === undefined) return undefined;
  // Plain digits only: `Number` also takes `0x10`, `1e3` and `Infinity`, which nobody means here.
  const number = /^\d{1,15}(\.\d{1,6})?$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max && (!isWhole || Number.isInteger(number))) return number;
  const bounds = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new EnvironmentError(name, { value, expected: `a ${isWhole ? 'whole ' : ''}number ${bounds}` });
}

/** An address of the web; anything else stops the start. */
export function readUrl(variables: Variables, name: string): string | undefined {
  const value = readText(variables, name);
  if (value === undefined || /^https?:$/.test(URL.parse(value)?.protocol ?? '')) return value;
  throw new EnvironmentError(name, { value, expected: 'a URL that begins with http:// or https://' });
}
