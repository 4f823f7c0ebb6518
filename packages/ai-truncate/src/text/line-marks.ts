import { InvalidOptionError } from '../errors.ts';
import { requireOption } from '../options.ts';
import { compileSearchPattern, type SearchPattern } from './pattern.ts';
import { estimatedProgramSize } from './pattern-size.ts';
import { withoutEscapeSequences } from './visible-text.ts';

/** Marks lines that an application holds to be important. */
export interface LineMarks {
  /** Takes a line without its line break, or its beginning. */
  test(line: string): boolean;
  /** How many characters of a text may be tested in one turn of the event loop. */
  turnChars: number;
}

const MAX_PATTERNS = 32;
/**
 * The engine takes about 10 ns for each character and each step of a pattern, in the worst case: 40 ms for so many characters
 * and so many steps.
 */
const MAX_STEPS = 128;
const ENGINE_TURN_CHARS = 32 * 1024;

/** Compiles the option `salient`. Words and patterns match in any case. Throws for text that cannot be searched for. */
export function compileLineMarks(option: string, salient: unknown): LineMarks | undefined {
  if (salient === undefined) return undefined;
  const isList = Array.isArray(salient) && salient.length <= MAX_PATTERNS;
  requireOption(isList, {
    option,
    value: salient,
    expected: `an array of at most ${MAX_PATTERNS} words or RE2 patterns`,
  });
  const patterns: SearchPattern[] = [];
  let steps = 0;
  for (const [index, source] of (salient as unknown[]).entries()) {
    const at = `${option}[${index}]`;
    requireOption(typeof source === 'string', {
      option: at,
      value: source,
      expected: 'a word or a pattern in RE2 syntax',
    });
    // In a script without capital letters, a text is found without the engine.
    const ignoreCase = source.toLowerCase() !== source.toUpperCase();
    const compiled = compileSearchPattern(source, { ignoreCase });
    if (!compiled.ok)
      throw new InvalidOptionError({ option: at, message: `\`${at}\` is refused. ${compiled.message}` });
    patterns.push(compiled.pattern);
    if (!compiled.pattern.literals) steps += estimatedProgramSize(source);
    if (steps > MAX_STEPS) throw new InvalidOptionError({ option: at, message: tooLarge(at) });
  }
  if (patterns.length === 0) return undefined;
  return {
    test(raw) {
      const line = raw.includes('\u001b') ? withoutEscapeSequences(raw) : raw;
      return patterns.some((pattern) => isFound(pattern, line));
    },
    turnChars: steps === 0 ? Number.POSITIVE_INFINITY : ENGINE_TURN_CHARS,
  };
}

/** By `find`: what `test` builds for an expression can take twenty times as long on a hostile line. */
function isFound({ literals, required, find }: SearchPattern, line: string): boolean {
  if (literals) return literals.isIn(line);
  return (required?.isIn(line) ?? true) && find(line, 0) !== undefined;
}

function tooLarge(option: string): string {
  return (
    `\`${option}\` is refused. The patterns are too large together: each is tested in every line, and their steps add up to more than ` +
    `${MAX_STEPS}. Use plain words, which cost nothing, and smaller repeats.`
  );
}
