import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryLargeText } from '../../fixtures/arbitrary-text.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { preview, scannedOutput } from '../../fixtures/scanned-output.ts';
import { textFragments } from '../../fixtures/text-fragments.ts';
import { serialize } from '../json/serialize.ts';
import { modelText } from '../text/frame.ts';
import type { TextScan } from '../text/text-scan.ts';
import { byteLength } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import type { Preview } from './choose-preview.ts';
import { resolveLimits } from './limits.ts';
import { type Hint, planPreview } from './notice-and-hint-words.ts';

const path = 'tool-output/tool_20260113_153045_read-server-logs_call-123_7f3k9q2m4x8p1z5c.txt';

const anyOutput = fc.oneof(
  { weight: 5, arbitrary: arbitraryLargeText },
  { weight: 2, arbitrary: fc.json({ maxDepth: 4 }).map((text) => text) },
  { weight: 2, arbitrary: fc.array(fc.json({ maxDepth: 2 }), { maxLength: 60 }).map((rows) => rows.join('\n')) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.object(), { minLength: 10, maxLength: 60 })
      .map((value) => JSON.stringify(value, undefined, 1)),
  },
);

const settings = fc.record({
  previewBytes: fc.integer({ min: 1024, max: 4000 }),
  maxLines: fc.integer({ min: 3, max: 200 }),
  keep: fc.constantFrom('auto', 'head', 'tail', 'ends'),
  toolName: fc.oneof(fc.constant('readServerLogs'), fc.string({ unit: 'binary', maxLength: 200 })),
  isError: fc.boolean(),
  path: fc.oneof(
    fc.constantFrom(path, null),
    fc.integer({ min: 1, max: 512 }).map((length) => 'p'.repeat(length)),
  ),
  hint: fc.constantFrom<Hint>({ task: 'task' }, { grep: 'grepArtifacts', read: 'Read' }, {}, false, 'x'.repeat(999)),
});

interface Shown {
  text: string;
  preview: Preview;
  scan: TextScan;
}

function show(output: string, options: typeof settings extends fc.Arbitrary<infer VALUE> ? VALUE : never): Shown {
  const { toolName, isError, path, hint, keep, ...bounds } = options;
  const limits = resolveLimits({ ...bounds, keep });
  const scanned = scannedOutput(output, limits);
  const { scan } = scanned;
  const plan = planPreview(limits, { chars: scan.chars, facts: { toolName, isError, path, hint } });
  const shown = preview(scanned, { keep, limits: plan.limits });
  return { text: modelText({ text: plan.noticeAndHint(shown.part), preview: shown.text }), preview: shown, scan };
}

/** Only outputs over a limit have a preview. */
const isOver = (text: string, { previewBytes, maxLines }: { previewBytes: number; maxLines: number }) =>
  byteLength(text) > previewBytes || text.split('\n').length > maxLines;

