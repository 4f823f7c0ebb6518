import { InvalidOptionError } from '../errors.ts';
import { requireWholeNumber } from '../options.ts';
import { isPlainRecord } from '../protocol/guards.ts';

/** A part of a configuration, and where it stands: `tool_output_limits.default`. */
export interface ConfigSection {
  at: string;
  values: Readonly<Record<string, unknown>>;
}

/** The part under a name. One that is left out is empty, and so is what a YAML file leaves open (`tools:`). */
export function sectionOf(value: unknown, { at, keys }: { at: string; keys?: readonly string[] }): ConfigSection {
  if (value === undefined || value === null) return { at, values: {} };
  // A parser that makes a `Map` of each section would otherwise give a file that says nothing.
  if (!isPlainRecord(value)) {
    throw new InvalidOptionError({ option: at || 'object', value, expected: 'a plain object' });
  }
  for (const [key, member] of Object.entries(value)) {
    if (!keys || keys.includes(key)) continue;
    throw new InvalidOptionError({ option: nameIn(at, key), value: member, expected: `one of ${keys.join(', ')}` });
  }
  return { at, values: value };
}

export function subsectionOf({ at, values }: ConfigSection, key: string, keys?: readonly string[]): ConfigSection {
  return sectionOf(memberOf(values, key), { at: nameIn(at, key), ...(keys && { keys }) });
}

export function wholeNumberOf(
  { at, values }: ConfigSection,
  key: string,
  range: Omit<Parameters<typeof requireWholeNumber>[1], 'value'>,
): number | undefined {
  const value = memberOf(values, key);
  if (value === undefined || value === null) return undefined;
  requireWholeNumber(nameIn(at, key), { value, ...range });
  return value as number;
}

export function wordOf<const WORD>(section: ConfigSection, key: string, words: readonly WORD[]): WORD | undefined {
  const value = memberOf(section.values, key);
  if (value === undefined || value === null) return undefined;
  const word = words.find((known) => known === value);
  if (word !== undefined) return word;
  throw new InvalidOptionError({ option: nameIn(section.at, key), value, expected: `one of ${words.join(', ')}` });
}

export function textOf({ at, values }: ConfigSection, key: string): string | undefined {
  const value = memberOf(values, key);
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value !== '') return value;
  throw new InvalidOptionError({ option: nameIn(at, key), value, expected: 'a string' });
}

/** Of its own: a file must not be answered for by what all objects have. */
function memberOf(values: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

function nameIn(at: string, key: string): string {
  return at === '' ? key : `${at}.${key}`;
}
