import fc from 'fast-check';
import { describe, test } from 'vitest';
import { compact, expectShownOf } from '../../fixtures/expect-shown-of.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { previewJson } from '../../fixtures/scanned-output.ts';
import type { JsonContainer } from '../json/json-node.ts';
import { parseJson } from '../json/json-sample.ts';

const MAX_DEPTH = 40;

// Documents come from a number, not from arbitraries, which would take most of the time of a hundred thousand cases.
const small = fc.record({
  seed: fc.integer(),
  chars: fc.integer({ min: 512, max: 4096 }),
  maxBytes: fc.oneof(fc.integer({ min: 256, max: 512 }), fc.integer({ min: 256, max: 4096 })),
  maxLines: fc.constantFrom(undefined, undefined, 1),
});

describe('a preview of a small JSON document', () => {
  test('parses, fits, shows only parts of the document, and its numbers add up', () => {
    fc.assert(
      fc.property(small, ({ seed, chars, maxBytes, maxLines }) => {
        const json = randomDocument(seed, chars);
        const node = parseJson(json);
        if (!node) throw new Error('not a document');
        const { text, complete } = previewJson(node, { maxBytes, ...(maxLines && { maxLines }) });

        if (Buffer.byteLength(text) > maxBytes) throw new Error(`${Buffer.byteLength(text)} bytes`);
        if (maxLines === 1 && text.includes('\n')) throw new Error('more than one line');
        JSON.parse(text);
        const shown = parseJson(text) as JsonContainer;
        expectShownOf(shown, node);
        if (complete && compact(shown) !== compact(node)) throw new Error('not complete');
      }),
      { numRuns: propertyRuns({ sample: 4000, full: 100_000 }) },
    );
  });
});

function randomDocument(seed: number, chars: number): string {
  const random = createRandom(seed);
  const isObject = random() < 0.5;
  let json = '';
  for (let count = 0; json.length < chars - 2; count++) {
    const room = random() < 0.2 ? chars - json.length : Math.min(chars - json.length, 20 + random() * 400);
    json += `${count > 0 ? ',' : ''}${isObject ? `${randomKey(random, count)}:` : ''}${randomValue(random, { room, depth: 2 })}`;
  }
  return isObject ? `{${json}}` : `[${json}]`;
}

/** A value of about this many characters: a nest with small neighbors, rows, a record, or a scalar. */
function randomValue(random: () => number, { room, depth }: { room: number; depth: number }): string {
  if (room < 12 || depth >= MAX_DEPTH) return randomScalar(random, room);
  const shape = random();
  if (shape < 0.2) return randomScalar(random, room);
  if (shape < 0.6) {
    const before = random() < 0.4 ? `${randomScalar(random, 8)},` : '';
    const after = random() < 0.4 ? `,${randomScalar(random, 8)}` : '';
    const inner = randomValue(random, { room: room - before.length - after.length - 2, depth: depth + 1 });
    return random() < 0.6 ? `[${before}${inner}${after}]` : `{${randomKey(random, 0)}:${inner}}`;
  }
  const isObject = shape < 0.8;
  const share = 4 + random() * room;
  const items: string[] = [];
  for (let used = 2; used < room; used += (items.at(-1)?.length ?? 0) + 1) {
    const item = randomValue(random, { room: Math.min(room - used, share), depth: depth + 1 });
    items.push(isObject ? `${randomKey(random, items.length)}:${item}` : item);
  }
  return isObject ? `{${items.join()}}` : `[${items.join()}]`;
}

const LITERALS = ['0', '-12.5e3', '12345678901234567890', 'true', 'false', 'null', '""'];
const UNITS = ['some words ', 'x', 'é', '😀', '"\\', '\n', '\u0001', '\u202e', '<tool-output-preview ', '\ud800', '… '];
const KEYS = ['id', 'url', 'body', '…', '……', 'a key of some words', 'é"\n', 'k'.repeat(90)];

function randomScalar(random: () => number, room: number): string {
  if (random() < 0.4) return pick(LITERALS, random);
  const unit = pick(UNITS, random);
  const times = Math.max(0, Math.floor((random() * room) / unit.length));
  return JSON.stringify(random() < 0.5 ? unit.repeat(times) : `${pick(UNITS, random)}${unit.repeat(times)}end`);
}

/** A key that no other member of the object has, because a test could not tell which of two equal keys is shown. */
function randomKey(random: () => number, index: number): string {
  return JSON.stringify((random() < 0.5 && KEYS[index]) || `key ${index}`);
}

function pick(texts: string[], random: () => number): string {
  return texts[Math.floor(random() * texts.length)] as string;
}

/** Mulberry32: the same numbers from the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