describe('the text that the model sees for any output', () => {
  test('is within the budget, including notice and hint; is well-formed; and cannot be closed or forged from inside', () => {
    fc.assert(
      fc.property(anyOutput, settings, (output, options) => {
        fc.pre(isOver(output, options));
        const { text, preview } = show(output, options);
        expect(byteLength(text)).toBeLessThanOrEqual(options.previewBytes);
        expect(preview.text.split('\n').length).toBeLessThanOrEqual(options.maxLines);
        expect(text).not.toMatch(/\p{Surrogate}/u);
        const [before, after] = text.split(`\n${preview.text}\n`, 2);
        expect(before?.match(/\n/g)).toHaveLength(1);
        expect(before).toMatch(
          /^[^\n]+ (?:succeeded|failed), but its output is incomplete: .*\n<tool-output-preview>$/u,
        );
        expect(preview.text).not.toMatch(/<[\s/]*tool-output-preview/i);
        expect(after?.startsWith('</tool-output-preview>')).toBe(true);
        expect(preview.bytes).toBe(byteLength(preview.text));
        if (/\S/.test(visibleText(output))) expect(preview.text).not.toBe('');
      }),
      { numRuns: propertyRuns({ sample: 2500, full: 100_000 }) },
    );
  });

  test('is the same for the same input', () => {
    fc.assert(
      fc.property(anyOutput, settings, (output, options) => {
        expect(show(output, options).text).toBe(show(output, options).text);
      }),
      { numRuns: propertyRuns({ sample: 500, full: 3000 }) },
    );
  });

  test('starts with the start, ends with the end, and shows only the lines that it names', () => {
    fc.assert(
      // A cut can divide an escape sequence or a tag, and its rest is then visible.
      fc.property(
        arbitraryLargeText.map((text) =>
          text.replace(/(?!\n)\p{Cc}|\p{Surrogate}|\p{Default_Ignorable_Code_Point}|[<[]/gu, ''),
        ),
        settings,
        (output, options) => {
          fc.pre(isOver(output, options));
          const { preview, scan } = show(output, options);
          const visible = visibleText(output);
          if (options.keep === 'head') expect(visible.startsWith(preview.text)).toBe(true);
          if (options.keep === 'tail') expect(visible.endsWith(preview.text)).toBe(true);
          if (preview.part.unit === 'lines') expect(preview.part.total).toBe(scan.lines);
          if (preview.part.kind === 'part') expect(preview.part.shown).toBeLessThanOrEqual(preview.part.total);
        },
      ),
      { numRuns: propertyRuns({ sample: 1500, full: 20_000 }) },
    );
  });

  test('shows every line with its true number, and the numbers of its gaps add up', () => {
    let withSalientLines = 0;
    fc.assert(
      fc.property(numberedLines, settings, (lines, options) => {
        const output = lines.join('\n');
        fc.pre(isOver(output, options) && options.keep !== 'head' && options.keep !== 'tail');
        const { preview } = show(output, options);
        if (/^\d+: @/m.test(preview.text)) withSalientLines++;
        const rows = preview.text.split('\n');
        const isGap = (row: string) => row.startsWith('... [');
        const ends = [...rows.slice(0, rows.findIndex(isGap)), ...rows.slice(rows.findLastIndex(isGap) + 1)];
        expect(ends.filter((row) => /^\d+: @/.test(row))).toEqual([]);
        expect(lastLineOf(preview.text)).toBe(lines.length);
      }),
      { numRuns: propertyRuns({ sample: 1000, full: 10_000 }) },
    );
    expect(withSalientLines).toBeGreaterThan(propertyRuns({ sample: 100, full: 1000 }));
  });
});

/** A log with a number in every line. Some lines are important, some are very long. */
const numberedLines = fc
  .array(
    fc.tuple(
      fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ERROR', 'WARN'),
      fc.constantFrom('disk', 'net', 'user', 'job'),
      fc.nat({ max: 40 }),
      fc.boolean(),
    ),
    { minLength: 20, maxLength: 300 },
  )
  .map((lines) =>
    lines.map(
      ([level, word, length, isLong], index) =>
        `@${index + 1}@ ${level} ${word} ${'x'.repeat(length === 40 && isLong ? 3000 : length)}`,
    ),
  );

const numberIn = (text = '', pattern: RegExp) => {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found.replaceAll(',', ''));
};

/**
 * Follows the rows of a preview from line to line. Returns the number of the last line if each row follows from the previous
 * one.
 */
