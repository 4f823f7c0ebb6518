import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { serialize } from './serialize.ts';

const textOf = (value: unknown, indent?: number): string => [...serialize(value, { indent }).chunks].join('');

/** Any UTF-16 units, including lone surrogates. */
const text = fc
  .array(fc.oneof(fc.nat({ max: 0xffff }), fc.integer({ min: 0xd7f0, max: 0xe010 }), fc.integer({ min: 0, max: 127 })))
  .map((units) => String.fromCharCode(...units));

const key = fc.oneof(
  {
    arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', 'toLocaleString', '', '0', '10', 'length'),
    weight: 1,
  },
  { arbitrary: text, weight: 3 },
);

const scalar = fc.oneof(
  fc.constantFrom(null, undefined, true, false, -0, 0, Number.NaN, Number.POSITIVE_INFINITY, 1e21, 5e-324),
  fc.double(),
  fc.integer(),
  text,
  fc.date({ noInvalidDate: false }),
  fc.constantFrom(0, -0, 1.5, Number.NaN).map((number) => new Number(number)),
  text.map((string) => new String(string)),
  fc.boolean().map((boolean) => new Boolean(boolean)),
  key.map((name) => ({ toJSON: (asked: string) => ({ name, asked, type: typeof asked }) })),
  fc.constant({ toJSON: () => undefined }),
);

const toMembers = (entries: [string, unknown][], prototype: object | null): object => {
  const members = Object.create(prototype) as object;
  for (const [name, value] of entries)
    Object.defineProperty(members, name, { value, enumerable: true, writable: true, configurable: true });
  return members;
};

const { value: plain } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    scalar,
    tie('items'),
    tie('sparse'),
    tie('members'),
    tie('instance'),
    tie('withToJson'),
  ),
  items: fc.array(tie('value'), { maxLength: 8 }),
  sparse: fc.sparseArray(tie('value'), { maxNumElements: 4, maxLength: 20 }),
  members: fc
    .tuple(fc.array(fc.tuple(key, tie('value')), { maxLength: 8 }), fc.constantFrom(Object.prototype, null))
    .map(([entries, prototype]) => toMembers(entries, prototype)),
  instance: fc.record({ a: tie('value') }).map((members) => Object.assign(new (class Row {})(), members)),
  // A Date that toJSON returns is {} in JSON. Our text contains its date.
  withToJson: tie('value')
    .filter((value) => !(value instanceof Date))
    .map((value) => ({ toJSON: () => value })),
}));

/** `JSON.stringify` has no text for the root `undefined`. Our text is null. */
const expected = (value: unknown, indent?: number): string => JSON.stringify(value, null, indent) ?? 'null';

// Thousands of values, for which a busy machine may need longer than the usual five seconds.
describe('serialize', { timeout: 60_000 }, () => {
  test('writes plain data as JSON.stringify does', () => {
    fc.assert(
      fc.property(plain, (value) => {
        if (typeof value !== 'string') expect(textOf(value)).toBe(expected(value));
      }),
      { numRuns: propertyRuns({ sample: 2000, full: 10_000 }) },
    );
  });

  test('indents plain data as JSON.stringify does', () => {
    fc.assert(
      fc.property(plain, fc.integer({ min: 0, max: 10 }), (value, indent) => {
        if (typeof value !== 'string') expect(textOf(value, indent)).toBe(expected(value, indent));
      }),
      { numRuns: propertyRuns({ sample: 1000, full: 5000 }) },
    );
  });

  test('writes the same text for a value that is too large for one native call', () => {
    fc.assert(
      fc.property(fc.array(plain, { minLength: 1, maxLength: 8 }), fc.constantFrom(0, 2), (values, indent) => {
        const wide = Array.from({ length: 600 }, (_, index) => values[index % values.length]);
        const large = { wide, byName: Object.fromEntries(wide.map((value, index) => [`key ${index}`, value])) };
        // Not compared with expect, because its report of two long texts would hide the counterexample.
        expect(textOf(large, indent) === expected(large, indent)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test('writes the same text for a value with a function, which native code cannot write', () => {
    const marker = '"[Function: marker]"';
    fc.assert(
      fc.property(plain, fc.constantFrom(0, 2), (value, indent) => {
        const walked = textOf([function marker() {}, value], indent);
        expect(walked).toBe(JSON.stringify([0, value], null, indent).replace('0', marker));
      }),
      { numRuns: propertyRuns({ sample: 1000, full: 5000 }) },
    );
  });

  test('returns a text in pieces that join to it', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 70_000 }), (string, length) => {
        const long = string.repeat(Math.ceil(length / Math.max(string.length, 1)));
        const { mediaType, chunks } = serialize(long);
        expect({ mediaType, text: [...chunks].join('') }).toEqual({ mediaType: 'text/plain', text: long });
      }),
      { numRuns: 500 },
    );
  });
});
