import { requireOption, requireOptionalWholeNumber, requireOptions } from '../options.ts';
import { isPlainRecord } from '../protocol/guards.ts';

/** A part of a configuration, and where it is: `tool_output_limits.default`. */
export interface ConfigSection {
  at: string;
  values: Readonly<Record<string, unknown>>;
}

/** The part under a name. A missing part is empty, and so is an empty section of a YAML file (`tools:`). */
export function sectionOf(value: unknown, { at, keys }: { at: string; keys?: readonly string[] }): ConfigSection {
  if (value === undefined || value === null) return { at, values: {} };
  // A parser that returns a `Map` for each section would otherwise produce a configuration without any setting.
  requireOption(isPlainRecord(value), { option: at || 'object', value, expected: 'a plain object' });
  if (keys) requireOptions(value, { known: keys, at, kind: 'key' });
  return { at, values: value };
}

export function subsectionOf(section: ConfigSection, key: string, keys?: readonly string[]): ConfigSection {
  const { option: at, value } = memberOf(section, key);
  return sectionOf(value, { at, ...(keys && { keys }) });
}

export function wholeNumberOf(
  section: ConfigSection,
  key: string,
  range: Omit<Parameters<typeof requireOptionalWholeNumber>[1], 'value'>,
): number | undefined {
  const { option, value } = memberOf(section, key);
  requireOptionalWholeNumber(option, { value, ...range });
  return value as number | undefined;
}

export function wordOf<const WORD>(section: ConfigSection, key: string, words: readonly WORD[]): WORD | undefined {
  const { option, value } = memberOf(section, key);
  const isWord = value === undefined || words.includes(value as WORD);
  requireOption(isWord, { option, value, expected: `one of ${words.join(', ')}` });
  return value as WORD | undefined;
}

export function textOf(section: ConfigSection, key: string): string | undefined {
  const { option, value } = memberOf(section, key);
  requireOption(value === undefined || (typeof value === 'string' && value !== ''), {
    option,
    value,
    expected: 'a string',
  });
  return value as string | undefined;
}

/** A member and its name. Only own members count, so that an inherited member is never read as a setting. */
function memberOf({ at, values }: ConfigSection, key: string): { option: string; value: unknown } {
  const value = Object.hasOwn(values, key) ? values[key] : undefined;
  return { option: at === '' ? key : `${at}.${key}`, value: value ?? undefined };
}
