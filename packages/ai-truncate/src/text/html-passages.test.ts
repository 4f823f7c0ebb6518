import { describe, expect, test } from 'vitest';
import { type HtmlPassage, HtmlPassages } from './html-passages.ts';

function passagesOf(html: string): HtmlPassage[] {
  const passages: HtmlPassage[] = [];
  const reader = new HtmlPassages((passage) => passages.push(passage));
  reader.push(html);
  reader.finish();
  return passages;
}

function textsOf(html: string): string[] {
  return passagesOf(html).map(({ text }) => text);
}

describe('the readable text of HTML', () => {
  test('has a passage for each block, with the line and the column of its first character', () => {
    const html = '<body>\n  <h1>A <b>title</b></h1><p>One\n  two</p>\n<ul><li>three<li>four</ul>';
    expect(passagesOf(html)).toEqual([
      { text: 'A title', kind: 'heading', level: 1, line: 2, at: 6, end: 16 },
      { text: 'One two', kind: 'text', level: 0, line: 2, at: 28, end: Number.POSITIVE_INFINITY },
      { text: 'three', kind: 'text', level: 0, line: 4, at: 8, end: 13 },
      { text: 'four', kind: 'text', level: 0, line: 4, at: 17, end: 21 },
    ]);
  });

  test('begins with the title and the description', () => {
    const html =
      '<head><meta name="description" content="Said to be &quot;it&quot;"><title>\nMy &amp; page\n</title></head>';
    expect(passagesOf(html).map(({ text, kind, line }) => [text, kind, line])).toEqual([
      ['Said to be "it"', 'description', 1],
      ['My & page', 'title', 2],
    ]);
  });

  test.each([
    ['a script', '<script>if (a < b) document.write("<p>no</p>")</script>'],
    ['a script with the end of another element', '<script>x = "</div>"</script >'],
    ['a style', '<style>p { color: red }</style>'],
    ['a drawing', '<svg><title>no</title><svg><text>no</text></svg><text>no</text></svg>'],
    ['a template', '<template><p>no</p></template>'],
    ['a comment', '<!-- <p>no</p> -- no > -->'],
    ['an empty comment', '<!-->'],
    ['a declaration', '<!DOCTYPE html PUBLIC "no">'],
    ['a processing instruction', '<?xml version="no"?>'],
    ['an attribute with tags', `<a title="<p>no</p>" data-x='no > no'></a>`],
    ['a large attribute', `<img src="data:image/png;base64,${'no"'.slice(0, 2).repeat(50_000)}">`],
    ['a custom element', '<my-element no="no"></my-element>'],
  ])('has no %s', (_, part) => {
    expect(textsOf(`<p>before ${part}after</p>`)).toEqual([expect.stringMatching(/^before ?after$/)]);
  });

  test('contains the text of CDATA', () => {
    expect(textsOf('<p>a <![CDATA[b & c]]></p>')).toEqual(['a b & c]]>']);
  });

  test.each([
    '1 < 2',
    'a <- b',
    '<3',
    'Map<String, List<T>>',
    '<T extends Shape>',
    'if a<b&&c>d',
    'x <',
    '</',
    '<unknown>',
  ])('contains %s', (text) => {
    expect(textsOf(`<p>${text}</p>`)).toEqual([text]);
  });

  test('continues after a tag that never ended', () => {
    expect(textsOf('<p>one <a href="x" <b>two</b></p><div class=\n<p>three')).toEqual(['one two', 'three']);
    expect(textsOf(`${'<p a="b"<i>one</i></p>'.repeat(3)}<script a="b"<p>no</p></script>`)).toEqual([
      'one',
      'one',
      'one',
    ]);
  });

  test('decodes references to characters', () => {
    const html = '<p>&lt;b&gt; &#233;&#xE9;&eacute; &nbsp;&unknown; &#0;&#xD800; &amp;amp; AT&T</p>';
    expect(textsOf(html)).toEqual(['<b> ééé &unknown; \ufffd\ufffd &amp; AT&T']);
  });

  test('separates the cells of a row, also over several lines', () => {
    expect(
      textsOf('<table><tr>\n<th>Height</th>\n<td>3,754 m</td>\n</tr><tr><td>a</td><td></td><td>b</td></tr></table>'),
    ).toEqual(['Height | 3,754 m', 'a | | b']);
  });

  test('has the lines of preformatted text', () => {
    expect(passagesOf('<pre>\nif x:\n    y &lt; 1\n\nend</pre>').map(({ text, line }) => [text, line])).toEqual([
      ['if x:', 2],
      ['    y < 1', 3],
      ['end', 5],
    ]);
  });

  test('contains addresses of other sites, and the words for images', () => {
    const html =
      '<p>See <a href="/wiki/X">here</a> or <a class=y href=\'https://a.org/?x=1&amp;y\'>there</a>, <a href="https://b.org">https://b.org</a> <img alt="a\nmap" src=x></p>';
    expect(textsOf(html)).toEqual(['See here or there (https://a.org/?x=1&y), https://b.org [a map]']);
  });

  test('is cut after a sentence or a word, and every part has its place', () => {
    const sentence = 'The quick brown fox jumps over the lazy dog.\n';
    const passages = passagesOf(`<p>${sentence.repeat(400)}</p>`);
    expect(passages.every(({ text }) => text.endsWith('dog.') && text.startsWith('The'))).toBe(true);
    const lines = passages.map(({ text }) => text.split('The').length - 1);
    let line = 1;
    for (const [index, count] of lines.entries()) {
      expect(passages[index]).toMatchObject({ line, at: line === 1 ? 3 : 0 });
      line += count;
    }
    expect(line).toBe(401);
    for (const { text } of passagesOf(`<p>${'漢字'.repeat(3000)}</p><p>${'😀'.repeat(3000)}</p>`)) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(600);
      expect(text).not.toMatch(/\p{Surrogate}/u);
    }
  });

  test('shows only the first passage of a heading whose end is missing as a heading', () => {
    const passages = passagesOf('<h2>One<p>two</p><p>three</p><h3></h3><p>four</p>');
    expect(passages.map(({ text, level }) => [text, level])).toEqual([
      ['One', 2],
      ['two', 0],
      ['three', 0],
      ['four', 0],
    ]);
  });
});

test('the counts say how much of a text is HTML', () => {
  const reader = new HtmlPassages(() => {});
  reader.push('<html><head>text</head><p>one</p><script>two');
  expect(reader.finish()).toEqual({
    chars: 44,
    markupChars: 37,
    blockEnds: 2,
    unclosedChars: 3,
    textChars: 7,
    headChars: 4,
  });
});
