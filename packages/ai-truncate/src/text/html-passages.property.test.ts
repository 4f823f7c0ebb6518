import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { textFragments } from '../../fixtures/text-fragments.ts';
import { type HtmlPassage, HtmlPassages } from './html-passages.ts';

const part = fc.oneof(
  fc.constantFrom(
    ...[
      '<p>',
      '</p>',
      '<h2>',
      '</h2 >',
      '<div class="a > b">',
      "<a href='x'>",
      '<a href=https://a.org/b>',
      '</a>',
      '<br/>',
      '<tr><td>',
    ],
    ...[
      '<script>',
      '</script>',
      '<style>',
      '</style',
      '<pre>',
      '</pre>',
      '<svg>',
      '<a b="',
      '<td c=d"<',
      '</svg>',
      '<title>',
      '</title>',
      '<![CDATA[',
      ']]>',
    ],
    ...[
      '<!--',
      '-->',
      '<!',
      '<?',
      '<',
      '>',
      '"',
      "'",
      '=',
      '</',
      '<img alt="w x">',
      '<T>',
      '<unknown-',
      '&amp;',
      '&#',
      ';',
    ],
    ...[
      '\n',
      '\n\n',
      '\r\n',
      ' ',
      '    ',
      'word',
      'A sentence. ',
      '数据。',
      '<meta name=description content="d">',
      'x'.repeat(700),
    ],
  ),
  fc.constantFrom(...textFragments),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const html = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(''));

function passagesOf(html: string, sizes: readonly number[]): { passages: HtmlPassage[]; counts: unknown } {
  const passages: HtmlPassage[] = [];
  const reader = new HtmlPassages((passage) => passages.push(passage));
  for (let at = 0, index = 0; at < html.length; index++) {
    const size = sizes[index % sizes.length] ?? html.length;
    reader.push(html.slice(at, at + size));
    at += size;
  }
  return { counts: reader.finish(), passages };
}

test('the split of HTML into chunks does not change its passages', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.property(html, fc.integer({ min: 1, max: 12 }), sizes, (html, times, sizes) => {
      const text = html.repeat(times);
      expect(passagesOf(text, sizes)).toEqual(passagesOf(text, []));
    }),
    { numRuns: propertyRuns({ sample: 300, full: 50_000 }) },
  );
});

test('a passage begins at its place', async () => {
  let found = 0;
  await fc.assert(
    fc.property(html, (html) => {
      const lines = html.split('\n');
      for (const { text, kind, line, at } of passagesOf(html, []).passages) {
        // White space in preformatted text belongs to a passage, also before a tag.
        const source = (lines[line - 1]?.slice(at) ?? '').replace(/^\s+(?:<[^<>]*>\s*)*/, '');
        const first = [...text.trimStart()][0] ?? '';
        // References and the words for images are not in the source as they are shown.
        if (kind === 'description' || source.trimStart().startsWith('&') || '|[('.includes(first)) continue;
        expect(source.trimStart().startsWith(first)).toBe(true);
        found++;
      }
    }),
    { numRuns: propertyRuns({ sample: 300, full: 50_000 }) },
  );
  expect(found).toBeGreaterThan(100);
});
