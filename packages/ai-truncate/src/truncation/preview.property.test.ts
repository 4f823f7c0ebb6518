import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryLargeText } from '../../fixtures/arbitrary-text.ts';
import { byteLength } from './byte-length.ts';
import { createJsonSample } from './json-sample.ts';
import { type Preview, preview } from './preview.ts';
import { noticeAndHint, previewRoom } from './preview-room.ts';
import { createTextScan, type TextScan } from './text-scan.ts';
import { resolveLimits } from './truncation-limits.ts';
import { modelText } from './truncation-notice.ts';
import { visibleText } from './visible-text.ts';

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
  path: fc.constantFrom(path, null),
  tools: fc.constantFrom(['task'], ['grepArtifacts', 'readArtifact'], []),
});

interface Shown {
  text: string;
  preview: Preview;
  scan: TextScan;
}

function show(
  text: string,
  { toolName, isError, path, tools, ...limits }: typeof settings extends fc.Arbitrary<infer VALUE> ? VALUE : never,
): Shown {
  const scanner = createTextScan({
    headChars: limits.previewBytes,
    tailChars: limits.previewBytes,
    findsSalientLines: limits.keep === 'auto',
  });
  const sample = createJsonSample();
  scanner.push(text);
  sample.push(text);
  const scan = scanner.finish();
  const facts = { toolName, isError, path, tools };
  const resolved = resolveLimits(limits);
  const room = previewRoom(resolved, { chars: scan.chars, facts });
  const shown = preview({ scan, json: sample.finish() }, { keep: limits.keep, limits: room });
  return { text: modelText({ text: noticeAndHint(shown.part, facts), preview: shown.text }), preview: shown, scan };
}

/** Only what is over a limit is ever previewed. */
const isOver = (text: string, { previewBytes, maxLines }: { previewBytes: number; maxLines: number }) =>
  byteLength(text) > previewBytes || text.split('\n').length > maxLines;

describe('what the model reads of any output', () => {
  it('is within the budget, notice and hint included; well-formed; and cannot be closed or forged from inside', () => {
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
      { numRuns: 100_000 },
    );
  }, 300_000);

  it('is the same for the same input', () => {
    fc.assert(
      fc.property(anyOutput, settings, (output, options) => {
        expect(show(output, options).text).toBe(show(output, options).text);
      }),
      { numRuns: 3000 },
    );
  });

  it('starts with the start, ends with the end, and shows no other line than it says', () => {
    fc.assert(
      // A cut can go through an escape sequence or a tag, and what is left of it then shows.
      fc.property(
        arbitraryLargeText.map((text) => text.replace(/(?!\n)\p{Cc}|\p{Surrogate}|</gu, '')),
        settings,
        (output, options) => {
          fc.pre(isOver(output, options));
          const { preview, scan } = show(output, options);
          const visible = visibleText(output);
          if (options.keep === 'head') expect(visible.startsWith(preview.text)).toBe(true);
          if (options.keep === 'tail') expect(visible.endsWith(preview.text)).toBe(true);
          if (preview.part.unit === 'lines') expect(preview.part.total).toBe(scan.lines);
          expect(preview.part.shown).toBeLessThanOrEqual(preview.part.total);
        },
      ),
      { numRuns: 20_000 },
    );
  });
});
