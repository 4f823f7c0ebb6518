import { textFragments } from '../fixtures/text-fragments.ts';
import type { SeededRandom } from './seeded-random.ts';

const picture = { type: 'image', data: 'iVBORw0KGgo='.repeat(20), mimeType: 'image/png' };

/** An output of about this many characters: any kind of text, a value or an envelope. */
export function fuzzedOutput(random: SeededRandom, chars: number): unknown {
  return random.oneOf(random.next() < 0.5 ? texts : values)(random, chars);
}

/** Text of fragments that test a bound, and sometimes of any code units. */
function fuzzedText(random: SeededRandom, chars: number): string {
  let text = '';
  while (text.length < chars) text += random.next() < 0.05 ? anyUnits(random) : random.oneOf(textFragments);
  return text;
}

function anyUnits(random: SeededRandom): string {
  return String.fromCharCode(...Array.from({ length: 1 + random.below(6) }, () => random.below(0x10000)));
}

/** A few fragments, many times over, because most of a real output repeats. */
function repeated(random: SeededRandom, chars: number): string {
  const piece = fuzzedText(random, 5 + random.below(100)) || 'x';
  return piece.repeat(Math.ceil(chars / piece.length));
}

function lines(random: SeededRandom, { chars, ending }: { chars: number; ending: string }): string {
  const level = () => random.oneOf(['INFO', 'INFO', 'INFO', 'WARN', 'ERROR', 'FATAL']);
  const line = (index: number) => `${index} ${level()} ${random.below(1e6)} ${random.oneOf(textFragments)}`;
  return Array.from({ length: Math.ceil(chars / 25) }, (_, index) => line(index)).join(ending);
}

function rows(random: SeededRandom, chars: number): Record<string, unknown>[] {
  const text = fuzzedText(random, random.below(60));
  return Array.from({ length: 1 + Math.floor(chars / (40 + text.length)) }, (_, id) => ({
    id,
    [random.oneOf(['name', 'status', 'a"b', '\ud83d', '…', '__proto__x'])]: random.oneOf([text, null, 1.5, true, []]),
    text,
  }));
}

function nested(random: SeededRandom, chars: number): unknown {
  if (chars < 40) return random.oneOf<unknown>([fuzzedText(random, chars), random.below(1e9), null, false, {}, []]);
  const parts = 1 + random.below(4);
  const items = Array.from({ length: parts }, () => nested(random, Math.floor(chars / parts) - 20));
  if (random.next() < 0.5) return items;
  return Object.fromEntries(items.map((item, index) => [random.oneOf(textFragments) + index, item]));
}

/** Parts of pages, Markdown and diffs, whole and broken. */
const kinds = {
  page: [
    ...[
      '<p>',
      '</p>',
      '<h2>',
      '</h2>',
      '<h1 class="a > b">',
      '<td>',
      '</tr>',
      '<pre>',
      '</pre>',
      '<br>',
      '<a href="https://a.org">',
      '</a>',
    ],
    ...[
      '<script>',
      '</script>',
      '<style>',
      '</style>',
      '<svg>',
      '</svg>',
      '<!--',
      '-->',
      '<title>',
      '</title>',
      '<',
      '&lt;',
      '&#x202e;',
      '\n',
    ],
    ...[
      '<meta name="description" content="status">',
      '<img alt="name">',
      '</head>',
      'status ',
      'ERROR 7 ',
      'name of it. ',
    ],
  ],
  markdown: [
    '# name\n',
    '\n## status 7\n\n',
    '### ERROR\n',
    '```\n',
    '- a [link](b)\n',
    'name\n===\n',
    '\n',
    '> 7\n',
    '---\n',
    'text ',
  ],
  diff: [
    ...[
      'diff --git a/name b/name\n',
      '--- a/name\n',
      '+++ b/name\n',
      '@@ -1,2 +1,2 @@ status\n',
      '+ERROR 7\n',
      '-name\n',
      ' same\n',
    ],
    ...['@@ -1 +1 @@\n-one\n+two\n', '\\ No newline at end of file\n', ' [adds 9 lines, removes 9]\n', '\n'],
  ],
} as const;
/** Beginnings that most texts of these kinds have, so that they are recognized. */
const starts = {
  page: ['<!doctype html>', `<html><head></head>${'<p>status</p>'.repeat(9)}`, '<div><p>', ''],
  markdown: ['# name\n\n- a\n\n# name\n\ntext\n\n# name\n\ntext\n', ''],
  diff: ['diff --git a/name b/name\n', ''],
} as const;

