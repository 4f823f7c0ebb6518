import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileSearchPattern, type SearchPattern } from '../text/pattern.ts';
import { findInLongLine, type LinePart } from './long-line.ts';

/** Small, so that short lines have many windows. */
const WINDOW = 40;

function compile(source: string, window = WINDOW): SearchPattern {
  const compiled = compileSearchPattern(source);
  if (!compiled.ok) throw new Error(compiled.message);
  return { ...compiled.pattern, window };
}

/** Runs the search to its end. Returns the start of the match, and the number of characters of each step. */
function search(pattern: SearchPattern, part: Partial<LinePart> & { text: string }) {
  const end = part.text.length;
  const steps: number[] = [];
  const search = findInLongLine(pattern, { start: 0, from: 0, to: end, end, isEnded: true, ...part });
  for (let step = search.next(); ; step = search.next()) {
    if (step.done) return { found: step.value, steps };
    steps.push(step.value);
    if (steps.length > 100_000) throw new Error('the search does not end');
  }
}

const find = (source: string, text: string, part: Partial<LinePart> = {}) =>
  search(compile(source), { text, ...part }).found;

describe('the first match in a long line', () => {
  test.each([
    ['at its start', 'hit', `hit${'z'.repeat(200)}`, 0],
    ['at its end', 'hit', `${'z'.repeat(200)}hit`, 200],
    ['in the middle', 'hit', `${'z'.repeat(100)}hit${'z'.repeat(100)}hit`, 100],
    ['nowhere', 'hit', 'z'.repeat(200), undefined],
    ['of an empty line', '^$', '', 0],
    ['of nothing at the very end', '$', 'z'.repeat(200), 200],
  ])('is found %s', (_, source, text, expected) => {
    expect(find(source, text)).toBe(expected);
  });

  test('is found wherever it crosses the end of a window', () => {
    for (let before = 0; before <= 90; before++) {
      expect(find('s.{2,6}end', `${'z'.repeat(before)}s123end${'z'.repeat(100)}`)).toBe(before);
    }
  });

  test('is the same as in the whole line, if it is shorter than a quarter of a window', () => {
    const sources = fc.constantFrom(
      'ab',
      '^a',
      'b$',
      'a{2,3}b',
      '\\bb',
      'b\\b',
      '[^a]b',
      '🙂b?',
      'a|^b',
      '(?:ab)+$',
      'é.',
    );
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '🙂', 'é'), maxLength: 150 });
    fc.assert(
      fc.property(sources, line, fc.nat(), (source, text, seed) => {
        const from = seed % (text.length + 1);
        // A search never starts inside a surrogate pair.
        fc.pre(!/^[\udc00-\udfff]/.test(text.slice(from)));
        const expression = new RegExp(source, 'gu');
        expression.lastIndex = from;
        const match = expression.exec(text);
        fc.pre((match?.[0].length ?? 0) < WINDOW >> 2);
        expect(find(source, text, { from })).toBe(match?.index);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a border of a window is no border of the line:', () => {
  const text = 'ab'.repeat(500);

  test('for its end', () => {
    expect(find('a$', text)).toBeUndefined();
    expect(find('b$', text)).toBe(999);
  });

  test('for its start', () => {
    expect(find('^b', text)).toBeUndefined();
    expect(find('^b', text, { from: 1 })).toBeUndefined();
    expect(find('^b', text, { start: 1, from: 1 })).toBe(1);
  });

  test('for the start of a line that is before the text', () => {
    expect(find('^b', text, { start: -1, from: 1 })).toBeUndefined();
    expect(find('\\bb', text, { start: -1, from: 1 })).toBeUndefined();
  });

  test.each(['a[^b]', 'a\\b', 'a$'])('for the end of %s, wherever it is', (source) => {
    for (let before = 0; before <= 90; before++) {
      expect(find(source, `${'z'.repeat(before)}ab${'z'.repeat(100)}`)).toBeUndefined();
    }
  });

  test('for the end of a text whose line continues', () => {
    expect(find('b$', text, { isEnded: false })).toBeUndefined();
    expect(find('b$', text.slice(0, 20), { isEnded: false })).toBeUndefined();
  });
});

describe('a match', () => {
  test('must start before the limit, and may end after it', () => {
    const text = `${'z'.repeat(50)}hit${'z'.repeat(50)}`;
    expect(find('hit', text, { to: 50 })).toBeUndefined();
    expect(find('hit', text, { to: 51 })).toBe(50);
  });

  test('must not start before the place from which it is searched', () => {
    expect(find('h?it', `${'z'.repeat(50)}hit`, { from: 51 })).toBe(51);
  });

  test('without any character is wanted at the very end of the line only if the line ends there', () => {
    expect(find('z*$', 'hit', { from: 3, isEnded: true })).toBe(3);
    expect(find('z*$', 'hit', { from: 3, isEnded: false })).toBeUndefined();
  });

  test('never starts or ends inside a surrogate pair', () => {
    for (let before = 0; before < 12; before++) {
      expect(find('[^🙂x]', 'x'.repeat(before) + '🙂'.repeat(100))).toBeUndefined();
    }
  });
});

describe('the steps of a search', () => {
  test.each(['a+b', '(a|aa)+$', 'x', 'a.*b', '(a*)*b'])('have one window at most, and few overlap: %s', (source) => {
    const length = 20_000;
    const { steps } = search(compile(source, 1024), { text: 'a'.repeat(length) });
    expect(Math.max(...steps)).toBeLessThanOrEqual(1024);
    expect(steps.reduce((sum, characters) => sum + characters, 0)).toBeLessThan(length * 1.5);
  });

  test('are one for a line that fits into a window', () => {
    expect(search(compile('x'), { text: 'a'.repeat(WINDOW) }).steps).toEqual([WINDOW]);
  });

  test('end with the first match', () => {
    expect(search(compile('a'), { text: 'a'.repeat(100_000) }).steps).toEqual([WINDOW]);
  });
});
