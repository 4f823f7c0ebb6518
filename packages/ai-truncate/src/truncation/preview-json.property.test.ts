import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonContainer, JsonItem, JsonNode } from './json-node.ts';
import { createJsonSample } from './json-sample.ts';
import { parseJson } from './partial-json.ts';
import { previewJson, shrinkJsonLine } from './preview-json.ts';

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
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 12 }),
    fc.dictionary(key, tie('value'), { maxKeys: 12 }),
    fc.tuple(tie('value'), fc.nat(300)).map(([item, times]) => repeat(item, { times, maxChars: 20_000 })),
  ),
}));
const root = fc.oneof(
  fc.array(value, { maxLength: 8 }),
  fc.dictionary(key, value, { maxKeys: 8 }),
  fc.tuple(value, fc.nat(2000)).map(([item, times]) => repeat(item, { times, maxChars: 600_000 })),
  fc
    .tuple(value, fc.nat(2000))
    .map(([item, times]) =>
      Object.fromEntries(repeat(item, { times, maxChars: 600_000 }).map((member, index) => [`key ${index}`, member])),
    ),
);
const json = root.map((document) => JSON.stringify(document));
const maxBytes = fc.oneof(fc.integer({ min: 256, max: 2000 }), fc.constantFrom(4096, 16_384, 60_000));

// Shrinking documents of this size takes minutes; the seed in the message repeats a failure.
describe('a JSON preview', { timeout: 30_000 }, () => {
  it('parses, keeps to its limits, and is the same every time', () => {
    fc.assert(
      fc.property(json, maxBytes, fc.constantFrom(1, 3, 50, undefined), (document, budget, maxLines) => {
        const options = { maxBytes: budget, ...(maxLines && { maxLines }) };
        const { text } = previewJson(sample(document), options);
        JSON.parse(text);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(budget);
        expect(text.split('\n').length).toBeLessThanOrEqual(maxLines ?? Number.POSITIVE_INFINITY);
        expect(previewJson(sample(document), options).text).toBe(text);
      }),
      { numRuns: 150, endOnFailure: true },
    );
  });

  it('shows only what is there, at its place, and its numbers add up', () => {
    fc.assert(
      fc.property(json, maxBytes, (document, budget) => {
        const { text, complete } = previewJson(sample(document), { maxBytes: budget });
        const whole = parseJson(document) as JsonContainer;
        expectShownOf(parseJson(text) as JsonContainer, whole);
        if (complete) expect(compact(parseJson(text) as JsonContainer)).toBe(compact(whole));
      }),
      { numRuns: 150, endOnFailure: true },
    );
  });

  it('holds nothing that a model must not see raw', () => {
    fc.assert(
      fc.property(json, maxBytes, (document, budget) => {
        const { text } = previewJson(sample(document), { maxBytes: budget });
        expect(text).not.toMatch(/<[\s/]*tool-output-preview/i);
        expect(text).not.toMatch(
          // biome-ignore lint/suspicious/noControlCharactersInRegex: it is they that must not be there.
          /[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e0fff}]|\p{Surrogate}/u,
        );
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });

  it('shrinks every line of NDJSON into one line that parses', () => {
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
      { numRuns: 100, endOnFailure: true },
    );
  });
});

function repeat(item: unknown, { times, maxChars }: { times: number; maxChars: number }): unknown[] {
  return Array.from({ length: Math.min(times, Math.ceil(maxChars / (JSON.stringify(item).length + 1))) }, () => item);
}

function sample(json: string): JsonContainer {
  const sampler = createJsonSample();
  sampler.push(json);
  return sampler.finish() as JsonContainer;
}

/** Not with JSON.parse: V8 can return a wrong escaped key (nodejs/node#63785). */
function compact(node: JsonNode): string {
  if (node.kind === 'literal') return node.text;
  if (node.kind === 'string') return JSON.stringify(wellFormed(node.first));
  if (node.kind === 'deep') return '';
  return `${node.kind}(${node.first.map((item) => `${JSON.stringify(wellFormed(item.key ?? ''))}:${compact(item.value)}`).join()})`;
}

function expectShownOf(shown: JsonNode, whole: JsonNode): void {
  if (shown.kind === 'literal') {
    expect(shown).toEqual(whole);
    return;
  }
  if (shown.kind === 'string') {
    expectText(shown.first, whole);
    return;
  }
  if (shown.kind === 'deep' || shown.kind !== whole.kind) throw new Error(`${shown.kind} for ${whole.kind}`);

  const gapAt = shown.first.findIndex(
    (item) => omitted(item) !== undefined && !(shown.kind === 'array' && isSame(item, whole, shown)),
  );
  if (gapAt < 0) {
    expect(shown.count).toBe(whole.count);
    for (const [index, item] of shown.first.entries()) expectItem(item, whole.first[index]);
    return;
  }
  expect(shown.count - 1 + (omitted(shown.first[gapAt]) ?? 0)).toBe(whole.count);
  if (shown.kind === 'array') {
    for (const [index, item] of shown.first.entries()) {
      if (index < gapAt) expectItem(item, whole.first[index]);
      if (index > gapAt) expectItem(item, whole.first[whole.count - shown.count + index]);
    }
    return;
  }
  let at = 0;
  for (const item of shown.first.toSpliced(gapAt, 1)) {
    const found = whole.first.findIndex(({ key = '' }, index) => index >= at && sameKey(item.key ?? '', key));
    if (found < 0) throw new Error(`${item.key} is not there`);
    expectShownOf(item.value, whole.first[found]?.value as JsonNode);
    at = found + 1;
  }
}

function isSame(item: JsonItem, whole: JsonContainer, shown: JsonContainer): boolean {
  return (
    shown.count === whole.count &&
    compact(item.value) === compact(whole.first[shown.first.indexOf(item)]?.value as JsonNode)
  );
}

function expectItem(item: JsonItem, whole: JsonItem | undefined): void {
  if (!whole || !sameKey(item.key ?? '', whole.key ?? '')) throw new Error(`${item.key} for ${whole?.key}`);
  expectShownOf(item.value, whole.value);
}

function sameKey(shown: string, whole: string): boolean {
  // Of a very long key around the gap of a large document, only the beginning is known.
  const isPart =
    whole.length > 256 && shown.length > 40 && shown.endsWith('…') && wellFormed(whole).startsWith(shown.slice(0, -1));
  return shown === wellFormed(whole) || isPart;
}

function expectText(shown: string, whole: JsonNode): void {
  const original = whole.kind === 'string' ? wellFormed(whole.first) : whole.kind === 'literal' ? whole.text : '';
  if (wellFormed(shown) === original) return;
  for (const gap of shown.matchAll(/… \[([\d,]+)(?: more)? characters?\] …/g)) {
    const start = shown.slice(0, gap.index);
    const end = shown.slice(gap.index + gap[0].length);
    const length = start.length + Number(gap[1]?.replaceAll(',', '')) + end.length;
    if (original.startsWith(start) && original.endsWith(end) && length === original.length) return;
  }
  throw new Error(`${JSON.stringify(shown)} is not shown of ${JSON.stringify(original.slice(0, 200))}`);
}

function omitted(item: JsonItem | undefined): number | undefined {
  if (item?.value.kind !== 'string') return undefined;
  const words = item.key === undefined ? /^… ([\d,]+)(?: more)? items? …$/ : /^([\d,]+)(?: more)? members?$/;
  const count = words.exec(item.value.first)?.[1];
  return count !== undefined && (item.key === undefined || /^…+$/.test(item.key))
    ? Number(count.replaceAll(',', ''))
    : undefined;
}

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