function ofKind(random: SeededRandom, chars: number): string {
  const kind = random.oneOf(['page', 'page', 'markdown', 'diff'] as const);
  const parts: readonly [string, ...string[]] = kinds[kind];
  // A few parts, many times over, are more often a whole of their kind.
  const some: [string, ...string[]] = [
    random.oneOf(parts),
    random.oneOf(parts),
    random.oneOf(parts),
    random.oneOf(parts),
  ];
  let text: string = random.oneOf<string>(starts[kind]);
  while (text.length < chars)
    text += random.next() < 0.1 ? random.oneOf(textFragments) : random.oneOf(random.next() < 0.7 ? some : parts);
  return text;
}

/** A table with a header, whose cells have quotes, line breaks and separators of other tables. */
function table(random: SeededRandom, chars: number): string {
  const delimiter = random.oneOf([',', ';', '\t', '|']);
  const cell = (text: string) =>
    random.next() < 0.3 ? `"${text.replaceAll('"', '""')}"` : text.replace(/[",;\t|\n\r]/g, ' ');
  const texts = Array.from({ length: 8 }, () => cell(fuzzedText(random, random.below(30))));
  const row = (id: number) => [id, random.oneOf(texts), random.oneOf(['paid', 'failed', '']), random.below(999) / 4];
  const rows = Array.from({ length: 1 + Math.floor(chars / 40) }, (_, id) => row(id).join(delimiter));
  return [
    ['id', random.oneOf(['name', 'status: x', '… 5 items …', '']), 'state', 'total'].join(delimiter),
    ...rows,
  ].join('\n');
}

type Maker = (random: SeededRandom, chars: number) => unknown;

const texts: readonly Maker[] = [
  fuzzedText,
  ofKind,
  ofKind,
  repeated,
  (random, chars) => lines(random, { chars, ending: '\n' }),
  (random, chars) => lines(random, { chars, ending: '\r\n' }),
  (random, chars) => lines(random, { chars, ending: '\n' }).replaceAll('\n', ' '),
  (random, chars) => JSON.stringify(rows(random, chars)),
  (random, chars) => JSON.stringify(nested(random, chars), undefined, 2),
  (random, chars) =>
    rows(random, chars)
      .map((row) => JSON.stringify(row))
      .join('\n'),
  (random, chars) =>
    rows(random, chars)
      .map(({ id, text }) => `${id},"${text}",${random.below(99)}`)
      .join('\n'),
  table,
  (random, chars) => random.oneOf(['\x1b[31m', '\u202e', '\u{e0041}', '\ud83d', '\0', '\r']).repeat(chars / 2),
];

const values: readonly Maker[] = [
  rows,
  nested,
  (random, chars) => ({
    url: random.oneOf(['https://a.org', 'b.html', 'c.md']),
    status: 200,
    body: ofKind(random, chars),
  }),
  (random, chars) => [{ path: random.oneOf(['a.diff', 'b.html', 'c.md', 'd.ts']), content: ofKind(random, chars) }],
  (random, chars) => ({ ok: true, rows: rows(random, chars / 2), log: fuzzedText(random, chars / 2) }),
  (random, chars) => Object.fromEntries(rows(random, chars).map((row, index) => [`key ${index}`, row])),
  (random, chars) => ({ error: fuzzedText(random, chars), exitCode: 1 }),
  (random, chars) => ({
    content: [{ type: 'text', text: fuzzedText(random, chars) }, picture],
    isError: random.next() < 0.3,
  }),
  (random, chars) => ({
    status: random.oneOf(['success', 'partial', 'error']),
    data: { content: fuzzedText(random, chars / 2) },
    text: fuzzedText(random, chars / 2),
    error: { code: random.oneOf(textFragments), message: fuzzedText(random, 100) },
    stats: { time_ms: 1, note: fuzzedText(random, chars / 4) },
    context: { cwd: random.oneOf(textFragments), params_input: fuzzedText(random, chars / 4) },
  }),
  // JSON shows nothing of a Map.
  (random, chars) => ({
    hidden: new Map([[random.oneOf(textFragments), fuzzedText(random, chars)]]),
    text: fuzzedText(random, chars),
  }),
  (random, chars) => ({ big: 12n, bytes: new Uint8Array(chars / 4), when: new Date(0), text: repeated(random, chars) }),
  (random, chars) => withCircle({ text: fuzzedText(random, chars) }),
];

function withCircle(value: Record<string, unknown>): unknown {
  value.self = value;
  return value;
}
