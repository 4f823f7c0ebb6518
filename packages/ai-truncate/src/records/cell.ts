import { exactInteger } from './exact.ts';

// With an exponent only where it cannot be an identifier: 1.5e5, 1e+20 and 1e-05 are numbers, 1e5 is a commit or a seat.
const NUMBER = /^-?(?:(?:0|[1-9]\d*)(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]\d+)?|\.\d+)$/;
const LONGEST_NUMBER = 80;

/**
 * What a cell of CSV stands for. Numbers are numbers; what only looks like one is text, as it is an identifier: 007, +1,
 * 1e5, 1,234. An empty cell is `null`: its column is there, its value is not. All else is text, dates too.
 */
export function toCell(text: string): string | number | bigint | null {
  if (text === '') return null;
  const first = text.charCodeAt(0);
  // Most text is told from numbers by its first character; after ' ' comes a padded number.
  if (first > 0x39 || text.length > LONGEST_NUMBER) return text;
  const trimmed = first <= 0x20 || text.charCodeAt(text.length - 1) <= 0x20 ? text.trim() : text;
  if (!NUMBER.test(trimmed)) return text;
  if (trimmed.length < 16) return Number(trimmed);
  return /^-?\d+$/.test(trimmed) ? exactInteger(trimmed) : Number(trimmed);
}
