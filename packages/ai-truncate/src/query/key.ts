import { detach } from '../text/utf.ts';

/** A text that two values share only when they are equal; missing (`undefined`) and `null` differ. */
export function valueKey(value: unknown): string {
  if (typeof value === 'string') return detach(`t${value}`);
  if (typeof value === 'number' || typeof value === 'bigint') return `n${value}`;
  if (value === undefined) return 'm';
  return `j${toJson(value)}`;
}

function toJson(value: unknown): string {
  try {
    // Natively: asked about each part of a long list, it would be a long step.
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
  }
}

/** One text for several values. Each tells its length: no other list of values gives the same text. */
export function listKey(values: readonly unknown[]): string {
  if (values.length === 1) return valueKey(values[0]);
  return values
    .map(valueKey)
    .map((key) => `${key.length}:${key}`)
    .join('');
}
