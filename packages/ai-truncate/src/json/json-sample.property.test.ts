import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { finished } from '../pace.ts';
import type { JsonContainer, JsonNode } from './json-node.ts';
import { createJsonSample, parseJson } from './json-sample.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('"', '\\', '\\"', '\ud800', '\u0001', '{"a":[', 'é', '😀', '\\u00e9', 'tool output with spaces'),
);
const scalar = fc.oneof(
  text,
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(text, tie('value'), { maxKeys: 5 }),
  ),
}));
const root = fc.oneof(fc.array(value, { maxLength: 8 }), fc.dictionary(text, value, { maxKeys: 8 }));
const indent = fc.constantFrom(undefined, 1, '\t', '\r\n');

/** Documents larger than a sample: one long string, repeated values, or many members, in random surroundings. */
const largeRoot = fc
  .record({
    filling: fc.array(value, { minLength: 1, maxLength: 6 }),
    around: fc.array(value, { maxLength: 4 }),
    shape: fc.nat(3),
    pad: text,
  })
  .map(({ filling, around, shape, pad }) => {
    const size = JSON.stringify(filling).length + 20;
    const times = Math.ceil(400_000 / size);
    const many = Array.from({ length: times }, () => filling);
    if (shape === 0) return [...around, many, ...around];
    if (shape === 1)
      return { before: around, [pad]: { x: 1, long: `${pad}é\n"${pad}`.repeat(60_000), y: 2 }, after: around };
    if (shape === 2) return Object.fromEntries(many.map((item, index) => [`${pad}${index}`, item]));
    return [around, { rows: many.flat(), [pad]: around }, [around], pad];
  });

describe('a JSON sample', { timeout: 30_000 }, () => {
  test('agrees with JSON.parse about valid documents, and reads them as they were written', () => {
    fc.assert(
      fc.property(
        root,
        indent,
        fc.nat(),
        fc.constantFrom('', '"', ',', '}', '1', '\\', 'x', '\n'),
        (document, space, place, noise) => {
          const json = JSON.stringify(document, null, space);
          const at = place % (json.length + 1);
          const maybeBroken = json.slice(0, at) + noise + json.slice(at);
          const node = sample([maybeBroken]);
          expect(node !== undefined).toBe(isDocument(maybeBroken));
          // Not compared with the result of JSON.parse, because V8 can return a wrong escaped key (nodejs/node#63785).
          if (noise === '') expect(toValue(node as JsonNode)).toEqual(document);
        },
      ),
      { numRuns: propertyRuns({ sample: 170, full: 500 }) },
    );
  });

  test('does not depend on how a small text is split', () => {
    fc.assert(
      fc.property(root, indent, fc.array(fc.nat()), (document, space, cuts) => {
        const json = JSON.stringify(document, null, space);
        expect(sample(cut(json, cuts))).toEqual(sample([json]));
        expect(sample([...json])).toEqual(sample([json]));
      }),
    );
  });

  test('does not depend on how a large text is split, and contains only items of the document', () => {
    fc.assert(
      fc.property(
        largeRoot,
        indent,
        fc.nat(40),
        fc.array(fc.nat(), { maxLength: 60 }),
        (document, space, shift, cuts) => {
          // Leading white space moves every token across the ends of blocks.
          const json = ' '.repeat(shift) + JSON.stringify(document, null, space);
          const node = sample([json]);
          expect(node).toBeDefined();
          expect(sample(cut(json, cuts))).toEqual(node);
          expectPartOf(node as JsonNode, parseJson(json) as JsonNode);
        },
      ),
      { numRuns: 25, endOnFailure: true },
    );
  });

  test('is the same wherever the end of a block falls', () => {
    const item = { 'key \\ é': 'a "quoted" \u0001 😀 \ud800 text', n: -12.5e3, list: [true, null, {}] };
    const json = JSON.stringify({ rows: Array.from({ length: 4000 }, () => item), 'la\nst': 'x'.repeat(1000) });
    const escaped = json.replaceAll('é', '\\u00e9').replaceAll('😀', '\\ud83d\\ude00');
    const whole = parseJson(escaped) as JsonNode;
    for (let shift = 0; shift < 110; shift++) {
      const moved = ' '.repeat(shift) + escaped;
      const node = sample([moved]) as JsonNode;
      expectPartOf(node, whole);
      if (shift % 10 === 0) expect(sample(cut(moved, [shift * 977, 131_072, 16_384, 16_385]))).toEqual(node);
    }
  });

  test('joins a string wherever the end of a block falls', () => {
    const long = '\\u00e9\\n\\\\\\"\\ud83d\\ude00x'.repeat(15_000);
    const whole = parseJson(`{"a":{"b":"${long}","c":[1]}}`) as JsonNode;
    for (let shift = 0; shift < 40; shift++) {
      const node = sample([`${' '.repeat(shift)}{"a":{"b":"${long}","c":[1]}}`]) as JsonNode;
      expectPartOf(node, whole);
      expect(node).toMatchObject({
        first: [{ key: 'a', value: { first: [{ key: 'b', value: { kind: 'string' } }], last: [{ key: 'c' }] } }],
      });
    }
  });
});

