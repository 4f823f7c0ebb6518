import { describe, expect, test } from 'vitest';
import { type MeasuredMessage, planHistory, REFERENCE_TOKENS } from './plan-history.ts';

const limits = { maxTokens: 5000, targetTokens: 3000, keepSteps: 2 };
const assistant: MeasuredMessage = { isAssistant: true, tokens: 50, results: [] };

function results(...tokens: number[]): MeasuredMessage {
  const total = tokens.reduce((sum, each) => sum + each, 4);
  return { isAssistant: false, tokens: total, results: tokens.map((each, part) => ({ part, tokens: each })) };
}

function steps(count: number, tokens = 1000): MeasuredMessage[] {
  return Array.from({ length: count }, () => [assistant, results(tokens)]).flat();
}

function places(messages: MeasuredMessage[], options = limits): string[] {
  return planHistory(messages, options).evictions.map(({ message, part }) => `${message}.${part}`);
}

describe('the plan of a conversation', () => {
  test('changes nothing up to the high water', () => {
    expect(planHistory(steps(4), limits)).toEqual({
      evictions: [],
      tokensBefore: 4216,
      tokensAfter: 4216,
      isStillOver: false,
    });
  });

  test('takes the oldest results above the high water, until the low water is reached', () => {
    const plan = planHistory(steps(5), limits);
    expect(plan.evictions.map(({ message }) => message)).toEqual([1, 3, 5]);
    expect(plan.tokensBefore).toBe(5270);
    expect(plan.tokensAfter).toBe(5270 - 3 * (1000 - REFERENCE_TOKENS));
  });

  test('takes parallel results one by one', () => {
    const messages = [assistant, results(1000, 1000, 1000), ...steps(3, 800)];
    expect(places(messages, { ...limits, targetTokens: 4000 })).toEqual(['1.0', '1.1']);
  });

  test('keeps the results of the last steps, and says when too much is left', () => {
    const plan = planHistory([assistant, results(1000), assistant, results(4000), assistant, results(4000)], limits);
    expect(plan.evictions.map(({ message }) => message)).toEqual([1]);
    expect(plan.isStillOver).toBe(true);
  });

  test('decides the same for a conversation that grew', () => {
    const grown = steps(40);
    for (let end = 0; end <= grown.length; end++) {
      const now = places(grown.slice(0, end));
      expect(places(grown).slice(0, now.length)).toEqual(now);
    }
  });

  test('marks what was decided after the last call of the model as new', () => {
    const plan = planHistory(steps(8), limits);
    expect(plan.evictions.map(({ isNew }) => isNew)).toEqual([false, false, false, true, true, true]);
    expect(planHistory(steps(9), limits).evictions.some(({ isNew }) => isNew)).toBe(false);
  });

  test('takes results rarely, because each time costs the prompt cache', () => {
    const run = steps(300);
    let decisions = 0;
    for (let end = 2; end <= run.length; end += 2) {
      if (
        planHistory(run.slice(0, end), { maxTokens: 100_000, targetTokens: 60_000, keepSteps: 3 }).evictions.some(
          ({ isNew }) => isNew,
        )
      )
        decisions++;
    }
    expect(decisions).toBeGreaterThan(3);
    expect(decisions).toBeLessThanOrEqual(9);
  });
});
