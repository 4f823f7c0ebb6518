import { describe, expect, test } from 'vitest';
import { createVisitorLimits } from './visitor-limits';

function limitsAt(options: { paidAnswersPerHour?: number; isVercel?: boolean } = {}) {
  let ms = 0;
  const limits = createVisitorLimits({ paidAnswersPerHour: 1_000, isVercel: true, ...options, now: () => ms });
  return {
    ...limits,
    pass: (seconds: number) => {
      ms += seconds * 1000;
    },
    /** How many answers are given before the first refusal. */
    untilRefused(ask: (index: number) => void): number {
      for (let index = 0; index < 10_000; index++) {
        try {
          ask(index);
        } catch (error) {
          expect(error).toMatchObject({ code: 'too_many_requests', retryAfterSeconds: expect.any(Number) });
          return index;
        }
      }
      return Number.POSITIVE_INFINITY;
    },
  };
}

const asker = (id: string, { network = id, isNew = false } = {}) => ({
  visitor: { id },
  request: { headers: new Headers({ 'x-real-ip': network }) },
  isNew,
});
const old = { isNewChat: false };

test('a visitor who asks without a pause has to wait, is told how long, and then goes on', () => {
  const limits = limitsAt();
  expect(limits.untilRefused(() => limits.requireAnswer(asker('a'), old))).toBe(20);
  expect(() => limits.requireAnswer(asker('a'), old)).toThrow(expect.objectContaining({ retryAfterSeconds: 6 }));
  limits.requireAnswer(asker('b'), old);
  limits.pass(6);
  limits.requireAnswer(asker('a'), old);
});

test('new chats are counted on their own, for they keep artifacts', () => {
  const limits = limitsAt();
  const count = limits.untilRefused(() => {
    limits.pass(10);
    limits.requireAnswer(asker('a'), { isNewChat: true });
  });
  expect(count).toBeGreaterThanOrEqual(30);
  expect(count).toBeLessThan(40);
  limits.requireAnswer(asker('a'), old);
});

test('who keeps no cookie shares the limit of the network, and without a known one that of everybody', () => {
  const limits = limitsAt();
  const forgetful = (index: number, network: string) => asker(`new-${index}`, { network, isNew: true });
  expect(limits.untilRefused((index) => limits.requireAnswer(forgetful(index, '203.0.113.7'), old))).toBe(60);
  const local = limitsAt({ isVercel: false });
  expect(local.untilRefused((index) => local.requireAnswer(forgetful(index, String(index)), old))).toBe(600);
});

describe('reading what was kept', () => {
  const window = { isSearch: false };

  test('goes on for a visitor who scrubs, jumps, searches and downloads, and ends for a script', () => {
    const limits = limitsAt();
    const visitor = asker('a');
    // 50 positions, 200 jumps of two pages, 100 searches, three downloads of 500 MB: without a pause.
    for (let count = 0; count < 70 + 400; count++) limits.requireReading(visitor, window);
    for (let count = 0; count < 100; count++) limits.requireReading(visitor, { isSearch: true });
    for (let count = 0; count < 3; count++) {
      limits.requireReading(visitor, window);
      limits.tookBytes(visitor, 500e6);
    }
    expect(limits.untilRefused(() => limits.requireReading(visitor, window))).toBe(3_000 - 573);
    expect(() => limits.requireReading(visitor, window)).toThrow(expect.objectContaining({ retryAfterSeconds: 1 }));
    limits.requireReading(asker('b'), window);
    limits.pass(1);
    limits.requireReading(visitor, window);
  });

  test('ends sooner with searches, and other readings go on', () => {
    const limits = limitsAt();
    expect(limits.untilRefused(() => limits.requireReading(asker('a'), { isSearch: true }))).toBe(300);
    limits.requireReading(asker('a'), window);
  });

  test('ends with the bytes that were given', () => {
    const limits = limitsAt();
    const downloads = limits.untilRefused(() => {
      limits.requireReading(asker('a'), window);
      limits.tookBytes(asker('a'), 500e6);
    });
    expect(downloads).toBe(10);
    limits.pass(1);
    limits.requireReading(asker('a'), window);
    limits.tookBytes(asker('a'), 500e6);
    expect(() => limits.requireReading(asker('a'), window)).toThrow(
      expect.objectContaining({ retryAfterSeconds: 360 }),
    );
    limits.pass(360);
    limits.requireReading(asker('a'), window);
  });

  test('counts all bytes of downloads that began together', () => {
    const limits = limitsAt();
    for (let count = 0; count < 10; count++) limits.requireReading(asker('a'), window);
    for (let count = 0; count < 10; count++) limits.tookBytes(asker('a'), 1e9);
    limits.pass(3_600);
    expect(() => limits.requireReading(asker('a'), window)).toThrow(expect.objectContaining({ retryAfterSeconds: 1 }));
    limits.pass(1);
    limits.requireReading(asker('a'), window);
  });

  test('counts a network, and everybody, as one', () => {
    const limits = limitsAt();
    const readings = limits.untilRefused((index) =>
      limits.requireReading(asker(`visitor-${index}`, { network: '203.0.113.7' }), window),
    );
    expect(readings).toBe(6_000);
  });
});

test('answers that cost money end for one visitor before they end for the others', () => {
  const limits = limitsAt();
  const paid = Array.from({ length: 15 }, () => limits.mayPay(asker('a')));
  expect(paid.filter(Boolean)).toHaveLength(10);
  expect(limits.mayPay(asker('b'))).toBe(true);
});

test('all visitors together cannot spend more than the owner allows', () => {
  const limits = limitsAt({ paidAnswersPerHour: 25 });
  const paid = Array.from({ length: 1_000 }, (_, index) => limits.mayPay(asker(`visitor-${index}`, { isNew: true })));
  expect(paid.filter(Boolean)).toHaveLength(25);
  limits.pass(3_600);
  expect(limits.mayPay(asker('late'))).toBe(true);
});
