import type { SeededRandom } from './seeded-random.ts';

const pieces: readonly [string, ...string[]] = [
  '..',
  '/',
  '\\',
  '.',
  '%2e%2e',
  '．．／',
  '\0',
  'con',
  'NUL',
  'aux.c',
  'COM¹',
  'C:',
  '//host/share',
  'é',
  'e\u0301',
  '\u202e',
  '\ud800',
  '\u{1f642}',
  '__proto__',
  'constructor',
  'https://x.blob.vercel-storage.com/a',
  '.info.json',
  '.gitignore',
  'tool_20260113_153045_read_call_0000000000000000.txt',
  ' ',
  '-',
  '_',
  '~',
  '$DATA',
  ':',
  '*',
  '?',
  '\n',
  'a',
  'A',
  'ß',
  'İ',
  '1',
];
const alone: readonly [string, ...string[]] = ['', 'x'.repeat(1500), '日'.repeat(600), '../'.repeat(200)];

/** A tool name, a call id or a scope from an attacker. */
export function hostileText(random: SeededRandom): string {
  const kind = random.below(64);
  if (kind === 0) return random.oneOf(alone);
  const length = random.below(7);
  let text = '';
  for (let index = 0; index < length; index++) {
    // Half of the time, any code unit, including half of a pair.
    text += kind < 32 ? random.oneOf(pieces) : String.fromCharCode(random.below(0x10000), random.below(0x250));
  }
  return text;
}
