import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { allRecords, bytesOf } from '../../fixtures/record-bytes.ts';
import { delimitedRecords } from './delimited-records.ts';
import { textsOf } from './record-text.ts';

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'é', '😀', '"', ',', '\t', ';', '\n', '\r\n', ' '), maxLength: 8 }),
  fc.constantFrom('', 'plain', 'x"y', '""', ',', '\n'),
);

/** Cells contain only text, so that they are read unchanged. The names cannot be mistaken for data. */
const table = fc.integer({ min: 2, max: 5 }).chain((columns) =>
  fc
    .array(
      fc.array(
        cell.map((text) => (text === '' ? text : `c${text}`)),
        { minLength: columns, maxLength: columns },
      ),
      {
        maxLength: 12,
      },
    )
    .map((rows) => ({ columns, rows })),
);

const quoted = (text: string, isForced: boolean): string =>
  isForced || /[",;\t|\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

test('any table is read as it was written, wherever the bytes are split', async () => {
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.constantFrom(',', '\t', ';', '|'),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.boolean(), { minLength: 1 }),
      fc.boolean(),
      fc.array(fc.nat(), { maxLength: 8 }),
      async ({ columns, rows }, delimiter, lineEnd, forced, endsWithLineEnd, cuts) => {
        let next = 0;
        const names = Array.from({ length: columns }, (_, index) => `name ${index}`);
        const lines = [names, ...rows].map((row) =>
          row.map((text) => quoted(text, forced[next++ % forced.length] ?? false)).join(delimiter),
        );
        const text = lines.join(lineEnd) + (endsWithLineEnd ? lineEnd : '');
        const records = await allRecords(delimitedRecords(textsOf(bytesOf(text, cuts)), { delimiter }));
        const expected = rows.map((row) =>
          Object.fromEntries(row.map((value, index) => [`name ${index}`, value === '' ? null : value])),
        );
        expect(records).toEqual(expected);
      },
    ),
    { numRuns: propertyRuns({ sample: 600, full: 3000 }) },
  );
});

test('the split of the bytes changes nothing, even for a text that is not a table', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', '1', '"', ',', '\n', '\r', ' ', 'é'), maxLength: 40 });
  const read = async (bytes: AsyncIterable<Uint8Array>): Promise<unknown> => {
    try {
      return await allRecords(delimitedRecords(textsOf(bytes)));
    } catch (error) {
      return String(error);
    }
  };
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(), { maxLength: 6 }), async (content, cuts) => {
      expect(await read(bytesOf(content, cuts))).toEqual(await read(bytesOf(content)));
    }),
    { numRuns: propertyRuns({ sample: 400, full: 2000 }) },
  );
});
