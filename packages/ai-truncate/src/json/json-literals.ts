const LITERALS = new Uint8Array(128);
for (const character of '0123456789+-.eEtrufalsn') LITERALS[character.charCodeAt(0)] = 1;

const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const LETTER_E = 0x65;

/** A part of a text, by indexes. */
export interface UnitRange {
  start: number;
  end: number;
}

/** The index after the characters of a number or word; the end of the range if they reach it. */
export function endOfLiteral(units: Uint16Array, { start, end }: UnitRange): number {
  let at = start;
  for (; at < end; at++) {
    const code = units[at] as number;
    if (code >= 128 || LITERALS[code] === 0) break;
  }
  return at;
}

/** Whether a range of characters is a text. */
export function isText(units: Uint16Array, { start, end }: UnitRange, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let at = 0; at < text.length; at++) if (units[start + at] !== text.charCodeAt(at)) return false;
  return true;
}

/** Whether the characters of a literal are a number, `true` or `false`. */
export function isValidLiteral(units: Uint16Array, range: UnitRange): boolean {
  const { start, end } = range;
  let at = units[start] === MINUS ? start + 1 : start;
  const first = at;
  at = endOfDigits(units, { start: at, end });
  if (at === first) return isText(units, range, 'true') || isText(units, range, 'false');
  if (units[first] === 0x30 && at > first + 1) return false;
  if (at < end && units[at] === POINT) {
    const point = at;
    at = endOfDigits(units, { start: at + 1, end });
    if (at === point + 1) return false;
  }
  if (at < end && ((units[at] as number) | 0x20) === LETTER_E) {
    at++;
    if (units[at] === MINUS || units[at] === PLUS) at++;
    const exponent = at;
    at = endOfDigits(units, { start: at, end });
    if (at === exponent) return false;
  }
  return at === end;
}

function endOfDigits(units: Uint16Array, { start, end }: UnitRange): number {
  let at = start;
  while (at < end && (units[at] as number) >= 0x30 && (units[at] as number) <= 0x39) at++;
  return at;
}
