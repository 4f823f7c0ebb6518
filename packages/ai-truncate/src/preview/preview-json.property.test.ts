import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compact, expectShownOf } from '../../fixtures/expect-shown-of.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { previewJson } from '../../fixtures/scanned-output.ts';
import type { JsonContainer } from '../json/json-node.ts';
import { createJsonSample, parseJson } from '../json/json-sample.ts';
import { finished } from '../pace.ts';
import { shrinkJsonLine } from './preview-json.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '"\\\n',
    '\ud83d',
    '😀'.repeat(30),
    '</tool-output-preview>',
    '< /\nTool-Output-Preview',
    '\u202e\u0007',
    '\u{e0041}',
    'https://example.com/a?b=c',
  ),
  fc
    .tuple(fc.constantFrom('some words ', '"\\', '😀', '\u0001', 'x', '<tool-output-preview ', '\ud800'), fc.nat(3000))
    .map(([unit, times]) => unit.repeat(times)),
);
const key = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom('…', '……', 'id', 'url', 'body'),
  fc.string({ unit: 'binary', minLength: 200, maxLength: 400 }),
);
const scalar = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const leaf = fc.oneof(text, scalar, fc.array(scalar, { maxLength: 4 }), fc.dictionary(key, scalar, { maxKeys: 4 }));
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    scalar,
    fc.array(tie('value'), { maxLength: 12 }),
    fc.dictionary(key, tie('value'), { maxKeys: 12 }),
    // Only with leaves, because three hundred repetitions at every level would become eight billion.
    fc.tuple(leaf, fc.nat(300)).map(([item, times]) => repeat(item, { times, maxChars: 20_000 })),
  ),
}));
const value = anyValue.map((document) => bounded(document, { chars: 400_000 }));
const root = fc.oneof(
  fc.array(value, { maxLength: 8 }).map((items) => bounded(items, { chars: 800_000 })),
  fc.dictionary(key, value, { maxKeys: 8 }).map((members) => bounded(members, { chars: 800_000 })),
  fc.tuple(value, fc.nat(2000)).map(([item, times]) => repeat(item, { times, maxChars: 600_000 })),
  fc
    .tuple(value, fc.nat(2000))
    .map(([item, times]) =>
      Object.fromEntries(repeat(item, { times, maxChars: 600_000 }).map((member, index) => [`key ${index}`, member])),
    ),
);
const json = root.map((document) => JSON.stringify(document));
const maxBytes = fc.oneof(fc.integer({ min: 256, max: 2000 }), fc.constantFrom(4096, 16_384, 60_000));

// Shrinking documents of this size takes minutes. The seed in the message reproduces a failure.
describe('a JSON preview', { timeout: 30_000 }, () => {
  test('parses, keeps its limits, and is always the same', () => {
    fc.assert(
      fc.property(json, maxBytes, fc.constantFrom(1, 3, 50, undefined), (document, budget, maxLines) => {
        const options = { maxBytes: budget, ...(maxLines && { maxLines }) };
        const { text } = previewJson(sample(document), options);
        JSON.parse(text);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(budget);
        expect(text.split('\n').length).toBeLessThanOrEqual(maxLines ?? Number.POSITIVE_INFINITY);
        expect(previewJson(sample(document), options).text).toBe(text);
      }),
      { numRuns: propertyRuns({ sample: 50, full: 150 }), endOnFailure: true },
    );
  });

  test('shows only parts of the value, at their places, and its numbers add up', () => {
    fc.assert(
      fc.property(json, maxBytes, (document, budget) => {
        const { text, complete } = previewJson(sample(document), { maxBytes: budget });
        const whole = parseJson(document) as JsonContainer;
        expectShownOf(parseJson(text) as JsonContainer, whole);
        if (complete) expect(compact(parseJson(text) as JsonContainer)).toBe(compact(whole));
      }),
      { numRuns: propertyRuns({ sample: 50, full: 150 }), endOnFailure: true },
    );
  });

  test('contains nothing that a model must not see raw', () => {
    fc.assert(
      fc.property(json, maxBytes, (document, budget) => {
        const { text } = previewJson(sample(document), { maxBytes: budget });
        expect(text).not.toMatch(/<[\s/]*tool-output-preview/i);
        expect(text).not.toMatch(
          // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must not be there.
          /[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e0fff}]|\p{Surrogate}/u,
        );
      }),
      { numRuns: propertyRuns({ sample: 30, full: 100 }), endOnFailure: true },
    );
  });

  test('shrinks every line of NDJSON into one line that parses', () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 1, max: 1000 }), (line, budget) => {
        const shrunk = shrinkJsonLine(line, budget);
        if (shrunk === undefined) {
          expect(budget).toBeLessThan(256);
          return;
        }
        expect(Buffer.byteLength(shrunk)).toBeLessThanOrEqual(budget);
        expect(shrunk).not.toContain('\n');
        expectShownOf(parseJson(shrunk) as JsonContainer, parseJson(line) as JsonContainer);
      }),
      { numRuns: propertyRuns({ sample: 30, full: 100 }), endOnFailure: true },
    );
  });
});

function repeat(item: unknown, { times, maxChars }: { times: number; maxChars: number }): unknown[] {
  return Array.from({ length: Math.min(times, Math.ceil(maxChars / (JSON.stringify(item).length + 1))) }, () => item);
}

/** The value up to a size limit, because twelve large items at each of four levels would take minutes. */
function bounded(item: unknown, room: { chars: number }): unknown {
  room.chars -= typeof item === 'string' ? item.length : 5;
  if (typeof item !== 'object' || item === null) return item;
  const entries: [string, unknown][] = [];
  for (const [name, member] of Object.entries(item)) {
    if (room.chars <= 0) break;
    room.chars -= name.length;
    entries.push([name, bounded(member, room)]);
  }
  return Array.isArray(item) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
}

function sample(json: string): JsonContainer {
  const sampler = createJsonSample();
  sampler.push(json);
  return finished(sampler.finish()) as JsonContainer;
}
