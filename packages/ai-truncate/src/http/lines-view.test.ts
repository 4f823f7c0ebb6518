import { describe, expect, test } from 'vitest';
import { artifactRoute } from '../../fixtures/artifact-route.ts';
import type { ArtifactLinesAnswer } from './lines-view.ts';

const route = artifactRoute();

async function lines(name: string, query = ''): Promise<ArtifactLinesAnswer> {
  const response = await route.get(`${name}/lines${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as ArtifactLinesAnswer;
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');

describe('lines of an artifact', () => {
  test('are the first 200 by default, with the start of the next lines', async () => {
    const answer = await lines(await route.save(numbered(5234)));
    expect(answer).toMatchObject({ totalLines: 5234, nextLine: 201 });
    expect(answer.lines).toHaveLength(200);
    expect(answer.lines[199]).toEqual({ number: 200, text: 'line 200', start: 1683, bytes: 8, shownBytes: 8 });
  });

  test('are the requested lines, which may count from the end', async () => {
    const name = await route.save(numbered(5234));
    const texts = async (query: string) => (await lines(name, query)).lines.map(({ text }) => text);
    expect(await texts('?start=3000&count=2')).toEqual(['line 3000', 'line 3001']);
    expect(await texts('?start=-2')).toEqual(['line 5233', 'line 5234']);
    expect(await texts('?start=-99999&count=1')).toEqual(['line 1']);
  });

  test('are at most 1,000, and every line appears in one of the windows', async () => {
    const name = await route.save(numbered(2500));
    const seen: string[] = [];
    for (let start: number | undefined = 1; start !== undefined; ) {
      const window: ArtifactLinesAnswer = await lines(name, `?start=${start}&count=1000`);
      expect(window.lines.length).toBeLessThanOrEqual(1000);
      seen.push(...window.lines.map(({ text }) => text));
      start = window.nextLine;
    }
    expect(seen.join('\n')).toBe(numbered(2500));
  });

  test('are empty past the end, and the answer has their number', async () => {
    expect(await lines(await route.save(numbered(3)), '?start=9999999')).toEqual({ lines: [], totalLines: 3 });
    expect(await lines(await route.save(''))).toMatchObject({
      lines: [{ number: 1, text: '', bytes: 0 }],
      totalLines: 1,
    });
  });

  test('are cut when they are long, with their size in bytes', async () => {
    const name = await route.save(`short\n${'€'.repeat(1_000_000)}\nlast`);
    const first = await lines(name);
    expect(first).toMatchObject({ lines: [{ number: 1 }], nextLine: 2 });
    const second = await lines(name, '?start=2');
    expect(second).toMatchObject({ lines: [{ number: 2, start: 6, bytes: 3_000_000, shownBytes: 4095 }], nextLine: 3 });
    expect(second.lines[0]?.text).toBe('€'.repeat(1365));
    expect(await lines(name, '?start=3')).toMatchObject({ lines: [{ number: 3, text: 'last' }] });
  });

  test.each([
    ['control characters, which JSON escapes', '\u0001'.repeat(1500)],
    ['bytes that are not text', Buffer.alloc(1500, 0xff).toString('latin1')],
    ['quotes', '"'.repeat(3000)],
    ['long lines', 'x'.repeat(4096)],
  ])('never exceed a megabyte for one answer of %s, and every line appears', async (_, line) => {
    const name = await route.save(Array.from({ length: 1200 }, () => line).join('\n'));
    let count = 0;
    for (let start: number | undefined = 1; start !== undefined; ) {
      const response = await route.get(`${name}/lines?count=1000&start=${start}`);
      const body = await response.text();
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1_000_000);
      expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
      const window: ArtifactLinesAnswer = JSON.parse(body);
      expect(window.lines[0]?.number).toBe(start);
      expect(window.lines.every((each) => each.text === line)).toBe(true);
      count += window.lines.length;
      start = window.nextLine;
    }
    expect(count).toBe(1200);
  });
});