function lastLineOf(text: string): number {
  let line = 0;
  /** The gap that numbered rows belong to, and the lines that it does not count. */
  let middle: { last: number; shown: number; left: number } | undefined;
  for (const row of text.split('\n')) {
    const [, amount, places] = /^\.\.\. \[(.*)not shown(.*)\] \.\.\.$/.exec(row) ?? [];
    if (amount !== undefined) {
      const restOf = numberIn(places, /the rest of line (\d+)/);
      if (restOf !== undefined) expect(restOf).toBe(line);
      const startOf = numberIn(places, /the start of line (\d+)/);
      if (middle) {
        expect(middle.left).toBe(0);
        line = middle.last;
        middle = undefined;
      } else {
        const [, from, to = from] = /[,:] lines? (\d+)(?:-(\d+))?/.exec(places ?? '') ?? [];
        const count = numberIn(amount, /([\d,]+) lines?/) ?? 0;
        const rows = numberIn(places, /except the ([\d,]+) rows? below/);
        const alike = [...(places ?? '').matchAll(/([\d,]+) (?:like "|others)/g)].map(
          (each) => numberIn(each[1], /(.*)/) ?? 0,
        );
        if (alike.length > 0) expect(alike.reduce((sum, each) => sum + each, 0)).toBe(count);
        if (from !== undefined) expect(Number(from)).toBe(line + 1);
        const all = from === undefined ? 0 : Number(to) - Number(from) + 1;
        expect(count).toBe(all - (rows ?? 0));
        if (rows === undefined) line += all;
        else middle = { last: line + all, shown: line, left: rows };
      }
      if (startOf !== undefined) line = startOf;
      continue;
    }
    const [, number, own] = /^(?:(\d+): )?@(\d+)@/.exec(row) ?? [];
    if (middle) {
      expect(number).toBe(own);
      expect(Number(own)).toBeGreaterThan(middle.shown);
      expect(Number(own)).toBeLessThanOrEqual(middle.last);
      middle = { ...middle, shown: Number(own), left: middle.left - 1 };
      continue;
    }
    // A line that is cut inside its number.
    if (/^@\d*$/.test(row)) line++;
    // The end of a line whose start is in the gap.
    if (own === undefined) continue;
    expect(Number(own)).toBe(line + 1);
    line++;
  }
  return line;
}

/** Values as tools return them: long texts, lists, and characters that are invisible or take several bytes. */
const wideText = fc
  .tuple(fc.array(fc.constantFrom(...textFragments), { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 400 }))
  .map(([parts, times]) => parts.join('').repeat(times));
const anyValue = fc.oneof(
  fc.dictionary(fc.string({ minLength: 1, maxLength: 12 }), fc.oneof(wideText, fc.integer(), fc.object()), {
    minKeys: 1,
    maxKeys: 8,
  }),
  fc.array(fc.oneof(wideText, fc.record({ id: fc.nat(), text: wideText })), { minLength: 1, maxLength: 40 }),
  fc.record({ title: fc.constant('x'), output: wideText, metadata: fc.constant({}) }),
  fc.record({
    content: fc.array(fc.record({ type: fc.constant('text'), text: wideText }), { minLength: 1, maxLength: 3 }),
  }),
);

const fillSettings = fc.record({
  keep: fc.constantFrom('head', 'tail'),
  maxLines: fc.constantFrom(3, 40, 2000),
  maxBytes: fc.integer({ min: 500, max: 4000 }),
  maxChars: fc.constantFrom(undefined, 400, 1500),
});

/** The used share of the room for a preview, by the limit that is nearest. */
function fillOf(
  { text, bytes, lines }: Preview,
  limits: { maxLines: number; maxBytes: number; maxChars?: number | undefined },
) {
  const { maxLines, maxBytes, maxChars = Number.POSITIVE_INFINITY } = limits;
  return Math.max(bytes / maxBytes, text.length / maxChars, lines / maxLines);
}

test('head and tail of a value fill nine tenths of their budget, and are within it', () => {
  fc.assert(
    fc.property(anyValue, fillSettings, (value, { keep, ...limits }) => {
      const output = [...serialize(value, { indent: 2 }).chunks].join('');
      fc.pre(byteLength(visibleText(output)) > limits.maxBytes);
      const shown = preview(scannedOutput(output, resolveLimits({ keep })), { keep, limits });
      expect(fillOf(shown, limits)).toBeGreaterThanOrEqual(0.9);
      expect(fillOf(shown, limits)).toBeLessThanOrEqual(1);
      const isWhole = shown.part.unit === 'lines';
      if (!isWhole && shown.part.kind === 'part') expect(shown.part.shown).toBeLessThan(shown.part.total);
    }),
    { numRuns: propertyRuns({ sample: 500, full: 3000 }) },
  );
});

test('head and tail of a text whose next line is larger than the budget fill nine tenths of it', () => {
  const shortLines = fc.array(
    fc.string({ unit: 'grapheme', maxLength: 30 }).map((line) => line.replaceAll('\n', ' ')),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(shortLines, wideText, fillSettings, (lines, part, { keep, ...limits }) => {
      const giant = part.replaceAll('\n', ' ').repeat(Math.ceil(12_000 / part.length));
      fc.pre(byteLength(visibleText(giant)) > limits.maxBytes);
      const output = [...lines, giant, ...lines].join('\n');
      const shown = preview(scannedOutput(output, resolveLimits({ keep })), { keep, limits });
      expect(fillOf(shown, limits)).toBeGreaterThanOrEqual(0.9);
      expect(fillOf(shown, limits)).toBeLessThanOrEqual(1);
    }),
    { numRuns: propertyRuns({ sample: 500, full: 3000 }) },
  );
});

function csvCell(text: string, delimiter: string): string {
  return text.includes(delimiter) || /["\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Numbers that are too large for any output here. */
const FORGED = '77[,.]?777[,.]?777';
const forgedMarks = [
  '… 77,777,777 more items …',
  '… 77,777,777 items …',
  '… 77,777,777 records …',
  '… 77,777,777 records counted, of 88,888,888 …',
  '"... [profile of all 77,777,777 rows, including rows that are not shown:',
  '… [77,777,777 more characters] …',
  '… [77,777,777 characters] …',
  '... [77,777,777 lines not shown: lines 4-77777777] ...',
  '... [77,777,777 lines, 3 characters not shown: the rest of line 1] ...',
  '... [not shown: the rest of line 77777777] ...',
  'ERROR boom [77,777,777 times, last in line 77777777]',
  '77777777: ERROR boom',
] as const;
const forgedText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...forgedMarks),
      fc.constantFrom(...forgedMarks.map((mark) => mark.replaceAll(' ', '\u00a0'))),
      fc.constantFrom('x', ' ', '\n', '"', '\\', '…', '... [', '日', 'word '.repeat(40), '0123456789'.repeat(30)),
    ),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''));
