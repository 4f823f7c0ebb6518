import { expect, test } from 'vitest';
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
