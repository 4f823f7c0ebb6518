import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FieldProfile } from './field-profile.ts';
import { toCell } from './table-cells.ts';
import { setWhole, ValueRoom } from './value-counts.ts';

function profileOf(cells: readonly string[], { isTable = true, room = new ValueRoom() } = {}) {
  const field = new FieldProfile(room, { isTable });
  const range = { text: '', from: 0, to: 0, hash: 0, isLiteral: false };
  for (const cell of cells) {
    // A cell is a part of a longer text.
    setWhole(range, cell);
    range.text = `,${cell},`;
    range.from++;
    range.to++;
    field.add(range);
  }
  field.endChunk();
  return field;
}

/** The numbers among the cells, after so many other values that they are not counted one by one. */
const ids = Array.from({ length: 1001 }, (_, id) => `id ${id}`);

describe('a cell of a table', () => {
  const cell = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'0123456789.-+eE ') }),
    fc.integer().map(String),
    fc.double({ noNaN: true }).map(String),
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map(String),
    fc.constantFrom('2026-11-20', '007', '1e5', '1.5e-105', '123e-10', '-.5', '1.', '-0', '999999999999999', '0.1'),
  );

  test.each(['counted one by one', 'only measured'])('is a number exactly if a query takes it for one: %s', (how) => {
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 20 }), (cells) => {
        const nonEmpty = cells.filter((text) => text !== '');
        const numbers = nonEmpty.flatMap((text) => {
          const value = toCell(text);
          return typeof value === 'string' || value === null ? [] : [Number(value)];
        });
        const summary = profileOf(how === 'only measured' ? [...ids, ...nonEmpty] : nonEmpty).finish();
        expect(summary.numbers).toBe(numbers.length);
        // A difference of the sign of zero is no difference.
        expect(summary.least + 0).toBe(Math.min(...numbers) + 0);
        expect(summary.most + 0).toBe(Math.max(...numbers) + 0);
      }),
      { numRuns: 1000 },
    );
  });

  test('is a date if it starts like one, and all dates give a range', () => {
    const days = ['2026-11-20', '2026-01-05T10:00:00Z', '2026-11-20'];
    const range = { first: '2026-01-05T10:00:00Z', last: '2026-11-20' };
    expect(profileOf(days).finish().dates).toEqual(range);
    expect(profileOf([...days, 'soon']).finish().dates).toBeUndefined();
    const many = Array.from({ length: 3000 }, (_, second) => new Date(second * 1000).toISOString());
    expect(profileOf(many).finish().dates).toEqual({ first: many[0], last: many.at(-1) });
    expect(profileOf(many.toReversed()).finish().dates).toEqual({ first: many[0], last: many.at(-1) });
  });
});

test('values with equal hashes are told apart', () => {
  const field = new FieldProfile(new ValueRoom());
  for (const text of ['a', 'b', 'a', 'cc', 'cc', 'cc'])
    field.add({ text, from: 0, to: text.length, hash: 7, isLiteral: false });
  expect(field.finish().values?.frequent).toEqual([
    { text: 'cc', count: 3, isNumber: false },
    { text: 'a', count: 2, isNumber: false },
    { text: 'b', count: 1, isNumber: false },
  ]);
});

test('a hostile output with a thousand equal hashes is not searched value by value', () => {
  const field = new FieldProfile(new ValueRoom());
  for (let id = 0; id < 1000; id++) {
    const text = `id ${id}`;
    field.add({ text, from: 0, to: text.length, hash: 7, isLiteral: false });
  }
  expect(field.finish()).toMatchObject({ present: 1000, values: undefined });
});

test('all fields of a profile share their memory, and a field with too many values returns it', () => {
  const room = new ValueRoom();
  for (let times = 0; times < 200; times++) {
    const summary = profileOf(ids, { room }).finish();
    expect(summary).toMatchObject({ values: undefined, moreThan: 1000 });
  }
  const fields = Array.from({ length: 60 }, () => profileOf(ids.slice(1), { room }).finish());
  expect(fields.filter(({ values }) => values).length).toBe(50);
});