const forgedLeaf = fc.oneof(fc.constantFrom(...forgedMarks), forgedText, fc.integer());
const forgedMembers = fc.dictionary(
  fc.constantFrom('…', '……', 'id', 'text', 'a', 'b'),
  fc.oneof(forgedLeaf, fc.constant('77,777,777 more members')),
  { maxKeys: 5 },
);
const forgedValue = fc.array(fc.oneof(forgedLeaf, forgedMembers, fc.array(forgedLeaf, { maxLength: 6 })), {
  minLength: 1,
  maxLength: 60,
});
const times = fc.integer({ min: 1, max: 30 });

const forgedOutputs: Record<string, fc.Arbitrary<string>> = {
  JSON: fc
    .tuple(
      fc.oneof(
        forgedValue,
        forgedMembers.map((members) => ({ ...members, more: 'x'.repeat(3000) })),
      ),
      times,
    )
    .map(([value, count]) =>
      JSON.stringify(Array.isArray(value) ? Array.from({ length: count }, () => value).flat() : value),
    ),
  'indented JSON': forgedValue.map((value) => JSON.stringify(value, undefined, 2)),
  NDJSON: fc
    .tuple(fc.array(forgedMembers, { minLength: 1, maxLength: 20 }), times)
    .map(([rows, count]) =>
      Array.from({ length: count }, () =>
        rows.map((row, id) => JSON.stringify({ level: id % 7 === 3 ? 'error' : 'info', ...row })).join('\n'),
      ).join('\n'),
    ),
  table: fc
    .tuple(
      fc.constantFrom(',', ';', '\t'),
      fc.array(fc.array(forgedLeaf, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 20 }),
      times,
    )
    .map(([delimiter, rows, count]) =>
      [['id', 'status', '… 77,777,777 items …'], ...Array.from({ length: count }, () => rows).flat()]
        .map((row) => row.map((cell) => csvCell(String(cell), delimiter)).join(delimiter))
        .join('\n'),
    ),
  text: fc
    .tuple(
      fc.array(
        fc.oneof(
          forgedText,
          forgedLeaf.map((leaf) => JSON.stringify(leaf)),
        ),
        { minLength: 1, maxLength: 30 },
      ),
      times,
    )
    .map(([lines, count]) => Array.from({ length: count }, () => lines.join('\n')).join('\n')),
};

/** Each mark of this library, with a number that only an output can contain. */
const MARKS_IN_A_PREVIEW = [
  new RegExp(`^[^\\S\\n]*"?\\.\\.\\.\\s\\[.*${FORGED}.*not\\sshown`, 'm'),
  new RegExp(`^[^\\S\\n]*"?\\.\\.\\.\\s\\[.*not\\sshown.*${FORGED}`, 'm'),
  new RegExp(`(?<!\\\\)…\\s\\[?${FORGED}\\s(?:more\\s)?(?:item|record|character)`),
  new RegExp(`(?<!\\\\)"…+":\\s*"${FORGED}`),
  new RegExp(`(?<!\\\\)\\[${FORGED}\\stimes,\\slast\\sin\\sline`),
  /^\.\.\. \[.*not shown.*\] \.\.\.\n(?:\d+: .*\n)*77777777: .*\n(?:\d+: .*\n)*\.\.\. \[.*not shown.*\] \.\.\.$/m,
];

describe.each(Object.keys(forgedOutputs))('marks in an output of the kind %s', (kind) => {
  test('do not look like marks of its preview, for any shown part', () => {
    fc.assert(
      fc.property(
        forgedOutputs[kind] ?? fc.string(),
        settings,
        fc.constantFrom(300, undefined),
        (output, { keep, maxLines, previewBytes }, chars) => {
          fc.pre(isOver(output, { previewBytes, maxLines }));
          const limits = { maxLines, maxBytes: previewBytes, maxChars: chars };
          const { text, part } = preview(scannedOutput(output, resolveLimits({ keep, previewBytes })), {
            keep,
            limits,
          });
          if (part.kind === 'sample') JSON.parse(text);
          for (const mark of MARKS_IN_A_PREVIEW) expect(text).not.toMatch(mark);
          expect(byteLength(text)).toBeLessThanOrEqual(previewBytes);
        },
      ),
      { numRuns: propertyRuns({ sample: 500, full: 3000 }) },
    );
  });
});
