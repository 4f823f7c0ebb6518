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
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('lines in view are fetched once, in pages', async () => {
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

test('the first page is not asked for when it came with the document', async () => {
  const { source, requests } = heldSource();
  const firstPage = Array.from({ length: linesPerPage }, (_, index) => line(index + 1));
  const cache = new LineCache(source, firstPage);
  expect(cache.line(200)?.text).toBe('line 200');
  expect(cache.isWaitingFor({ first: 1, last: 200 })).toBe(false);
  cache.show({ first: 190, last: 230 });
  expect(requests.map(({ start }) => start)).toEqual([201]);
});

test('a page that left the view is not waited for, and is asked for again when it is back', async () => {
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

test('an answer that ends early is gone on with until the page is whole', async () => {
  const { source, requests, waiting } = heldSource({ maxLines: 150 });
  const cache = new LineCache(source);
  cache.show({ first: 1, last: 10 });
  waiting[0]?.answer();
  await settled();
  waiting[1]?.answer();
  await settled();
  expect(requests.map(({ start }) => start)).toEqual([1, 151]);
  expect(cache.line(200)?.text).toBe('line 200');
});

test('two hundred jumps keep thirty pages', async () => {
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

test('a failure is told once, and nothing more is asked for until somebody tries again', async () => {
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