function sample(chunks: Iterable<string>): JsonContainer | undefined {
  const sampler = createJsonSample();
  for (const chunk of chunks) sampler.push(chunk);
  return finished(sampler.finish());
}

function cut(json: string, cuts: number[]): string[] {
  const places = [0, ...cuts.map((place) => place % (json.length + 1)).sort((a, b) => a - b), json.length];
  return places.slice(1).map((end, index) => json.slice(places[index], end));
}

function isDocument(json: string): boolean {
  try {
    const parsed: unknown = JSON.parse(json);
    return typeof parsed === 'object' && parsed !== null;
  } catch {
    return false;
  }
}

function toValue(node: JsonNode): unknown {
  if (node.kind === 'literal') return JSON.parse(node.text);
  if (node.kind === 'string') return node.first;
  expect(node.count).toBe(node.first.length);
  if (node.kind === 'array') return node.first.map(({ value }) => toValue(value));
  const object = {};
  for (const { key = '', value } of node.first) {
    Object.defineProperty(object, key, { value: toValue(value), enumerable: true, configurable: true, writable: true });
  }
  return object;
}

/** Every known item equals the item at the same place in the whole document. */
function expectPartOf(node: JsonNode, whole: JsonNode): void {
  if (node.kind === 'literal' && whole.kind === 'literal') {
    if (node.text !== whole.text) throw new Error(`${node.text} is not ${whole.text}`);
    return;
  }
  if (node.kind === 'string' && whole.kind === 'string') {
    if (node.length !== whole.length) throw new Error(`${node.length} characters, not ${whole.length}`);
    if (!whole.first.startsWith(node.first)) throw new Error('a wrong beginning');
    if (!whole.first.endsWith(node.last)) throw new Error('a wrong end');
    return;
  }
  if (node.kind === 'literal' || node.kind === 'string' || node.kind !== whole.kind) {
    throw new Error(`${node.kind} is not ${whole.kind}`);
  }
  if (node.count !== whole.count) throw new Error(`${node.count} items, not ${whole.count}`);
  const lastStart = whole.count - node.last.length;
  if (node.first.length > lastStart) throw new Error('an item occurs twice');
  for (const [index, item] of node.first.entries()) expectItem(item, whole.first[index]);
  for (const [index, item] of node.last.entries()) expectItem(item, whole.first[lastStart + index]);
}

function expectItem(item: JsonContainer['first'][number], whole: JsonContainer['first'][number] | undefined): void {
  if (!whole || item.key !== whole.key) throw new Error(`${item.key} is not ${whole?.key}`);
  expectPartOf(item.value, whole.value);
}
