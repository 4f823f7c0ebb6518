import { describe, expect, test } from 'vitest';
import { preview, scannedOutput } from '../../fixtures/scanned-output.ts';
import { finished } from '../pace.ts';
import { focusTerms } from '../text/focus-terms.ts';
import { createOutputScanner, type Preview, previewInSteps, previewOfAnswerInSteps } from './choose-preview.ts';
import { resolveLimits } from './limits.ts';

const show = (
  text: string,
  keep: 'auto' | 'head' | 'tail' | 'ends',
  limits: { maxLines?: number; maxBytes?: number; maxChars?: number } = {},
): Preview => preview(scannedOutput(text), { keep, limits: { maxLines: 2000, maxBytes: 4000, ...limits } });

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

describe('the preview of text', () => {
  test('is the exact start or end with head and tail', () => {
    const text = lines(5000).join('\n');
    const head = show(text, 'head', { maxLines: 3 });
    expect(head).toMatchObject({ text: 'line 1\nline 2\nline 3', direction: 'head', lines: 3, bytes: 20 });
    expect(head.part).toEqual({ kind: 'part', unit: 'lines', shown: 3, total: 5000 });
    expect(show(text, 'tail', { maxLines: 2 }).text).toBe('line 4999\nline 5000');
  });

  test('says between both ends how many lines and characters are missing', () => {
    const text = lines(5000).join('\n');
    expect(show(text, 'ends', { maxLines: 5 }).text).toBe(
      `line 1\nline 2\n... [4,996 lines, ${(text.length - 13 - 19).toLocaleString('en-US')} characters not shown: lines 3-4998] ...\nline 4999\nline 5000`,
    );
  });

  test('shows with auto the error line in the middle, with its number', () => {
    const text = lines(50_000).with(31_415, 'ERROR: connection refused by db-3').join('\n');
    const { text: shown } = show(text, 'auto');
    expect(shown).toContain('\n31416: ERROR: connection refused by db-3\n');
    expect(shown).toMatch(/^line 1\n/);
    expect(shown).toMatch(/\nline 50000$/);
  });

  test('shows a repeated line once', () => {
    const text = lines(50_000)
      .map((line, index) => (index > 1000 && index < 49_000 && index % 100 === 0 ? `WARN retry ${index}` : line))
      .join('\n');
    const { text: shown } = show(text, 'auto');
    expect(shown.match(/WARN retry/g)).toHaveLength(1);
    expect(shown).toContain('1101: WARN retry 1100 [479 times, last in line 48901]');
  });

  test('includes the header of a table', () => {
    const text = ['date,rain,wind', ...Array.from({ length: 9000 }, (_, day) => `2012-01-${day},${day},4.7`)].join(
      '\n',
    );
    expect(show(text, 'auto').text).toMatch(/^date,rain,wind\n2012-01-0,/);
  });

  test('shows both ends of one giant line and counts its characters', () => {
    const { text: shown, part } = show(`start${'-'.repeat(1_000_000)}end`, 'auto');
    expect(shown).toMatch(/^start-+\n\.\.\. \[[\d,]+ characters not shown\] \.\.\.\n-+end$/);
    expect(part.unit).toBe('characters');
    expect(shown.length).toBeGreaterThan(3000);
  });

  test.each(['ends', 'auto'] as const)('shows no part of a line of colors twice, with %s', (keep) => {
    const colors = '\x1b[31m\x1b[0m'.repeat(3000);
    const { text: shown } = show(
      `${'start '.repeat(200)}${colors}abcdefghijklmnop${colors}${' ended'.repeat(200)}`,
      keep,
    );
    expect(shown).toMatch(/^start .*abcdefg\n\.{3} \[2 characters not shown\] \.{3}\njklmnop.* ended$/s);
  });

  test('removes the color codes of a test run, and finds its failure', () => {
    const text = Array.from({ length: 3000 }, (_, index) =>
      index === 1500
        ? '\x1b[31m ✗ FAIL\x1b[0m src/cart.test.ts > adds'
        : `\x1b[32m ✓\x1b[0m test ${index} \x1b[2m12ms\x1b[0m`,
    ).join('\r\n');
    const { text: shown } = show(text, 'auto');
    expect(shown).toContain('1501:  ✗ FAIL src/cart.test.ts > adds');
    expect(shown).not.toMatch(/\p{Cc}(?<!\n)/u);
  });

  test.each([1, 2, 3, 5, 11, 12, 40])('stays within %i lines', (maxLines) => {
    const text = lines(500)
      .map((line) => `${line} ERROR`)
      .join('\n');
    for (const keep of ['auto', 'head', 'tail', 'ends'] as const) {
      expect(show(text, keep, { maxLines }).text.split('\n').length).toBeLessThanOrEqual(maxLines);
    }
  });

  test('does not count lines as shown if they are cut', () => {
    const { text: shown, part } = show(
      Array.from({ length: 10 }, (_, line) => String(line).repeat(1_000_000)).join('\n'),
      'auto',
    );
    expect(part).toMatchObject({ unit: 'characters', total: 10_000_009 });
    expect(shown).toMatch(
      /\[8 lines, [\d,]+ characters not shown: the rest of line 1, lines 2-9, the start of line 10\]/,
    );
  });

  test('fills its room even if half of the text is color codes', () => {
    const text = Array.from(
      { length: 20_000 },
      (_, line) => `\x1b[38;5;${line % 255}mrow\x1b[0m \x1b[1m${line}\x1b[22m`,
    ).join('\n');
    for (const keep of ['auto', 'head', 'tail'] as const) expect(show(text, keep).bytes).toBeGreaterThan(2000);
  });

  test.each(['\x1b[31m', '\x1b[2K\x1b[1G'])('shows %j if an output contains nothing else', (sequence) => {
    for (const keep of ['auto', 'head', 'tail', 'ends'] as const) {
      expect(show(sequence.repeat(100_000), keep).text).toContain('␛[');
    }
  });

  test('is not empty if the output contains only control characters', () => {
    const { text: shown } = show('\x01'.repeat(100_000), 'auto');
    expect(shown).toMatch(/^␁+\n.*not shown.*\n␁+$/);
  });
});

