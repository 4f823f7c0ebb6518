import { describe, expect, test } from 'vitest';
import { type Asker, createVisitorLimits } from './visitor-limits';

const old = { isNewChat: false };

function limitsAt(options: { paidAnswersPerHour?: number; isVercel?: boolean } = {}) {
  let ms = 0;
  const limits = createVisitorLimits({ paidAnswersPerHour: 1_000, isVercel: true, ...options, now: () => ms });
  return {
    ...limits,
    /** A message that can be answered. */
    ask(sender: Asker, asked = old): void {
      limits.requireAttempt(sender);
      limits.requireAnswer(sender, asked);
    },
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

test('a visitor who asks without a pause has to wait, learns how long, and may then continue', () => {
  const limits = limitsAt();
  expect(limits.untilRefused(() => limits.ask(asker('a')))).toBe(20);
  expect(() => limits.ask(asker('a'))).toThrow(expect.objectContaining({ retryAfterSeconds: 6 }));
  limits.ask(asker('b'));
  limits.pass(6);
  limits.ask(asker('a'));
});

test('new chats are counted separately, because they save artifacts', () => {
  const limits = limitsAt();
  const count = limits.untilRefused(() => {
    limits.pass(10);
    limits.ask(asker('a'), { isNewChat: true });
  });
  expect(count).toBeGreaterThanOrEqual(30);
  expect(count).toBeLessThan(40);
  limits.ask(asker('a'));
});

test('clients without a cookie share the limit of their network, or of all new visitors if the network is unknown', () => {
  const limits = limitsAt();
  const forgetful = (index: number, network: string) => asker(`new-${index}`, { network, isNew: true });
  expect(limits.untilRefused((index) => limits.ask(forgetful(index, '203.0.113.7')))).toBe(60);
  const local = limitsAt({ isVercel: false });
  expect(local.untilRefused((index) => local.ask(forgetful(index, String(index))))).toBe(300);
});

describe('reading saved outputs', () => {
  const window = { isSearch: false };

  test('continues for a visitor who scrolls, jumps, searches and downloads, and is refused for a script', () => {
    const limits = limitsAt();
    const visitor = asker('a');
    // 50 positions, 200 jumps of two pages, 100 searches, three downloads of 500 MB: without a pause.
    for (let count = 0; count < 70 + 400; count++) limits.requireReading(visitor, window);
    for (let count = 0; count < 100; count++) limits.requireReading(visitor, { isSearch: true });
    for (let count = 0; count < 3; count++) {
      limits.requireReading(visitor, window);
      limits.tookReading(visitor, { ...window, bytes: 500e6 });
    }
    expect(limits.untilRefused(() => limits.requireReading(visitor, window))).toBe(3_000 - 573);
    expect(() => limits.requireReading(visitor, window)).toThrow(expect.objectContaining({ retryAfterSeconds: 1 }));
    limits.requireReading(asker('b'), window);
    limits.pass(1);
    limits.requireReading(visitor, window);
  });

  test('is refused sooner for searches, while other reads continue', () => {
    const limits = limitsAt();
    expect(limits.untilRefused(() => limits.requireReading(asker('a'), { isSearch: true }))).toBe(300);
    limits.requireReading(asker('a'), window);
  });

  test('is refused after too many bytes', () => {
    const limits = limitsAt();
    const downloads = limits.untilRefused(() => {
      limits.requireReading(asker('a'), window);
      limits.tookReading(asker('a'), { ...window, bytes: 500e6 });
    });
    expect(downloads).toBe(10);
    limits.pass(1);
    limits.requireReading(asker('a'), window);
    limits.tookReading(asker('a'), { ...window, bytes: 500e6 });
    expect(() => limits.requireReading(asker('a'), window)).toThrow(
      expect.objectContaining({ retryAfterSeconds: 360 }),
    );
    limits.pass(360);
    limits.requireReading(asker('a'), window);
  });

  test('counts all bytes of downloads that started together', () => {
    const limits = limitsAt();
    for (let count = 0; count < 10; count++) limits.requireReading(asker('a'), window);
    for (let count = 0; count < 10; count++) limits.tookReading(asker('a'), { ...window, bytes: 1e9 });
    limits.pass(3_600);
    expect(() => limits.requireReading(asker('a'), window)).toThrow(expect.objectContaining({ retryAfterSeconds: 1 }));
    limits.pass(1);
    limits.requireReading(asker('a'), window);
  });

  test('has a limit for a network, and for all visitors together', () => {
    const limits = limitsAt();
    const readings = limits.untilRefused((index) =>
      limits.requireReading(asker(`visitor-${index}`, { network: '203.0.113.7' }), window),
    );
    expect(readings).toBe(6_000);
  });

  test('only reads that found an output count for all visitors together', () => {
    const limits = limitsAt();
    const search = { isSearch: true };
    for (let index = 0; index < 4_000; index++) limits.requireReading(asker(`visitor-${index}`), search);
    const found = limits.untilRefused((index) => {
      limits.requireReading(asker(`finder-${index}`), search);
      limits.tookReading(asker(`finder-${index}`), { ...search, bytes: 0 });
    });
    expect(found).toBe(3_000);
  });
});

test('paid answers run out for one visitor before they run out for others', () => {
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

describe('requests for chats that do not exist', () => {
  test.each([
    ['without a cookie', { isNew: true, isVercel: false }],
    ['without a cookie, from one network', { isNew: true, isVercel: true }],
    ['with one cookie', { isNew: false, isVercel: false }],
  ])('%s count only for their sender', (_, { isNew, isVercel }) => {
    const limits = limitsAt({ isVercel });
    limits.untilRefused(() => limits.requireAttempt(asker('attacker', { isNew })));
    limits.ask(asker('regular'));
    limits.ask(asker('first-time', { isNew: true }), { isNewChat: true });
  });

  test('do not count for other visitors when each has its own cookie', () => {
    const limits = limitsAt({ isVercel: false });
    for (let index = 0; index < 700; index++) limits.requireAttempt(asker(`attacker-${index}`));
    limits.ask(asker('regular'));
  });
});

describe('what tools save', () => {
  test('makes its visitor wait before the next answer, and no other visitor', () => {
    const limits = limitsAt();
    limits.ask(asker('a'));
    limits.tookSavedBytes(asker('a'), 110e6);
    expect(() => limits.ask(asker('a'))).toThrow(expect.objectContaining({ retryAfterSeconds: expect.any(Number) }));
    limits.ask(asker('b'));
    limits.pass(3_600);
    limits.ask(asker('a'));
  });

  test('counts for a network and for all new visitors together', () => {
    const limits = limitsAt();
    for (let index = 0; index < 4; index++) {
      limits.tookSavedBytes(asker(`new-${index}`, { network: '203.0.113.7', isNew: true }), 60e6);
    }
    expect(() => limits.ask(asker('late', { network: '203.0.113.7' }))).toThrow('Tools saved too much data');
    const local = limitsAt({ isVercel: false });
    for (let index = 0; index < 6; index++) local.tookSavedBytes(asker(`new-${index}`, { isNew: true }), 60e6);
    expect(() => local.ask(asker('late', { isNew: true }))).toThrow('Tools saved too much data');
    local.ask(asker('known'));
  });
});
