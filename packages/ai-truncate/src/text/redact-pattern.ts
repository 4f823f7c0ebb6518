import { RE2JS } from 're2js';
import { requireOption } from '../options.ts';
import type { Steps } from '../pace.ts';
import { isTooLarge, MAX_PATTERN_LENGTH } from './pattern-size.ts';
import { withUnicodeEscapes } from './pattern-syntax.ts';
import { CONTEXT_CHARS, MAX_MATCH_CHARS, type SpanFinder } from './redaction.ts';
import { shortened } from './utf.ts';

/** Larger programs could need more than 50 ms for one search. */
const MAX_PROGRAM_SIZE = 256;
/** The text that one search for places covers, in addition to the longest match. */
const SEARCH_CHARS = 4096;
const MAX_DETAIL_CHARS = 160;

/** Finds the matches of a pattern in RE2 syntax. `^` and `$` match at the ends of lines. */
export function createPatternFinder(source: string, { kind, option }: { kind: string; option: string }): SpanFinder {
  const program = compile(source, option);
  return {
    *find(text, { from, to }, spans) {
      if (!program.test(text)) return to;
      let next = from;
      // Places of matches are found in smaller parts, because this takes up to a microsecond per character.
      for (let part = from - (from % SEARCH_CHARS); part < to; part += SEARCH_CHARS) {
        const partEnd = Math.min(part + SEARCH_CHARS, to);
        if (next >= partEnd) continue;
        yield;
        const start = Math.max(0, part - CONTEXT_CHARS);
        const window = text.slice(start, partEnd + MAX_MATCH_CHARS + CONTEXT_CHARS);
        if (program.test(window)) next = yield* findIn(window, { start, from: Math.max(next, part), to: partEnd });
      }
      return Math.max(next, to);

      function* findIn(window: string, range: { start: number; from: number; to: number }): Steps<number> {
        const matcher = program.matcher(window);
        let at = range.from - range.start;
        while (at < range.to - range.start && matcher.find(at)) {
          const start = matcher.start();
          if (start >= range.to - range.start) break;
          const end = Math.min(matcher.end(), start + MAX_MATCH_CHARS);
          if (end > start) spans.push({ start: range.start + start, end: range.start + end, kind });
          at = Math.max(end, start + 1);
          // To find its end, a pattern may read the whole window again.
          yield;
        }
        return range.start + at;
      }
    },
  };
}

function compile(source: string, option: string): RE2JS {
  const refuse = (isRight: boolean, expected: string) => requireOption(isRight, { option, value: source, expected });
  refuse(source !== '', 'a pattern in RE2 syntax');
  refuse(source.length <= MAX_PATTERN_LENGTH, `a pattern of at most ${MAX_PATTERN_LENGTH} characters`);
  refuse(!isTooLarge(source), TOO_LARGE);
  let program: RE2JS;
  try {
    program = RE2JS.compile(withUnicodeEscapes(source), RE2JS.MULTILINE);
  } catch (error) {
    const detail = error instanceof Error ? error.message.replace('error parsing regexp: ', '') : String(error);
    refuse(false, `a pattern in RE2 syntax (${shortened(detail, MAX_DETAIL_CHARS)})`);
    throw error;
  }
  refuse(program.programSize() <= MAX_PROGRAM_SIZE, TOO_LARGE);
  refuse(!program.test(''), 'a pattern that does not match the empty text');
  return program;
}

const TOO_LARGE = 'a smaller pattern, because its repeats multiply to more than can be searched in time';
