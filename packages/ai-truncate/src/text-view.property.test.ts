import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../fixtures/property-runs.ts';
import { viewedValue, viewOf } from '../fixtures/view-of.ts';
import { checkEvidence } from './agents/evidence/check-evidence.ts';
import type { Artifacts } from './artifacts/artifacts.ts';
import { startSave } from './artifacts/save-output.ts';
import { scopedArtifacts } from './artifacts/scoped-artifacts.ts';
import { serialize } from './json/serialize.ts';
import { grepArtifact } from './search/grep-artifact.ts';
import { memoryStore } from './stores/memory-store.ts';
import { compileSearchPattern } from './text/pattern.ts';
import { visibleText } from './text/visible-text.ts';
import { readWindow } from './windows/read-window.ts';

const numRuns = propertyRuns({ sample: 150, full: 10_000 });

/** Any value, sometimes with a text so long that the line index has marks in it, and with two long texts. */
const value = fc.oneof(
  { arbitrary: viewedValue, weight: 3 },
  {
    arbitrary: fc.tuple(viewedValue, viewedValue, fc.integer({ min: 1, max: 600 })).map(([one, other, times]) => ({
      stdout: viewOf(one).repeat(times),
      inner: [other, { stderr: viewOf(other).repeat(9) }],
    })),
    weight: 2,
  },
);
const pieceSizes = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 6 });

interface Saved {
  artifacts: Artifacts;
  path: string;
  /** The lines that the reference makes of the value. */
  lines: string[];
}

/** The value as its tool's output is saved, written in pieces of these lengths. */
async function save(value: unknown, sizes: readonly number[]): Promise<Saved> {
  const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
  const mediaType = 'application/json';
  const saving = startSave(artifacts, {
    toolName: 'run',
    toolCallId: 'call_1',
    mediaType,
    isValue: true,
    stallMs: 10_000,
  });
  // A text is a value here too, so that it is the root of a document.
  const json = typeof value === 'string' ? JSON.stringify(value) : [...serialize(value, { indent: 2 }).chunks].join('');
  for (let at = 0, turn = 0; at < json.length; turn++) {
    const end = at + (sizes[turn % sizes.length] ?? 1);
    await saving.write(json.slice(at, end));
    at = end;
  }
  const outcome = await saving.finish();
  if (outcome.status !== 'saved') throw outcome.error;
  const { path } = outcome.info;
  const stored = await new Response(await artifacts.readStream(path)).text();
  expect(stored).toBe(json);
  // Not from the result of JSON.parse, because V8 can return a wrong escaped key (nodejs/node#63785).
  return { artifacts, path, lines: viewOf(value).split('\n') };
}

