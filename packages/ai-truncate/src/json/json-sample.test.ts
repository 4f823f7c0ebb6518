import { describe, expect, test } from 'vitest';
import { finished } from '../pace.ts';
import type { JsonContainer, JsonNode } from './json-node.ts';
import { createJsonSample } from './json-sample.ts';

const MANY = 300 * 1024;

describe('a JSON sample', () => {
  test('contains a small document completely', () => {
    expect(sample('{"id": 7, "tags": ["a", "b"], "ok": true}')).toEqual({
      kind: 'object',
      count: 3,
      last: [],
      first: [
        { key: 'id', value: { kind: 'literal', text: '7' } },
        {
          key: 'tags',
          value: { kind: 'array', count: 2, last: [], first: [{ value: string('a') }, { value: string('b') }] },
        },
        { key: 'ok', value: { kind: 'literal', text: 'true' } },
      ],
    });
  });

  test('keeps first and last items of a large array and counts the rest', () => {
    const rows = Array.from({ length: 100_000 }, (_, id) => JSON.stringify({ id, name: `row ${id}` }));
    const node = sample(`[${rows.join(',')}]`);

    expect(node).toMatchObject({ kind: 'array', count: 100_000 });
    expect(valueAt(node, 'first', 0, 'id')).toEqual({ kind: 'literal', text: '0' });
    expect(valueAt(node, 'last', -1, 'id')).toEqual({ kind: 'literal', text: '99999' });
    expect(node?.first.length).toBeGreaterThan(1000);
    expect(node?.last.length).toBeGreaterThan(1000);
  });

  test('joins the two ends of a string that is larger than the sample, and knows its true length', () => {
    const stdout = `first line\n${'\\ "middle" é\n'.repeat(MANY)}last line`;
    const node = sample(JSON.stringify({ exitCode: 0, stdout, stderr: '' }));

    expect(node).toMatchObject({ count: 3, last: [{ key: 'stderr', value: string('') }] });
    expect(node?.first.map(({ key }) => key)).toEqual(['exitCode', 'stdout']);
    const value = node?.first[1]?.value;
    if (value?.kind !== 'string') throw new Error('not a string');
    expect(value.length).toBe(stdout.length);
    expect(stdout.startsWith(value.first)).toBe(true);
    expect(stdout.endsWith(value.last)).toBe(true);
    expect(value.first.length).toBeGreaterThan(80_000);
    expect(value.last.length).toBeGreaterThan(80_000);
  });

  test('joins the two ends of every container around the gap', () => {
    const rows = Array.from({ length: 50_000 }, (_, id) => ({ id }));
    const node = sample(JSON.stringify({ page: 1, data: { total: 3, rows, next: null }, took: 12 }));

    expect(node).toMatchObject({ count: 3, first: [{ key: 'page' }, { key: 'data' }], last: [{ key: 'took' }] });
    const data = node?.first[1]?.value;
    expect(data).toMatchObject({ count: 3, first: [{ key: 'total' }, { key: 'rows' }], last: [{ key: 'next' }] });
    expect(data?.kind === 'object' && data.first[1]?.value).toMatchObject({ kind: 'array', count: 50_000 });
  });

  test('keeps the known parts of two different items at the two sides of the gap', () => {
    const node = sample(JSON.stringify(['a'.repeat(MANY), 'b', 'c'.repeat(MANY)]));

    expect(node?.count).toBe(3);
    expect(node?.first).toMatchObject([{ value: { kind: 'string', last: '', length: MANY } }]);
    expect(node?.last).toMatchObject([{ value: { kind: 'string', first: '', length: MANY } }]);
  });

  test('leaves numbers as they were written', () => {
    const node = sample('[12345678901234567890, 1e400, -0, 1.10]');
    expect(node?.first.map(({ value }) => value.kind === 'literal' && value.text)).toEqual([
      '12345678901234567890',
      '1e400',
      '-0',
      '1.10',
    ]);
  });

  test('keeps duplicate keys and __proto__', () => {
    const node = sample('{"a":1,"a":2,"__proto__":3}');
    expect(node?.first.map(({ key }) => key)).toEqual(['a', 'a', '__proto__']);
  });

  test.each([
    ['at its beginning', `{"${'k'.repeat(MANY)}":1}`],
    ['with escapes', `{"a":1,"${'\\u00e9'.repeat(MANY)}":"value","z":2}`],
    ['between other members', `{${'"a":1,'.repeat(MANY)}"${'k'.repeat(MANY)}":1,${'"a":1,'.repeat(MANY)}"z":1}`],
  ])('is undefined for a text with a key of more than a block %s', (_, text) => {
    expect(sample(text)).toBeUndefined();
  });

  test('keeps a key that the end of a block cuts, and its value', () => {
    const key = `\\u00e9"${'k'.repeat(1000)}`.replace('"', '\\"');
    for (const value of [`["${'v'.repeat(MANY)}"]`, `"${'v'.repeat(MANY)}"`, '1']) {
      for (let shift = 15_000; shift < 16_400; shift += 50) {
        const node = sample(`{${' '.repeat(shift)}"${key}"  :  ${value},"z":[${'1,'.repeat(MANY)}1]}`);
        expect([...(node?.first ?? [])].map((item) => item.key)).toEqual(
          [`é"${'k'.repeat(1000)}`, 'z'].slice(0, node?.first.length),
        );
        expect(node?.count).toBe(2);
      }
    }
  });

  test('accepts 512 levels, and is undefined for more', () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}"]"${']'.repeat(depth)}`;
    let inner: JsonNode | undefined = sample(nested(512));
    for (let level = 1; level < 512; level++) inner = inner?.kind === 'array' ? inner.first[0]?.value : undefined;
    expect(inner).toEqual({ kind: 'array', count: 1, first: [{ value: string(']') }], last: [] });
    expect(sample(nested(513))).toBeUndefined();
    expect(sample(nested(2_000_000))).toBeUndefined();
  });

  test.each([
    ['an empty text', ''],
    ['white space', ' \n '],
    ['a log', '[2026-01-13 10:00:00] INFO started'],
    ['NDJSON', '{"a":1}\n{"b":2}'],
    ['a string', '"text"'],
    ['a number', '42'],
    ['a document without its end', '{"a":[1,2'],
    ['text after the end', '[1] x'],
    ['a comma too many', '[1,]'],
    ['a key without a value', '{"a"}'],
    ['the wrong bracket', '[1}'],
    ['a bare word', '[yes]'],
    ['a number with a leading zero', '[01]'],
    ['a raw line feed in a string', '["a\nb"]'],
    ['an unknown escape', '["\\x"]'],
  ])('is undefined for %s', (_, text) => {
    expect(sample(text)).toBeUndefined();
  });

  test.each([
    ['a log', '[2026-01-13 1'],
    ['plain text', 'Error'],
    ['a second document', '{"a":1}\n{'],
    ['a string at the root', '"'],
  ])('rejects %s as soon as the fault is certain', (_, text) => {
    const sampler = createJsonSample();
    sampler.push(text);
    expect(sampler.rejected).toBe(true);
    sampler.push('[]');
    expect(finished(sampler.finish())).toBeUndefined();
  });

  test.each([
    ['two values without a comma', '1 2'],
    ['a missing value', '1,,2'],
    ['a wrong bracket', '{]'],
    ['a bare word', 'oops'],
  ])('rejects a large document with %s in its middle', (_, middle) => {
    const many = '"a",'.repeat(MANY);
    expect(sample(`[${many}${middle},${many}1]`)).toBeUndefined();
    expect(sample(`[${many}${many}1]`)).toBeDefined();
  });

  test('needs constant memory for a hundred times its size', () => {
    const record = `${JSON.stringify({ id: 1, text: 'x'.repeat(200), tags: ['a', 'b'] })},`;
    const chunk = record.repeat(200);
    const sampler = createJsonSample();
    sampler.push('[');
    for (let pushed = 0; pushed < 50_000_000; pushed += chunk.length) sampler.push(chunk);
    sampler.push('{}]');

    const node = finished(sampler.finish());
    expect(node?.count).toBe(Math.ceil(50_000_000 / chunk.length) * 200 + 1);
    expect((node?.first.length ?? 0) + (node?.last.length ?? 0)).toBeLessThan(1200);
  });
});

function sample(text: string): JsonContainer | undefined {
  const sampler = createJsonSample();
  sampler.push(text);
  return finished(sampler.finish());
}

function string(text: string): JsonNode {
  return { kind: 'string', first: text, last: '', length: text.length };
}

function valueAt(
  node: JsonContainer | undefined,
  side: 'first' | 'last',
  index: number,
  key: string,
): JsonNode | undefined {
  const item = node?.[side].at(index)?.value;
  return item?.kind === 'object' ? item.first.find((member) => member.key === key)?.value : undefined;
}

test.each([
  ['a row of numbers', `[${'1,'.repeat(100_000)}1]`],
  ['lists in lists', JSON.stringify(Array.from({ length: 20_000 }, (_, id) => [id, [1]]))],
  ['more than a sample holds', JSON.stringify(Array.from({ length: 100_000 }, (_, id) => ({ id })))],
])('the document of a sample is built in steps: %s', (_, text) => {
  const sampler = createJsonSample();
  sampler.push(text);
  const steps = sampler.finish();
  let count = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) count++;
  expect(count).toBeGreaterThan(5);
  expect(step.value).toEqual(finished(sampler.finish()));
});
