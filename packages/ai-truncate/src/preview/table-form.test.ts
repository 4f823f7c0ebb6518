import { describe, expect, test } from 'vitest';
import { preview, scannedOutput } from '../../fixtures/scanned-output.ts';
import { finished } from '../pace.ts';
import { focusTerms } from '../text/focus-terms.ts';
import { byteLength } from '../text/utf.ts';
import { createOutputScanner, previewInSteps } from './choose-preview.ts';
import { resolveLimits } from './limits.ts';

const statuses = ['paid', 'paid', 'paid', 'shipped', 'refunded'];
const cities = ['Berlin', 'Köln', 'São Paulo', '東京'];

/** The rows of a table of orders. */
function orders(count: number): string[][] {
  return [
    ['id', 'placed', 'status', 'city', 'total'],
    ...Array.from({ length: count }, (_, row) => [
      `ord-${row}`,
      new Date(Date.UTC(2026, 0, 1) + row * 3_600_000).toISOString().slice(0, 10),
      row === 1700 ? 'failed' : (statuses[row % 5] ?? ''),
      cities[row % 4] ?? '',
      ((row * 37) % 1000) / 4 === 0 ? '' : String(((row * 37) % 1000) / 4),
    ]),
  ];
}

const table = (rows: string[][], delimiter = ',') => rows.map((row) => row.join(delimiter)).join('\n');

async function show(text: string, { question = '', maxBytes = 4096, maxLines = 2000, salient = [] as string[] } = {}) {
  const scanner = createOutputScanner(resolveLimits({ salient }), { terms: () => focusTerms([question]) });
  await scanner.push(text);
  const limits = { maxLines, maxBytes };
  const shown = finished(previewInSteps(await scanner.finish(), { keep: 'auto', limits }));
  expect(byteLength(shown.text)).toBeLessThanOrEqual(maxBytes);
  expect(shown.text.split('\n').length).toBeLessThanOrEqual(maxLines);
  return shown;
}

/** A CSV parser for tests: cells with quotes and line breaks. */
function parse(text: string, delimiter = ','): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at <= text.length; at++) {
    const character = text[at];
    if (isQuoted && character === '"' && text[at + 1] === '"') cell += text[at++];
    else if (character === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (!isQuoted && (character === delimiter || character === '\n' || character === undefined)) {
      rows.at(-1)?.push(cell);
      cell = '';
      if (character === '\n') rows.push([]);
    } else cell += character;
  }
  expect(isQuoted).toBe(false);
  return rows;
}

/** Checks that all rows of a preview are rows of the output, in their lines. Returns the rows of this library. */
function marksIn(text: string, { rows, delimiter = ',' }: { rows: string[][]; delimiter?: string }): string[] {
  let next = 0;
  /** The lines of the next rows between both ends. */
  let numbered: number[] = [];
  const marks: string[] = [];
  for (const row of parse(text, delimiter)) {
    if (!row[0]?.startsWith('... [')) {
      const line = numbered.shift() ?? next + 1;
      expect(line).toBeGreaterThan(next);
      expect(row).toEqual(rows[line - 1]);
      next = line;
      continue;
    }
    expect(numbered).toEqual([]);
    const [, lines] = /^\.\.\. \[lines? ([\d, ]+); others not shown\] \.\.\.$/.exec(row[0]) ?? [];
    if (lines !== undefined) {
      numbered = lines.split(', ').map(Number);
      continue;
    }
    expect(row.length).toBe(1);
    marks.push(row[0]);
    const [, from, to = from] =
      /lines not shown: lines (\d+)-(\d+)/.exec(row[0]) ?? /line not shown: line (\d+)/.exec(row[0]) ?? [];
    if (from !== undefined) {
      expect(Number(from)).toBe(next + 1);
      next = Number(to);
    }
  }
  expect(next).toBe(rows.length);
  return marks;
}

describe.each([
  ['commas', ','],
  ['tabs', '\t'],
  ['semicolons', ';'],
])('a table with %s', (_name, delimiter) => {
  const rows = orders(4000);
  const text = table(rows, delimiter);

  test('is a smaller table with its header, its first and last rows, and true line numbers', async () => {
    const { text: shown, part } = await show(text);
    const marks = marksIn(shown, { rows, delimiter });
    expect(marks.length).toBe(2);
    expect(part).toMatchObject({ kind: 'part', unit: 'lines', total: 4001 });
  });

  test('has a profile of all rows', async () => {
    const marks = marksIn((await show(text)).text, { rows, delimiter });
    const sum = rows.slice(1).reduce((total, row) => total + Number(row[4]), 0);
    expect(marks[0]?.split('\n')).toEqual([
      '... [profile of all 4,000 rows, including rows that are not shown:',
      'id: more than 1,000 different',
      'placed: 2026-01-01 to 2026-06-16; 167 different; 2026-01-01 (24), 2026-01-02 (24), 2026-01-03 (24), 2026-01-04 (24), 2026-01-05 (24)',
      'status: 4 different; paid (2,399), refunded (800), shipped (800), failed (1)',
      'city: 4 different; Berlin (1,000), Köln (1,000), São Paulo (1,000), 東京 (1,000)',
      `total: 0.25 to 249.75; sum ${sum.toLocaleString('en-US', { useGrouping: Number.isInteger(sum) })}; 999 different; empty 4`,
      '] ...',
    ]);
  });

  test('shows the row that failed, and the row that the question names', async () => {
    const { text: shown, focus } = await show(text, { question: 'What did ord-2041 cost?' });
    const found = parse(shown, delimiter);
    marksIn(shown, { rows, delimiter });
    expect(found).toContainEqual(rows[1701]);
    expect(found).toContainEqual(rows[2042]);
    expect(focus).toContain('ord-2041');
  });

  test('shows the rows that the option `salient` marks', async () => {
    const { text: shown } = await show(text, { salient: ['ord-333[1-3]'] });
    for (let id = 3331; id <= 3333; id++) expect(parse(shown, delimiter)).toContainEqual(rows[id + 1]);
  });
});