describe('every number of a line is that of the text view', () => {
  test('in windows of lines, with the places of the stored bytes', async () => {
    const window = fc.record({
      start: fc.integer({ min: 1, max: 3000 }),
      count: fc.integer({ min: 1, max: 50 }),
      maxBytes: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constant(100_000)),
    });
    await fc.assert(
      fc.asyncProperty(value, pieceSizes, window, async (value, sizes, asked) => {
        const { artifacts, path, lines } = await save(value, sizes);
        const { bytes: stored } = await artifacts.readBytes(path, { end: 8 * 1024 * 1024 });
        const start = ((asked.start - 1) % lines.length) + 1;
        const found = await artifacts.readLines(path, { ...asked, start });
        expect(found.totalLines).toBe(lines.length);
        expect(found.lines[0]?.number).toBe(start);
        for (const { number, text, start: byte, bytes, shownBytes } of found.lines) {
          const line = lines[number - 1] ?? '';
          expect(bytes === shownBytes ? text === line : line.startsWith(text)).toBe(true);
          const raw = Buffer.from(stored.subarray(byte, byte + shownBytes)).toString();
          expect(decodeParts(raw)).toBe(text);
          const whole = Buffer.from(stored.subarray(byte, byte + bytes)).toString();
          expect(decodeParts(whole)).toBe(line);
        }
      }),
      { numRuns },
    );
  });

  test('in pages that follow each other, which join to the view', async () => {
    await fc.assert(
      fc.asyncProperty(value, pieceSizes, fc.integer({ min: 200, max: 3000 }), async (value, sizes, maxChars) => {
        const { artifacts, path, lines } = await save(value, sizes);
        let cursor: string | undefined;
        const read: string[] = [];
        for (let page = 0; page < 40; page++) {
          const { pieces, next, totalLines } = await readWindow(artifacts, path, { cursor, maxChars, limit: 60 });
          expect(totalLines).toBe(lines.length);
          for (const { line, character, text, isEnd } of pieces) {
            const before = read[line - 1] ?? '';
            expect(character).toBe(before.length + 1);
            read[line - 1] = before + text;
            if (isEnd) expect(read[line - 1]).toBe(lines[line - 1]);
          }
          cursor = next;
          if (cursor === undefined) break;
        }
        if (cursor === undefined) expect(read.join('\n')).toBe(lines.join('\n'));
      }),
      { numRuns },
    );
  });

  test('in parts of a line by characters', async () => {
    await fc.assert(
      fc.asyncProperty(value, pieceSizes, fc.nat(), fc.nat(), async (value, sizes, at, from) => {
        const { artifacts, path, lines } = await save(value, sizes);
        const line = (at % lines.length) + 1;
        const text = lines[line - 1] ?? '';
        const start = (from % Math.max(1, text.length)) + 1;
        const { pieces } = await readWindow(artifacts, path, { chars: { line, start, count: 40 } });
        expect(pieces).toHaveLength(1);
        const [piece] = pieces;
        expect(text.slice((piece?.character ?? 0) - 1).startsWith(piece?.text ?? '-')).toBe(true);
        // One less for the second half of a pair.
        expect([start, start - 1]).toContain(piece?.character);
      }),
      { numRuns },
    );
  });

  test('in matches of a search and the lines around them, and in the cursor for the next ones', async () => {
    const compiled = compileSearchPattern('ERROR|TS\\d+|^ok$|word|;1m|日本');
    if (!compiled.ok) throw new Error(compiled.message);
    const { pattern } = compiled;
    await fc.assert(
      fc.asyncProperty(value, pieceSizes, fc.integer({ min: 1, max: 9 }), async (value, sizes, maxMatches) => {
        const { artifacts, path, lines } = await save(value, sizes);
        const isShort = lines.every((line) => line.length <= 300);
        const around = { before: 1, after: 1 };
        const first = await grepArtifact(artifacts, path, { pattern, maxMatches, ...around });
        const rest = first.next && (await grepArtifact(artifacts, path, { pattern, start: first.next, ...around }));
        const expected = lines.flatMap((line, index) => (isHit(line) ? [index + 1] : []));
        const found = [...first.matches, ...(rest?.matches ?? [])];
        if (isShort) {
          expect(first.count).toBe(expected.length);
          expect(found.map(({ line }) => line)).toEqual(expected.slice(0, found.length));
        }
        for (const { line, text, before = [], after = [], column } of found) {
          if (column === undefined) expect(text).toBe(shown(lines[line - 1]));
          if (!isShort) continue;
          expect(before).toEqual(lines.slice(line - 1 - before.length, line - 1).map(shown));
          expect(after).toEqual(lines.slice(line, line + after.length).map(shown));
        }
      }),
      { numRuns },
    );

    function isHit(line: string): boolean {
      const text = line.replace(/\r$/, '');
      return pattern.test(text) || pattern.test(visibleText(text));
    }
  });

  test('in evidence, from wherever a line is claimed to be', async () => {
    await fc.assert(
      fc.asyncProperty(value, pieceSizes, fc.nat(), fc.nat(), async (value, sizes, at, named) => {
        const { artifacts, path, lines } = await save(value, sizes);
        // Long enough to prove something wherever it is, and with nothing in it that is shown otherwise.
        const quotable = lines.filter(
          (line) => /^[\w .]{20,300}$/.test(line) && (line.match(/\w/g) ?? []).length >= 16,
        );
        fc.pre(quotable.length > 0);
        const line = quotable[at % quotable.length] ?? '';
        const start = 1 + (named % lines.length);
        const [evidence] = await checkEvidence(artifacts, [{ path, startLine: start, endLine: start, quote: line }]);
        expect(evidence?.verified).toBe(true);
        const { startLine = 0, endLine = 0, quote = '' } = evidence ?? {};
        const plain = (text: string) => text.replace(/\s+/g, ' ');
        expect(
          plain(
            lines
              .slice(startLine - 1, endLine)
              .map(shown)
              .join('\n'),
          ),
        ).toContain(plain(quote).trim());
      }),
      { numRuns },
    );
  });
});

/** A line as a model sees it. */
function shown(line = ''): string {
  return visibleText(line.replace(/\r$/, ''));
}

/** Any part of stored JSON, decoded. */
function decodeParts(json: string): string {
  return json
    .replace(/\\(?:u(....)|(.))/g, (written, code) => {
      return code ? String.fromCharCode(Number.parseInt(code, 16)) : JSON.parse(`"${written}"`);
    })
    .replace(/\p{Surrogate}/gu, '\ufffd');
}
