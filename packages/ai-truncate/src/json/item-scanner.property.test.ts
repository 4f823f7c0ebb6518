import fc from 'fast-check';
import { expect, test } from 'vitest';
import { finished } from '../pace.ts';
import { ItemScanner } from './item-scanner.ts';
import { JsonProfile } from './json-profile.ts';

const key = fc.constantFrom('id', 'status', 'a', 'a.b', '', '7', 'é', 'toString', 'k"');
const text = fc.oneof(
  fc.constantFrom('ok', 'failed', '2026-11-20', '2026-01-02T03:04', '', '7', 'true', 'a\nb', '\\', '🚀'),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
);
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.constantFrom(0, -0, 10, 100.5, 1e21, 1e-7, 2 ** 53),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(text, number, fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}));
/** Records that mostly have the same keys, in JSON that may be wrong. */
const records = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.record({ id: number, status: text }) },
        { weight: 1, arbitrary: fc.dictionary(key, value) },
      ),
      {
        maxLength: 30,
      },
    ),
    fc.constantFrom(undefined, 2),
    fc.constantFrom(
      ...['', '"id": 01', '"id": .5', '"id": tru', '"id": 1.0', '"id": 1e3', '"status": "\\x"', '"id":5,"id":6'],
    ),
  )
  .map(([all, indent, wrong]) =>
    all.map((each) =>
      JSON.stringify(each, null, indent).replace(/"(?:id|status)": ?(?:"ok"|\d+)/, (match) => wrong || match),
    ),
  );

function profileOf(texts: readonly string[], { isScanned }: { isScanned: boolean }): unknown {
  const profile = new JsonProfile();
  const item = new ItemScanner();
  for (const each of texts) {
    item.load(each);
    const end = item.read(0, each.length);
    if (isScanned && end === each.length && profile.addScanned(item)) continue;
    profile.addText(each);
  }
  return { count: profile.count, fields: finished(profile.finish()) };
}

test('records that are read at once have the same profile as records that are parsed', () => {
  fc.assert(
    fc.property(records, (texts) => {
      expect(profileOf(texts, { isScanned: true })).toEqual(profileOf(texts, { isScanned: false }));
    }),
    { numRuns: 1000 },
  );
});

test('an item is read to its end, or not at all if it is cut', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.array(value), fc.dictionary(key, value)),
      fc.constantFrom(undefined, 2),
      fc.nat(),
      (root, indent, cut) => {
        const json = JSON.stringify(root, null, indent);
        const item = new ItemScanner();
        item.load(`${json},`);
        expect(item.read(0, json.length + 1)).toBe(json.length);
        expect(item.lineFeeds).toBe(json.split('\n').length - 1);
        expect(item.read(0, cut % json.length)).toBe(-1);
      },
    ),
    { numRuns: 1000 },
  );
});

test('most records of a list are read at once', () => {
  const profile = new JsonProfile();
  const item = new ItemScanner();
  let parsed = 0;
  for (let id = 0; id < 1000; id++) {
    const json = JSON.stringify({
      id,
      total: id / 4,
      state: { paid: id % 3 > 0, at: null },
      ...(id % 2 === 0 && { note: 'a\nb' }),
    });
    item.load(json);
    item.read(0, json.length);
    if (profile.addScanned(item)) continue;
    parsed++;
    profile.addText(json);
  }
  expect(parsed).toBe(1);
});
