import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { processorMsOf } from '../fixtures/processor-ms';

/*
 * Runs every pattern of the demo on texts that are made from the pattern to be slow: each sequence of its parts, repeated after
 * the parts before it.
 */

/** An exponential pattern exceeds the bound with the first size, a cubic one with the second and a quadratic one with the last two. */
const SIZES = [24, 1024, 8 * 1024, 64 * 1024];
/** Processor time for one text. A linear pattern takes less than 2 ms. */
const MAX_MS = 15;
/** Most of these prevent a match at the end of the text. */
const ENDINGS = ['', '!', 'x\rx\n'];
/** Most character classes contain one of these. */
const CHARACTERS = ['x', 'a', '1', ' ', '-', '_', '.', '"', '`', '\\', '\n', '\r', '\u001b', '\u200b', '\u{e0041}'];

/** Every pattern is also run on repetitions of these, because they lead into different alternatives of a pattern. */
const MIXED = ['a1', 'a_', '_a', 'a.', 'a-', '"\\', '\\"', '\n ', '[]'];

const root = join(import.meta.dirname, '..');
const files = globSync('{*.ts,{agent,app,components,lib}/**/*.{ts,tsx}}', { cwd: root }).filter(
  (file) => !file.includes('.test'),
);

test('every pattern of the demo takes linear time, even on hostile texts', { timeout: 60_000 }, () => {
  const patterns = files.flatMap(patternsIn);
  expect(patterns.length).toBeGreaterThan(80);
  const slow = patterns.map(({ place, pattern }) => ({ place, text: slowTextOf(pattern) }));
  expect(slow.filter(({ text }) => text !== undefined)).toEqual([]);
});

test('the demo builds no pattern at run time, because the test above reads literals only', () => {
  expect(files.filter((file) => /\bRegExp\(/.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});

test.each([
  /\S*tool_\d{8}_\d{6}_[a-z0-9_-]+\.(?:txt|json|bin)/,
  /<start>\n([\s\S]*?)\n?<\/start>/,
  /\bmake .* pass\b/,
  /^- Expected\s+(.*)$/,
  /[a-z]\w*\.\w+|\b\d{2,}\b|\b[A-Za-z]{5,}\b/g,
  /"(?:[^"\\]|\\.)*"|[^"]/g,
  /(?:\w+,?)+;/,
])('%s is found to be slow', (pattern) => {
  expect(slowTextOf(pattern)).toBeDefined();
});

function patternsIn(file: string): { place: string; pattern: RegExp }[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const patterns: { place: string; pattern: RegExp }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      patterns.push({
        place: `${file}:${line}`,
        pattern: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return patterns;
}

/** Tries all short texts first, because a pattern that is far worse than quadratic would not end on a long one. */
function slowTextOf(pattern: RegExp): Text | undefined {
  const texts = [...pumpsOf(pattern)].flatMap((pump) =>
    ENDINGS.map((ending): Text => ({ ...JSON.parse(pump), ending })),
  );
  for (const size of SIZES) {
    const slow = texts.find((text) => isSlow(pattern, { text, size }));
    if (slow) return slow;
  }
  return undefined;
}

interface Text {
  prefix: string;
  pump: string;
  ending: string;
}

function isSlow(pattern: RegExp, { text: { prefix, pump, ending }, size }: { text: Text; size: number }): boolean {
  const text = prefix + pump.repeat(Math.ceil(size / pump.length)) + ending;
  // Three times, because garbage of an earlier text may be collected during one of them.
  return [1, 2, 3].every(() => processorMsOf(() => findAll(pattern, text)) > MAX_MS);
}

/** Replaces, because a list of all matches would take longer than the search. */
function findAll(pattern: RegExp, text: string): void {
  text.replace(pattern, '');
}

/** Pairs of a prefix and the text that is repeated after it, as JSON so that a set holds each pair once. */
function pumpsOf({ source, flags }: RegExp): Set<string> {
  const pumps = new Set(MIXED.map((pump) => JSON.stringify({ prefix: '', pump })));
  const walk = (alternatives: readonly AST.Alternative[], before: string): void => {
    for (const { elements } of alternatives) {
      const parts = elements.map((element) => exampleOf(element, flags));
      for (const [start, element] of elements.entries()) {
        const prefix = before + parts.slice(0, start).join('');
        for (let end = start + 1; end <= parts.length; end++) {
          const pump = parts.slice(start, end).join('');
          if (pump !== '') pumps.add(JSON.stringify({ prefix, pump }));
        }
        const inner = element.type === 'Quantifier' ? element.element : element;
        if ('alternatives' in inner) walk(inner.alternatives, prefix);
      }
    }
  };
  walk(new RegExpParser().parsePattern(source, 0, source.length, { unicode: /u/.test(flags) }).alternatives, '');
  return pumps;
}

/** A short text that this part matches. */
function exampleOf(node: AST.Element | AST.QuantifiableElement, flags: string): string {
  switch (node.type) {
    case 'Character':
      return String.fromCodePoint(node.value);
    case 'CharacterClass':
    case 'CharacterSet': {
      const pattern = new RegExp(`^${node.raw}$`, flags.replace(/[gym]/g, ''));
      const first = node.type === 'CharacterClass' ? node.elements[0] : undefined;
      const own = first?.type === 'CharacterClassRange' ? first.min.value : first?.type === 'Character' && first.value;
      return CHARACTERS.find((character) => pattern.test(character)) ?? String.fromCodePoint(own || 0x78);
    }
    case 'Quantifier':
      return exampleOf(node.element, flags).repeat(Math.min(Math.max(1, node.min), 20));
    case 'Group':
    case 'CapturingGroup':
      return node.alternatives[0]?.elements.map((element) => exampleOf(element, flags)).join('') ?? '';
    default:
      return '';
  }
}
