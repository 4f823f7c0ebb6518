import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonPassages, type LargeContainer, MAX_PASSAGE_CHARS } from './json-passages.ts';
import { createJsonSample } from './json-sample.ts';

// Without escapes, because V8 can return a wrong escaped key (nodejs/node#63785).
const key = fc.stringMatching(/^[\w .:é订-]{0,8}$/).filter((each) => each !== '__proto__');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.nat(5000).map((length) => 'y"\\\n'.repeat(length >> 2)),
    fc.array(tie('value'), { maxLength: 12 }),
    fc.dictionary(key, tie('value'), { maxKeys: 12 }),
    fc.array(fc.record({ id: fc.nat(), text: fc.string({ maxLength: 40 }) }), { minLength: 60, maxLength: 120 }),
  ),
}));
const document = fc.oneof(fc.array(value, { maxLength: 20 }), fc.dictionary(key, value));

interface Found {
  path: (string | number)[];
  text: string;
}

function passagesOf(text: string, chunkChars: number): Found[] {
  const found: Found[] = [];
  const passages = new JsonPassages(({ source, from, to, key, index, container }) => {
    found.push({ path: [...pathOf(container), key ?? index], text: source.slice(from, to) });
  });
  const sample = createJsonSample(passages);
  for (let at = 0; at < text.length; at += chunkChars) sample.push(text.slice(at, at + chunkChars));
  expect([sample.rejected, passages.isBroken]).toEqual([false, false]);
  return found;
}

function pathOf({ key, index, parent }: LargeContainer): (string | number)[] {
  return parent ? [...pathOf(parent), key ?? index] : [];
}

test('each passage is the value at its path, wherever the text is split into chunks', () => {
  fc.assert(
    fc.property(
      document,
      fc.constantFrom(undefined, 2),
      fc.integer({ min: 1, max: 9000 }),
      (root, indent, chunkChars) => {
        const text = JSON.stringify(root, null, indent);
        const found = passagesOf(text, 1_000_000);
        const parsed: unknown = JSON.parse(text);
        for (const { path, text: passage } of found) {
          const at = path.reduce<unknown>((around, step) => (around as Record<string, unknown>)[step], parsed);
          expect(JSON.parse(passage)).toEqual(at);
          expect(passage.length).toBeLessThanOrEqual(MAX_PASSAGE_CHARS);
        }
        expect(passagesOf(text, chunkChars)).toEqual(found);
      },
    ),
    { numRuns: 300 },
  );
});

test('every item of a large list is one passage', () => {
  const items = Array.from({ length: 3000 }, (_, id) => ({ id, name: `item ${id}`, tags: ['a', { b: id }] }));
  const found = passagesOf(JSON.stringify({ meta: { count: 3000 }, items }), 1000);
  expect(found.length).toBe(3001);
  expect(found.slice(1).map(({ text }) => JSON.parse(text))).toEqual(items);
});

test('a key that is not valid JSON is reported', () => {
  const passages = new JsonPassages(() => {});
  createJsonSample(passages).push('{"\\x":1}');
  expect(passages.isBroken).toBe(true);
});

test('containers inside each other become large one after another, outermost first', () => {
  const depth = 300;
  const numbers = Array.from({ length: 3000 }, (_, index) => index);
  const text = `${'[0,'.repeat(depth)}${JSON.stringify(numbers)}${',1]'.repeat(depth)}`;
  const found = passagesOf(text, 1000);
  expect(found.slice(0, depth).map(({ path }) => path)).toEqual(
    Array.from({ length: depth }, (_, index) => [...new Array<number>(index).fill(1), 0]),
  );
  expect(found.slice(depth, -depth).map(({ text: number }) => Number(number))).toEqual(numbers);
  expect(found).toHaveLength(2 * depth + numbers.length);
});
