import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allRecords, bytesOf } from '../../fixtures/record-bytes.ts';
import { delimitedRecords } from './delimited-records.ts';
import { textsOf } from './record-text.ts';

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'é', '😀', '"', ',', '\t', ';', '\n', '\r\n', ' '), maxLength: 8 }),
  fc.constantFrom('', 'plain', 'x"y', '""', ',', '\n'),
);

/** Text only, so that what is written is what is read; a name row that no data can be taken for. */
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

test('any table is read as it was written, however the bytes are cut', async () => {
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
    { numRuns: 3000 },
  );
});

test('how the bytes are cut changes nothing, also of a text that is no table', async () => {
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
    { numRuns: 2000 },
  );
});
