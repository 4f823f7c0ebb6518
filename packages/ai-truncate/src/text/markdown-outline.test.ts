import { describe, expect, test } from 'vitest';
import { MarkdownOutline } from './markdown-outline.ts';
import { LineStarts, type Outline } from './outline.ts';

function outlineOf(text: string, { isNamed = true } = {}): Outline | undefined {
  const markdown = new MarkdownOutline();
  const lines = new LineStarts((start, line) => markdown.read(start, { line }));
  lines.push(text);
  lines.finish();
  return markdown.finish({ isNamed });
}

function headingsOf(text: string): [level: number, line: number, text: string][] {
  const { entries } = outlineOf(`${text}\n\n# a\n\nb\n\nc\n\nd\n\n# e\n\n${'text\n'.repeat(9)}`) ?? { entries: [] };
  return entries.slice(0, -2).map(({ level, line, text }) => [level, line, text]);
}

describe('the headings of Markdown', () => {
  test('have levels and lines', () => {
    expect(headingsOf('# One\n\ntext\n\n### Two ###\r\n\n   ## Three\n\n#')).toEqual([
      [1, 1, '# One'],
      [3, 5, '### Two ###'],
      [2, 7, '   ## Three'],
      [1, 9, '#'],
    ]);
  });

  test('may be underlined', () => {
    expect(headingsOf('One\n===\n\ntext\n\nTwo\n---\n\ntext')).toEqual([
      [1, 1, 'One'],
      [2, 6, 'Two'],
    ]);
  });

  test('may follow each other', () => {
    expect(headingsOf('# One\n## Two\n### Three\ntext')).toHaveLength(3);
  });

  test('may be HTML', () => {
    expect(headingsOf('<h1 align="center">One</h1>\n\ntext')).toEqual([[1, 1, '<h1 align="center">One</h1>']]);
  });

  test.each([
    ['a line of a code block', 'text\n\n```sh\n# no\n```'],
    ['a line of a longer code block', '````md\n```\n# no\n\n```\n# no\n````'],
    ['a line of a code block with tildes', '~~~\n```\n# no\n~~~'],
    ['a line of a code block without an end', 'text\n\n\n# a\n\n```\n# no'.replace('\n\n\n# a', '')],
    ['a number with a sign', 'text\n\n#1 is no heading\n#no'],
    ['seven signs', '####### no'],
    ['indented code', 'text\n\n    # no'],
    ['the end of the front matter', '---\ntitle: no\n---\n\ntext'],
    ['a rule after a list', '- no\n---'],
    ['a table', '| no |\n|----|\n| no |'],
    ['the last line of a long paragraph', 'one\ntwo\n---'],
  ])('do not include %s', (_, text) => {
    expect(headingsOf(text).map(([, , heading]) => heading)).toEqual([]);
  });
});

describe('a text is no Markdown', () => {
  test.each([
    ['with a heading alone', '# One\n\ntext\n\ntext'],
    ['of headings alone', '# One\n\n# Two\n\n# Three'],
    [
      'that is a log',
      Array.from({ length: 50 }, (_, index) => `start ${index}\n# progress ${index} %\nend`).join('\n'),
    ],
    ['that is a script', '#!/bin/sh\n\n# one\n\nls\nls\nls\n\n# two\n\nls\nls\nls\n'],
  ])('%s', (_, text) => {
    expect(outlineOf(text)).toBeUndefined();
  });

  test('without lists, links or code, unless its name says so', () => {
    const text = 'one\ntwo\n\n# three\n\nfour\n\nfive\n\n# six\n\nseven\n\neight\n\n# nine\n\nten\n\neleven';
    expect(outlineOf(text, { isNamed: false })).toBeUndefined();
    expect(outlineOf(text)?.count).toBe(3);
    expect(outlineOf(`${text}\n- twelve`, { isNamed: false })?.count).toBe(3);
  });
});
