import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { viewedValue, viewOf } from '../../fixtures/view-of.ts';
import { decodedView, textViewOf, withTextView } from './text-views.ts';

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function* chunksOf(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const end of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    yield bytes.subarray(from, end);
    from = end;
  }
}

async function decoded(json: string, cuts: readonly number[] = []): Promise<string> {
  const chunks = await collect(decodedView(chunksOf(new TextEncoder().encode(json), cuts)));
  return new Blob(chunks).text();
}

describe('the mark of a view', () => {
  test('belongs to one object, which does not change', () => {
    const read = Object.freeze({ bytes: 1 });
    expect(withTextView(read)).toBe(read);
    expect(textViewOf(read)).toEqual({});
    expect(Object.keys(read)).toEqual(['bytes']);
    expect(textViewOf({ ...read })).toBeUndefined();
  });

  test('cannot be forged with members', () => {
    expect(textViewOf({ hasTextView: true, isView: true, offsets: {} })).toBeUndefined();
  });
});

describe('the decoded view', () => {
  test('is the text of the value, wherever its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(viewedValue, fc.array(fc.nat(), { maxLength: 8 }), async (value, cuts) => {
        expect(await decoded(JSON.stringify(value, undefined, 2), cuts)).toBe(viewOf(value));
      }),
      { numRuns: 80 },
    );
  });

  test('is right for bytes that arrive one by one', async () => {
    const json = '"a\\n\\u00e9\\ud83d\\ude42\\\\\\"\\ud800x"';
    expect(
      await decoded(
        json,
        Array.from(json, (_, at) => at),
      ),
    ).toBe('"a\né🙂\\"\ufffdx"');
  });

  test('is empty without any byte', async () => {
    expect(await decoded('')).toBe('');
  });
});