test('a table without a header has a profile with numbered names', async () => {
  const rows = orders(3000).slice(1);
  const [mark] = marksIn((await show(table(rows))).text, { rows });
  expect(mark).toContain('\ncolumn_3: 4 different; paid (1,799), ');
  expect(mark).toContain('profile of all 3,000 rows,');
});

describe('a row with line breaks in quotes', () => {
  const rows = Array.from({ length: 2000 }, (_, id) => [String(id), `a "note" of\n\n${id} lines, and more`, 'ok']);
  const text = [['id', 'note', 'state'], ...rows]
    .map((row) => row.map((cell) => (/[,"\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','))
    .join('\r\n');

  test('is shown whole at both ends, with the true line numbers of the gap', async () => {
    const { text: shown } = await show(text, { maxBytes: 3000 });
    const parsed = parse(shown);
    const at = parsed.findIndex(([cell]) => cell?.includes('lines not shown'));
    const head = parsed.slice(0, at).filter((row) => row.length === 3);
    const tail = parsed.slice(at + 1);
    expect(head).toEqual([['id', 'note', 'state'], ...rows].slice(0, head.length));
    expect(tail).toEqual(rows.slice(-tail.length));
    expect(parsed[at]).toEqual([
      `... [${((rows.length - head.length + 1 - tail.length) * 3).toLocaleString('en-US')} lines not shown: lines ${2 + (head.length - 1) * 3}-${1 + (rows.length - tail.length) * 3}] ...`,
    ]);
  });

  test('is shown as one quoted cell with its line number if the question names it', async () => {
    const { text: shown } = await show(text, { question: 'What about 777 lines?' });
    expect(parse(shown)).toContainEqual(['2335: 777 lines, and more",ok']);
  });
});

test('a long row is shortened cell by cell', async () => {
  const rows = Array.from({ length: 500 }, (_, id) => `${id},"${'long, '.repeat(300)}",end ${id}`);
  const { text } = await show(['id,text,last', ...rows].join('\n'), { maxBytes: 8000 });
  const parsed = parse(text);
  expect(parsed[1]).toEqual(['0', expect.stringMatching(/^long, .*…$/), 'end 0']);
  expect(parsed.at(-1)).toEqual(['499', expect.stringMatching(/^long, .*…$/), 'end 499']);
});

test('cells with hidden characters become visible, and the row keeps its cells', async () => {
  const rows = Array.from({ length: 2000 }, (_, id) => `${id},\u001b[31mred\u001b[0m,a\u202eb\u0007`);
  const parsed = parse((await show(['id,color,text', ...rows].join('\n'))).text);
  expect(parsed[1]).toEqual(['0', 'red', 'a\\u{202e}b␇']);
});

test.each([1100, 2000, 16_000])('a table of 300 columns fits into %i bytes', async (maxBytes) => {
  const names = Array.from({ length: 300 }, (_, index) => `column ${index}`);
  const rows = Array.from({ length: 500 }, (_, row) => names.map((_, index) => String(row * index)));
  const { text } = await show(table([names, ...rows]), { maxBytes });
  expect(text).toContain('column 0');
});

test.each([3, 5, 8, 12, 20])('a table is shown within %i lines', async (maxLines) => {
  const { text } = await show(table(orders(3000)), { maxLines });
  expect(text).toMatch(/^id,placed,status,city,total\n/);
});

test('the preview does not depend on the chunks', async () => {
  const text = table(orders(3000));
  const whole = preview(scannedOutput(text), { keep: 'auto', limits: { maxLines: 2000, maxBytes: 4096 } }).text;
  for (const chars of [1, 777, 32 * 1024, 10_000_000]) {
    const scanner = createOutputScanner(resolveLimits({}));
    for (let at = 0; at < text.length; at += chars) await scanner.push(text.slice(at, at + chars));
    const limits = { maxLines: 2000, maxBytes: 4096 };
    const shown = finished(previewInSteps(await scanner.finish(), { keep: 'auto', limits }));
    expect(shown.text).toBe(whole);
  }
});
