import type { SeededRandom } from './seeded-random.ts';

/** Patterns that occupy other engines for seconds or forever, and patterns that are only large. */
export const hostilePatterns: readonly string[] = [
  '(a+)+$',
  '(a|aa)+$',
  '(.*)*x',
  '(a*)*b',
  'a.*a.*a.*a.*b$',
  '(\\w+\\s?)*$',
  '(x+x+)+y',
  '((a?){50}){20}a{1000}$',
  '[\\p{L}]{1,1000}!{1,1000}',
  '(?i)(.{1,1000}){1}x',
  '(a{1,100}){1,100}$',
  '(a?){90}a{90}$',
  '(a?){300}b',
  '(?:a|b|ab)*c',
  '(?i:[a-z]+)*\\d',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(.|\\n)*?z',
  '(\\pL|\\w|.)*!!',
  '.{1,900}z',
  '(a.{1,400}){2}z',
  'a{1000}',
  '(|a)*b',
  '\\b(a|b)*\\b!',
  '(?:(?:a*)*)*$',
  '[^b]{500}c',
  '(a|b|c|d|e|f|g|h|i|j|k|l)*z',
  `${'a?'.repeat(200)}${'a'.repeat(100)}`,
  `${'(a'.repeat(80)}${')*'.repeat(80)}b`,
  `(${'a|'.repeat(250)}b)*c`,
  '.*'.repeat(200),
  '\\pL'.repeat(150),
  '(?i)ſ{400}',
];

/** Globs of the same kind. */
export const hostileGlobs: readonly string[] = [
  `${'*a'.repeat(250)}b`,
  `${'*a'.repeat(30)}b`,
  '+(a|aa)b',
  '*(*(a|b))c',
  `${'**/a/'.repeat(12)}b`,
  `${'**/'.repeat(80)}b`,
  `${'{a*,a?,*a}'.repeat(40)}z`,
  '{1..1000000}',
  '{a,{a,{a,{a,{a,b}}}}}'.repeat(8),
  `${'[a-z]*'.repeat(80)}!`,
  '*?'.repeat(200),
];

/** A pattern of nested repeats that no user would write. */
export function hostilePattern(random: SeededRandom): string {
  return nested(random, 3 + random.below(4)) + random.oneOf(['', '$', 'z', '!']);
}

function nested(random: SeededRandom, depth: number): string {
  if (depth === 0) return random.oneOf(['a', 'b', '.', '[ab]', '\\w', 'a?', '\\pL', '[^a]', '\\b', '(?i:a)', '']);
  const inner = nested(random, depth - 1);
  const kind = random.next();
  if (kind < 0.3) return inner + nested(random, depth - 1);
  if (kind < 0.45) return `(${inner}|${nested(random, depth - 1)})`;
  if (kind < 0.6) return `(${inner})${random.oneOf(['*', '+', '?', '*?'])}`;
  if (kind < 0.9)
    return `(${inner}){${random.oneOf(['0,', '1,', ''])}${random.oneOf([2, 3, 5, 10, 30, 100, 500, 900])}}`;
  return inner + random.oneOf(['$', 'z', '!', 'a', 'b']);
}

/** A glob of stars, classes and nested braces. */
export function hostileGlob(random: SeededRandom): string {
  const part = random.oneOf(['*a', '*?', '**/', '{a*,*a,?}', '[a-z]*', '{a,{b*,*}}', 'a*', '!(a)']);
  const other = random.oneOf(['a', '*', 'b*', '', '?']);
  return (
    (part + other).repeat(1 + random.below(Math.floor(500 / (part + other).length))) + random.oneOf(['z', '', '*'])
  );
}
