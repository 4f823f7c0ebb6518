// Numbers and a table instead of words: one look-up per byte decides the speed of the whole scan. 0 is everything else.
export const SPACE = 1;
export const QUOTE = 2;
export const OPEN = 3;
export const CLOSE = 4;
export const COMMA = 5;
export const COLON = 6;
export const NEWLINE = 7;

/** What each byte means between the strings of JSON. A line feed is white space, except where it ends records. */
export function bytesOfJson(separator: 'comma' | 'newline'): Uint8Array {
  const roles = new Uint8Array(256);
  for (const [role, characters] of ['', ' \t\r\n', '"', '{[', '}]', ',', ':'].entries())
    for (const character of characters) roles[character.charCodeAt(0)] = role;
  if (separator === 'newline') roles[0x0a] = NEWLINE;
  return roles;
}
