import { describe, expect, test } from 'vitest';
import { artifactRoute } from '../../fixtures/artifact-route.ts';
import { memoryStore } from '../stores/memory-store.ts';
import type { ArtifactCharsAnswer } from './chars-view.ts';

const route = artifactRoute();

async function chars(name: string, query = ''): Promise<ArtifactCharsAnswer> {
  const response = await route.get(`${name}/chars${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as ArtifactCharsAnswer;
}

/** Wide, narrow and hidden characters, none twice in a row. */
const giant = Array.from({ length: 60_000 }, (_, index) => `${index}€😀\u0001`).join('');

describe('characters of a line', () => {
  test('are the requested characters, as they are stored', async () => {
    const name = await route.save(`first\n${giant}\nlast`);
    const index = giant.indexOf('40000€');
    const count = giant.indexOf('40200€') - index;
    const { text, ...rest } = await chars(name, `?line=2&start=${index + 1}&count=${count}`);
    expect(text).toBe(giant.slice(index, index + count));
    expect(rest).toMatchObject({ line: 2, start: index + 1, isEnd: false, totalLines: 3, next: expect.any(String) });
  });

  test('are the first 2,000 of the first line by default', async () => {
    expect(await chars(await route.save(giant))).toMatchObject({ line: 1, start: 1, text: giant.slice(0, 2000) });
  });

  test('are as many as requested even if they are invisible', async () => {
    const name = await route.save('a'.repeat(2000) + '\u202e\u0001'.repeat(10_000));
    for (const count of [1, 199, 5000]) {
      expect((await chars(name, `?start=3001&count=${count}`)).text).toHaveLength(count);
    }
  });

  test('join to the line, page after page, without reading a part twice', async () => {
    const store = memoryStore();
    let readBytes = 0;
    const counted = artifactRoute({
      ...store,
      async get(key, options) {
        const stream = await store.get(key, options);
        if (key.endsWith('.info.json')) return stream;
        const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
          transform(chunk, controller) {
            readBytes += chunk.length;
            controller.enqueue(chunk);
          },
        });
        return stream?.pipeThrough(count);
      },
    });
    const name = await counted.save(`first\n${giant}\nlast`);
    let text = '';
    let pages = 0;
    for (let query: string | undefined = 'line=2&count=5000'; query !== undefined; pages++) {
      const response = await counted.get(`${name}/chars?${query}`);
      const page = (await response.json()) as ArtifactCharsAnswer;
      expect(page.start).toBe(text.length + 1);
      text += page.text;
      query = page.next && `at=${page.next}&count=5000`;
    }
    expect(text).toBe(giant);
    // Each page of 5,000 characters costs a window or two, wherever it is. Reading from the beginning of the line would cost
    // ten times as much.
    expect(readBytes / pages).toBeLessThan(700_000);
  });

  test('continue from a match of a search in a giant line', async () => {
    const name = await route.save(`${'x'.repeat(500_000)}needle${'y'.repeat(500_000)}`);
    const [match = '{}'] = (await (await route.get(`${name}/grep?q=needle`)).text()).split('\n');
    const { at, column } = JSON.parse(match);
    expect(await chars(name, `?at=${at}&count=6`)).toMatchObject({ start: column, text: 'needle', isEnd: false });
  });

  test.each([
    ['?line=1&start=4', { line: 1, start: 4, text: '', isEnd: true, totalLines: 3 }],
    ['?line=1&start=99999999', { line: 1, start: 99_999_999, text: '', isEnd: true, totalLines: 3 }],
    ['?line=2', { line: 2, start: 1, text: '', isEnd: true, totalLines: 3 }],
    ['?line=4', { line: 4, start: 1, text: '', isEnd: true, totalLines: 3 }],
    ['?line=3&start=2', { line: 3, start: 2, text: 'wo', isEnd: true, totalLines: 3 }],
    ['?at=3:2:6', { line: 3, start: 2, text: 'wo', isEnd: true, totalLines: 3 }],
  ])('past the end are empty: %s', async (query, expected) => {
    expect(await chars(await route.save('one\n\ntwo'), query)).toEqual(expected);
  });

  test('are never half a character', async () => {
    const name = await route.save('a😀b😀');
    expect(await chars(name, '?start=3&count=1')).toMatchObject({ start: 2, text: '😀' });
    expect(await chars(name, '?start=1&count=2')).toMatchObject({ text: 'a', isEnd: false });
  });

  test('are refused in an artifact that is not text', async () => {
    const name = await route.save(new Uint8Array(5000), 'application/octet-stream');
    const response = await route.get(`${name}/chars`);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      error: { code: 'BINARY_FILE', message: expect.stringContaining('Download it with `/raw`') },
    });
  });
});
