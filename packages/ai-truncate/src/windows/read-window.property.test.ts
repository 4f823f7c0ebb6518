import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { type ReadWindowOptions, type ReadWindowResult, readWindow } from './read-window.ts';

const artifacts = scopedArtifacts(memoryStore(), { scope: 'read' });
const units = [
  'a',
  'b',
  'é',
  '日',
  '🙂',
  '\r',
  ' ',
  '\t',
  '\x1b[31m',
  '\x07',
  '\u202e',
  '\ud800',
  '\udc00',
  '\ufffd',
  '\ufeff',
];
const line = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: fc.constantFrom(...units), maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.string({ unit: fc.constantFrom(...units), minLength: 1, maxLength: 5 }),
        fc.integer({ min: 100, max: 8000 }),
      )
      .map(([text, times]) => text.repeat(times)),
  },
);
const texts = fc.array(line, { minLength: 1, maxLength: 30 }).map((lines) => lines.join('\n'));
const pageSizes = fc.record({ maxChars: fc.integer({ min: 200, max: 9000 }), limit: fc.integer({ min: 1, max: 40 }) });

async function saved(content: string | Uint8Array, use: (path: string) => Promise<void>, mediaType = 'text/plain') {
  const { path } = await artifacts.save(content, { toolName: 'read', toolCallId: 'call_1', mediaType });
  await use(path);
  await artifacts.delete(path);
}

/** All pages from a start to the end. */
async function pagesFrom(path: string, options: ReadWindowOptions): Promise<ReadWindowResult[]> {
  const pages: ReadWindowResult[] = [];
  for (let given = options; ; ) {
    const page = await readWindow(artifacts, path, given);
    pages.push(page);
    if (page.next === undefined) return pages;
    if (pages.length > 50_000) throw new Error('reading does not end');
    given = { ...options, cursor: page.next };
  }
}

function joined(pages: ReadWindowResult[]): string {
  return pages
    .flatMap((page) => page.pieces)
    .map((piece, at) => (piece.character === 1 && at > 0 ? '\n' : '') + piece.text)
    .join('');
}

test('pages of any size join to the whole text without lost, repeated or split characters', async () => {
  await fc.assert(
    fc.asyncProperty(texts, pageSizes, async (text, size) => {
      await saved(text, async (path) => {
        const pages = await pagesFrom(path, size);
        expect(joined(pages)).toBe(
          new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text)),
        );
        for (const page of pages) {
          expect(page.content.length).toBeLessThanOrEqual(size.maxChars);
          expect(page.pieces.length).toBeLessThanOrEqual(size.limit);
        }
      });
    }),
    { numRuns: propertyRuns({ sample: 100, full: 300 }) },
  );
});

test('pages of invalid UTF-8 join to the same text as decoding the whole', async () => {
  const bytes = fc
    .array(
      fc.oneof(fc.constantFrom(0x80, 0xbf, 0xc3, 0xe2, 0x82, 0xf0, 0x9f, 0xff), fc.integer({ min: 32, max: 126 })),
      { minLength: 1, maxLength: 12 },
    )
    .chain((part) =>
      fc.integer({ min: 1, max: 2000 }).map((times) => Array.from({ length: times }, () => part).flat()),
    );
  const mostlyText = fc.tuple(bytes, fc.integer({ min: 1, max: 40 })).map(([part, width]) => {
    const readable = [...new TextEncoder().encode('readable text, '.repeat(3))];
    return Uint8Array.from(
      part.flatMap((byte, index) => (index % (width * 40) === 0 ? [...readable, 10, byte] : [byte, 97, 97, 97])),
    );
  });
  await fc.assert(
    fc.asyncProperty(
      mostlyText,
      pageSizes,
      fc.constantFrom('text/plain', 'application/octet-stream'),
      async (stored, size, mediaType) => {
        await saved(
          stored,
          async (path) => {
            expect(joined(await pagesFrom(path, size))).toBe(
              new TextDecoder('utf-8', { ignoreBOM: true }).decode(stored),
            );
          },
          mediaType,
        );
      },
    ),
    { numRuns: propertyRuns({ sample: 70, full: 200 }) },
  );
});

test('a page starts at the requested line, also if it is counted from the end', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: -40, max: 40 }), async (text, offset) => {
      fc.pre(offset !== 0);
      await saved(text, async (path) => {
        const lines = new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text)).split('\n');
        const first = offset > 0 ? offset : Math.max(1, lines.length + 1 + offset);
        const pages = await pagesFrom(path, { offset });
        expect(pages[0]?.totalLines).toBe(lines.length);
        expect(joined(pages)).toBe(lines.slice(first - 1).join('\n'));
        if (first <= lines.length) expect(pages[0]?.pieces[0]?.line).toBe(first);
      });
    }),
    { numRuns: propertyRuns({ sample: 70, full: 200 }) },
  );
});

test('a part of a line starts at the requested character, and reading continues after it', async () => {
  await fc.assert(
    fc.asyncProperty(
      texts,
      fc.nat(),
      fc.integer({ min: 1, max: 30_000 }),
      fc.integer({ min: 1, max: 9000 }),
      async (text, at, start, count) => {
        const lines = new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text)).split('\n');
        const number = (at % lines.length) + 1;
        const whole = lines[number - 1] ?? '';
        await saved(text, async (path) => {
          const pages = await pagesFrom(path, { chars: { line: number, start, count } });
          const [piece] = pages[0]?.pieces ?? [];
          if (start > whole.length && start > 1) return expect(piece).toBeUndefined();
          // A character inside a pair is moved to its start.
          const isInside = piece?.character === start - 1;
          if (isInside) expect(whole.codePointAt(start - 2)).toBeGreaterThan(0xffff);
          else expect(piece?.character).toBe(start);
          expect(piece?.text.length).toBeLessThanOrEqual(Math.max(2, count));
          expect(whole.startsWith(piece?.text ?? '?', (piece?.character ?? 0) - 1)).toBe(true);
          expect(joined(pages)).toBe([whole.slice((piece?.character ?? 0) - 1), ...lines.slice(number)].join('\n'));
        });
      },
    ),
    { numRuns: propertyRuns({ sample: 100, full: 300 }) },
  );
});

test('a part of a line that is longer than a region equals a slice of the text', async () => {
  const parts = fc.array(
    fc.record({ unit: fc.constantFrom('x', 'é', '日', '🙂', 'a日'), bytes: fc.integer({ min: 0, max: 300_000 }) }),
    { minLength: 1, maxLength: 3 },
  );
  await fc.assert(
    fc.asyncProperty(parts, fc.nat(), fc.integer({ min: 1, max: 10 }), async (lines, at, fromEnd) => {
      const all = lines.map(({ unit, bytes }) => unit.repeat(bytes / Buffer.byteLength(unit)));
      const index = at % all.length;
      const line = all[index] ?? '';
      const start = Math.max(1, line.length - fromEnd);
      await saved(all.join('\n'), async (path) => {
        const { pieces } = await readWindow(artifacts, path, { chars: { line: index + 1, start, count: 100 } });
        const [piece] = pieces;
        expect(pieces).toEqual([
          { line: index + 1, character: piece?.character, text: line.slice((piece?.character ?? 0) - 1), isEnd: true },
        ]);
      });
    }),
    { numRuns: propertyRuns({ sample: 20, full: 60 }) },
  );
});
