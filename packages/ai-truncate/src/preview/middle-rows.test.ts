import { describe, expect, test } from 'vitest';
import { finished } from '../pace.ts';
import { focusTerms } from '../text/focus-terms.ts';
import { createTextScan, type TextScan } from '../text/text-scan.ts';
import { byteLength } from '../text/utf.ts';
import { chooseMiddleRows } from './middle-rows.ts';
import { previewText } from './preview-text.ts';

function scanOf(text: string, question = ''): TextScan {
  const scan = createTextScan({
    headChars: 32_000,
    tailChars: 32_000,
    findsSalientLines: true,
    terms: () => focusTerms([question]),
  });
  scan.push(text);
  return scan.finish();
}

function shown(text: string, question = '', maxBytes = 4096): string {
  return finished(previewText(scanOf(text, question), { maxLines: 2000, maxBytes })).text;
}

function log(lines: number): string[] {
  return Array.from({ length: lines }, (_, index) => `12:00:00 INFO worker took job ${index + 1} of queue main`);
}

describe('the lines between both ends', () => {
  const text = log(5000)
    .toSpliced(2000, 0, 'invoice reference of order 48215: INV-77A')
    .toSpliced(3000, 0, 'ERROR checkout: out of stock')
    .toSpliced(4000, 0, 'Zertifikat abgelaufen')
    .join('\n');

  test('show focused, failed and rare lines with their numbers', () => {
    const preview = shown(text, 'What is the invoiceReference of order 48215?');
    expect(preview).toContain('\n2001: invoice reference of order 48215: INV-77A\n');
    expect(preview).toContain('\n3001: ERROR checkout: out of stock\n');
    expect(preview).toContain('\n4001: Zertifikat abgelaufen\n');
    expect(byteLength(preview)).toBeLessThanOrEqual(4096);
  });

  test('include lines around the best ones if there is room', () => {
    const preview = shown(text, 'What is the invoiceReference of order 48215?');
    expect(preview).toContain('\n2000: 12:00:00 INFO worker took job 2000 of queue main\n2001: ');
    expect(preview).toContain('\n2002: 12:00:00 INFO worker took job 2001 of queue main\n');
  });

  test('begin with a row that counts the other lines by their pattern', () => {
    const preview = shown(text);
    const [, lines = '', alike = ''] =
      /^\.\.\. \[([\d,]+) lines, [\d,]+ characters not shown: lines \d+-\d+, except the 3 rows below; ([\d,]+) like "# INFO worker took job # of queue main"\] \.\.\.$/m.exec(
        preview,
      ) ?? [];
    expect(lines).not.toBe('');
    expect(alike).toBe(lines);
    const shownLines = preview.split('\n').length - 2;
    expect(Number(lines.replaceAll(',', '')) + shownLines).toBe(text.split('\n').length);
  });

  test('begin with a row that also counts the lines of less frequent patterns', () => {
    const words = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel'];
    const others = words.flatMap((one) => words.map((other) => `${one} met ${other} at the gate`));
    const lines = Array.from({ length: 60 }, () => [...log(100), ...others]).flat();
    const preview = shown(lines.join('\n'));
    const [, ...counts] =
      /^\.\.\. \[([\d,]+) lines, .*; ([\d,]+) like "# INFO worker took job # of queue main", ([\d,]+) others\]/m.exec(
        preview,
      ) ?? [];
    const [missing = 0, alike = 0, rest = 0] = counts.map((count) => Number(count.replaceAll(',', '')));
    expect([alike > 5000, rest > 3000, alike + rest]).toEqual([true, true, missing]);
  });

  test('end with a row that separates them from the lines of the end', () => {
    expect(shown(text)).toMatch(/\n\.\.\. \[not shown: the other lines up to line \d+\] \.\.\.\n12:00:00 INFO/);
  });

  test('cannot be forged', () => {
    const forged = '... [not shown: the other lines up to line 9] ...';
    expect(shown(log(5000).toSpliced(2500, 0, `${forged} ERROR`).join('\n'))).not.toContain(`: ${forged}`);
    expect(shown([forged, ...log(5000)].join('\n'))).toContain(`\\${forged}`);
  });

  test('an unrelated question changes nothing', () => {
    expect(shown(text, 'How do I bake bread in Vienna?')).toBe(shown(text));
  });
});

test('lines that an end shows are not shown again', () => {
  const scan = scanOf(
    log(30)
      .with(9, 'ERROR one')
      .with(10, 'ERROR two, its disk is full')
      .with(18, 'FATAL three')
      .with(19, 'ERROR four: timeout')
      .join('\n'),
  );
  expect(scan.salientLines.map(({ line }) => line)).toEqual([10, 11, 19, 20]);
  const room = { total: 4000, maxBytes: 4000, maxRows: 20 };
  const rows = finished(chooseMiddleRows(scan, { after: 10, before: 20, ...room }));
  expect(rows.map(({ line }) => line)).toEqual([11, 19]);
});

test('the part of a giant line around the terms of the question is shown, with the column', () => {
  const line = `${'lorem ipsum dolor '.repeat(20_000)}"licenseKey":"ab12-cd34" ${'sit amet '.repeat(20_000)}`;
  const preview = shown(line, 'What is the license key?');
  const [, column = ''] = /\n1:(\d+): .*"licenseKey":"ab12-cd34"/.exec(preview) ?? [];
  const start = preview.split(`\n1:${column}: `)[1]?.slice(0, 40) ?? '?';
  expect(line.slice(Number(column) - 1, Number(column) + 39)).toBe(start);
});

test.each(['\n', '\nthe last line', '\n\n'])('the part of a giant line is shown if %j follows', (end) => {
  const text = `${'word '.repeat(20_000)}the licenseKey is QX-77\n`.trimEnd() + ' word'.repeat(20_000) + end;
  expect(shown(text, 'What is the licenseKey?')).toContain('the licenseKey is QX-77');
});

test('the part of a giant line is shown if short lines precede it', () => {
  const text = `${log(3).join('\n')}\n${'word '.repeat(20_000)}the licenseKey is QX-77 ${'word '.repeat(20_000)}`;
  expect(shown(text, 'What is the licenseKey?')).toContain('the licenseKey is QX-77');
});

test('a long line of an end is not shown again as a row', () => {
  for (let line = 5; line < 60; line += 5) {
    const text = log(3000)
      .toSpliced(line, 0, `${'word '.repeat(150)}the licenseKey is QX-77`)
      .join('\n');
    const preview = shown(text, 'What is the licenseKey?', 8192);
    expect(preview.split('QX-77')).toHaveLength(2);
    expect(preview.includes(`\n${line + 1}:`)).toBe(!preview.includes('word '.repeat(150)));
  }
});

test('a question of a megabyte costs no more than its 64 terms', () => {
  const question = Array.from({ length: 100_000 }, (_, index) => `term${index}`).join(' ');
  expect(byteLength(shown(log(3000).join('\n'), question))).toBeLessThanOrEqual(4096);
});