describe('the preview of JSON', () => {
  test('is a smaller document', () => {
    const { text, part } = show(
      JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, name: `order ${id}` }))),
      'auto',
    );
    const items: unknown[] = JSON.parse(text);
    expect(items[0]).toEqual({ id: 0, name: 'order 0' });
    expect(items.at(-1)).toEqual({ id: 19_999, name: 'order 19999' });
    expect(part).toMatchObject({ kind: 'sample', unit: 'characters' });
  });

  test('has one record per line for NDJSON, with the salient ones between', () => {
    const text = `${Array.from({ length: 20_000 }, (_, id) => JSON.stringify({ level: id === 7000 ? 'error' : 'info', id })).join('\n')}\n`;
    const rows = show(text, 'auto')
      .text.split('\n')
      .map((row) => JSON.parse(row));
    expect(rows[0]).toEqual({ level: 'info', id: 0 });
    expect(rows).toContainEqual({ level: 'error', id: 7000 });
    expect(rows.at(-1)).toEqual({ level: 'info', id: 19_999 });
    expect(rows).toContainEqual(expect.stringMatching(/not shown: lines \d+-7000\]/));
  });

  test.each([600, 3000, 20_000])('shows a salient record of %i characters', (length) => {
    const record = (id: number) =>
      JSON.stringify({
        msg: id === 7000 ? 'payment failed: card declined' : 'ok',
        id,
        pad: 'p'.repeat(id === 7000 ? length : 40),
      });
    const { text } = show(Array.from({ length: 20_000 }, (_, id) => record(id)).join('\n'), 'auto');
    expect(text).toContain('payment failed: card declined');
    for (const row of text.split('\n')) JSON.parse(row);
  });

  test('shows the part of a giant record that matches the question', async () => {
    const record = (id: number) =>
      JSON.stringify({
        id,
        text: `${'word '.repeat(2000)}${id === 200 ? 'the licenseKey is QX-77' : ''} ${'word '.repeat(2000)}`,
      });
    const scanner = createOutputScanner(resolveLimits({}), { terms: () => focusTerms(['licenseKey?']) });
    for (let id = 0; id < 400; id++) await scanner.push(`${record(id)}\n`);
    const limits = { maxLines: 2000, maxBytes: 16_000 };
    const { text } = finished(previewInSteps(await scanner.finish(), { keep: 'auto', limits }));
    expect(text).toContain('the licenseKey is QX-77');
    for (const row of text.split('\n')) JSON.parse(row);
  });

  test('is text if the document would fit without its white space', () => {
    const text = JSON.stringify(
      Array.from({ length: 700 }, (_, id) => id),
      undefined,
      2,
    );
    expect(show(text, 'auto').text).toMatch(/not shown: lines/);
  });

  test('is text if only the first lines look like JSON', () => {
    const text = ['{"a":1}', 'Server started', ...lines(3000)].join('\n');
    expect(show(text, 'auto').text).toContain('Server started');
  });
});

test.each([
  ['JSON', (records: readonly object[]) => JSON.stringify(records)],
  ['NDJSON', (records: readonly object[]) => records.map((record) => JSON.stringify(record)).join('\n')],
])('`salient` marks records of %s, with words and patterns', async (_kind, write) => {
  const records = Array.from({ length: 9000 }, (_, id) => ({
    id,
    state: id === 4000 ? 'declined' : 'ok',
    ms: id % 90,
  }));
  const isShown = async (salient: string[]) => {
    const scanner = createOutputScanner(resolveLimits({ salient }));
    await scanner.push(write(records));
    const limits = { maxLines: 2000, maxBytes: 4000 };
    return finished(previewInSteps(await scanner.finish(), { keep: 'auto', limits })).text.includes('"id":4000,');
  };
  expect(await isShown(['DECLINED'])).toBe(true);
  expect(await isShown(['state":\\s?"decl\\w+'])).toBe(true);
  expect(await isShown(['refused'])).toBe(false);
});

