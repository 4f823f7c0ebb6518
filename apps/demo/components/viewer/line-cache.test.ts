import { expect, test } from 'vitest';
import { ArtifactFailure } from './artifact-failure';
import { LineCache, linesPerPage } from './line-cache';

interface Request {
  start: number;
  count: number;
  signal?: AbortSignal;
}

/** A source of a million lines, which answers when it is told to. */
function heldSource({ maxLines = 1000 } = {}) {
  const waiting: { request: Request; answer: () => void; fail: (error: Error) => void }[] = [];
  const requests: Request[] = [];
  const source = {
    lines: (request: Request) => {
      requests.push(request);
      return new Promise<{ lines: ReturnType<typeof line>[]; totalLines: number; nextLine: number }>(
        (resolve, reject) => {
          const count = Math.min(request.count, maxLines);
          const lines = Array.from({ length: count }, (_, index) => line(request.start + index));
          request.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
          waiting.push({
            request,
            answer: () => resolve({ lines, totalLines: 1_000_000, nextLine: request.start + count }),
            fail: reject,
          });
        },
      );
    },
  };
  return { source, requests, waiting };
}

const line = (number: number) => ({ number, text: `line ${number}`, start: number * 10, bytes: 10, shownBytes: 10 });
const firstLines = (count: number) => ({
  lines: Array.from({ length: count }, (_, index) => line(index + 1)),
  totalLines: 1_000_000,
  nextLine: count + 1,
});
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('lines in view are requested once, in pages', async () => {
  const { source, requests, waiting } = heldSource();
  const cache = new LineCache(source);
  cache.show({ first: 190, last: 230 });
  cache.show({ first: 191, last: 231 });
  expect(requests.map(({ start, count }) => [start, count])).toEqual([
    [1, linesPerPage],
    [201, linesPerPage],
  ]);
  for (const { answer } of waiting) answer();
  await settled();
  expect(cache.line(200)?.text).toBe('line 200');
  expect(cache.line(201)?.text).toBe('line 201');
  expect(cache.line(401)).toBeUndefined();
});

test('lines that came with the document are not requested', async () => {
  const { source, requests } = heldSource();
  const cache = new LineCache(source, firstLines(linesPerPage));
  expect(cache.line(200)?.text).toBe('line 200');
  expect(cache.isWaitingFor({ first: 1, last: 200 })).toBe(false);
  cache.show({ first: 190, last: 230 });
  expect(requests.map(({ start }) => start)).toEqual([201]);
});

test('when only some lines came with the document, the others are requested once they are in view', async () => {
  const { source, requests, waiting } = heldSource();
  const cache = new LineCache(source, firstLines(50));
  cache.show({ first: 1, last: 30 });
  expect(requests).toEqual([]);
  expect(cache.isWaitingFor({ first: 40, last: 70 })).toBe(true);
  cache.show({ first: 40, last: 70 });
  expect(requests.map(({ start, count }) => [start, count])).toEqual([[51, 150]]);
  waiting[0]?.answer();
  await settled();
  expect(cache.isWaitingFor({ first: 40, last: 70 })).toBe(false);
  for (const number of [50, 51, 200]) expect(cache.line(number)?.number).toBe(number);
});

test('a request for lines that left the view is cancelled, and repeated when they are back in view', async () => {
  const { source, requests } = heldSource();
  const cache = new LineCache(source);
  cache.show({ first: 1, last: 30 });
  cache.show({ first: 500_000, last: 500_030 });
  expect(requests[0]?.signal?.aborted).toBe(true);
  await settled();
  expect(cache.failure).toBeUndefined();
  cache.show({ first: 1, last: 30 });
  expect(requests.at(-1)?.start).toBe(1);
});

test('lines too long for one answer are shown as they arrive, and requested as far as they are in view', async () => {
  const { source, requests, waiting } = heldSource({ maxLines: 10 });
  const cache = new LineCache(source);
  cache.show({ first: 1, last: 30 });
  waiting[0]?.answer();
  await settled();
  expect(cache.line(10)?.text).toBe('line 10');
  expect(cache.isWaitingFor({ first: 1, last: 30 })).toBe(true);
  for (const index of [1, 2]) {
    waiting[index]?.answer();
    await settled();
  }
  expect(requests.map(({ start }) => start)).toEqual([1, 11, 21]);
  expect(cache.isWaitingFor({ first: 1, last: 30 })).toBe(false);
  cache.show({ first: 2, last: 31 });
  expect(requests.at(-1)?.start).toBe(31);
});

test('lines that left the view are not continued', async () => {
  const { source, requests, waiting } = heldSource({ maxLines: 10 });
  const cache = new LineCache(source);
  cache.show({ first: 100, last: 130 });
  cache.show({ first: 201, last: 231 });
  waiting[0]?.answer();
  await settled();
  expect(requests.map(({ start }) => start)).toEqual([1, 201]);
});

test('after two hundred jumps at most thirty pages are held', async () => {
  const { source, waiting } = heldSource();
  const cache = new LineCache(source);
  for (let jump = 0; jump < 200; jump++) {
    cache.show({ first: jump * 4000 + 1, last: jump * 4000 + 30 });
    waiting.at(-1)?.answer();
    await settled();
  }
  const kept = Array.from({ length: 200 }, (_, jump) => cache.line(jump * 4000 + 1)).filter(Boolean);
  expect(kept).toHaveLength(30);
  expect(kept.at(-1)?.number).toBe(199 * 4000 + 1);
});

test('a failure is reported once, and no more lines are requested until a retry', async () => {
  const { source, requests, waiting } = heldSource();
  const cache = new LineCache(source);
  let told = 0;
  cache.subscribe(() => told++);
  cache.show({ first: 1, last: 30 });
  waiting[0]?.fail(new ArtifactFailure('offline', 'The server cannot be reached.'));
  await settled();
  expect(cache.failure?.kind).toBe('offline');
  expect(told).toBe(1);
  cache.show({ first: 1, last: 30 });
  expect(requests).toHaveLength(1);
  cache.retry({ first: 1, last: 30 });
  waiting[1]?.answer();
  await settled();
  expect(cache.failure).toBeUndefined();
  expect(cache.line(1)?.text).toBe('line 1');
});