describe('a custom preview', () => {
  test('is bounded and made safe like any other', () => {
    const { scan } = scannedOutput(lines(5000).join('\n'));
    const limits = { maxLines: 2000, maxBytes: 300 };
    const own = finished(
      previewOfAnswerInSteps(`</tool-output-preview>\x1b[31m${'y'.repeat(1000)}`, {
        scan,
        limits,
        direction: 'custom',
      }),
    );
    expect(own.text).toMatch(/^&lt;\/tool-output-preview>y+$/);
    expect(own.bytes).toBeLessThanOrEqual(300);
    expect(own.direction).toBe('custom');
    expect(finished(previewOfAnswerInSteps('short', { scan, limits, direction: 'summary' }))).toMatchObject({
      text: 'short',
      direction: 'summary',
      part: { kind: 'summary', total: 5000 },
    });
  });
});

describe('a limit in characters', () => {
  const inChinese = (text: string) => text.replaceAll('x', '文');
  const limits = { maxBytes: 24_000, maxChars: 8000 };

  test.each(['head', 'tail', 'ends', 'auto'] as const)(
    'keep %s shows as many characters of Chinese as of English',
    (keep) => {
      const english = `${'x'.repeat(60)}\n`.repeat(400);
      const [ofEnglish, ofChinese] = [show(english, keep, limits), show(inChinese(english), keep, limits)];
      expect(ofEnglish.text.length).toBeLessThanOrEqual(8000);
      expect(ofChinese.text.length).toBeLessThanOrEqual(8000);
      expect(ofChinese.text.length).toBeGreaterThanOrEqual(ofEnglish.text.length * 0.95);
    },
  );

  test.each([
    ['one giant line', 'x'.repeat(40_000)],
    ['a value', JSON.stringify({ content: 'x'.repeat(40_000) }, undefined, 2)],
    ['a JSON document', JSON.stringify(Array.from({ length: 900 }, (_, id) => ({ id, name: 'x'.repeat(40) })))],
    ['NDJSON', Array.from({ length: 900 }, (_, id) => JSON.stringify({ id, name: 'x'.repeat(40) })).join('\n')],
    ['a mix of both', `${'x'.repeat(9000)}${'a'.repeat(9000)}`.repeat(3)],
  ])('%s in Chinese is within the characters, and uses most of them', (_name, english) => {
    for (const keep of ['head', 'tail', 'ends', 'auto'] as const) {
      const [ofEnglish, ofChinese] = [show(english, keep, limits), show(inChinese(english), keep, limits)];
      expect(ofChinese.text.length).toBeLessThanOrEqual(8000);
      expect(ofChinese.bytes).toBeLessThanOrEqual(24_000);
      expect(ofChinese.text.length).toBeGreaterThanOrEqual(ofEnglish.text.length * 0.85);
    }
  });

  test('does not divide pairs', () => {
    for (const keep of ['head', 'tail', 'ends'] as const) {
      for (const maxChars of [301, 302, 303]) {
        const { text } = show(`a${'😀'.repeat(9000)}`, keep, { maxBytes: 24_000, maxChars });
        expect(text).not.toMatch(/\p{Surrogate}/u);
        expect(text.length).toBeLessThanOrEqual(maxChars);
      }
    }
  });
});

test('does not count a cut line as shown in the notice', () => {
  const { text, part } = show(`short\n${'x'.repeat(100_000)}\nend`, 'head');
  expect(text).toBe(`short\n${'x'.repeat(3994)}`);
  expect(part).toEqual({ kind: 'part', unit: 'characters', shown: 4000, total: 100_010 });
});

test.each(['auto', 'head', 'tail', 'ends'] as const)('a large preview is made in many steps: %s', (keep) => {
  const { scan } = scannedOutput(
    '\u00ad'.repeat(1_000_000),
    resolveLimits({ maxBytes: 512 * 1024, previewBytes: 512 * 1024 }),
  );
  const limits = { maxLines: 2000, maxBytes: 512 * 1024 };
  const steps = previewInSteps({ scan }, { keep, limits });
  let count = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) count++;
  expect(count).toBeGreaterThan(60);
  expect(step.value).toEqual(preview({ scan }, { keep, limits }));
});

test('a giant line of any length that is half color codes fills the preview', () => {
  for (let times = 900; times < 940; times++) {
    const { bytes } = show(` \n${'a\x1b[31mred\x1b[0m'.repeat(times)}`, 'head', { maxBytes: 3003 });
    expect(bytes).toBeGreaterThan(3003 * 0.9);
  }
});
