import { describe, expect, test } from 'vitest';
import { understand } from './conversation';

test.each([
  ['How many orders were not refunded?', ['not']],
  ['revenue without refunds', ['without']],
  ['orders in Italy but not in July', ['but', 'not']],
  ['Which order was the first?', ['first']],
  ['what is the revenue of the second best product?', ['second']],
  ['How many errors were there in March?', ['March']],
  ['Run the tests for checkout', ['checkout']],
  ['delete the failing test', ['delete']],
  ['What is the capital of France?', ['capital']],
  ['How many errors per minute?', ['per']],
])('%s is not answered, because of the words %j', (question, unknown) => {
  expect(understand(question)).toMatchObject({ about: 'unclear', unknown });
});

test.each([
  'average orders per day',
  'how many orders per customer on average',
  'revenue in June and August',
  'is revenue high?',
  'which service failed?',
  'how many errors in payments and checkout?',
  'show 20 lines',
  'lines 5, 10 and 15',
  'show lines 20-10',
  'highest',
  'orders 101073 and 101074',
  'orders on 2026-02-31',
  'and in payments?',
  'which product was refunded most there?',
  'When did it start?',
])('%s has known words, but no meaning of its own', (question) => {
  expect(understand(question).about).toBe('unclear');
});

describe('dates', () => {
  test.each([
    ['orders in July', { from: '2026-07-01', before: '2026-08-01' }],
    ['orders in July 2025', { from: '2025-07-01', before: '2025-08-01' }],
    ['orders on 3 July', { from: '2026-07-03', before: '2026-07-04' }],
    ['orders on July 3rd', { from: '2026-07-03', before: '2026-07-04' }],
    ['orders on 2026-07-03', { from: '2026-07-03', before: '2026-07-04' }],
    ['orders between 1 July and 3 July', { from: '2026-07-01', before: '2026-07-04' }],
    ['orders from July to September', { from: '2026-07-01', before: '2026-10-01' }],
    ['orders from July until September', { from: '2026-07-01', before: '2026-10-01' }],
    ['orders in July and August', { from: '2026-07-01', before: '2026-09-01' }],
    ['orders since October', { from: '2026-10-01' }],
    ['orders after July', { from: '2026-08-01' }],
    ['orders before July', { before: '2026-07-01' }],
    ['orders in 2025', { from: '2025-01-01', before: '2026-01-01' }],
  ])('%s', (question, period) => {
    expect(understand(question)).toMatchObject({ about: 'orders', period });
  });
});

describe('orders', () => {
  test.each([
    ['refunds in Italy or France', { where: { region: ['Italy', 'France'], status: ['refunded'] } }],
    ['median order total in DACH', { measure: 'median', where: { region: ['DACH'] } }],
    ['how many customers are there?', { measure: 'distinct', by: ['customer'] }],
    ['orders over 500', { limits: [{ op: 'gt', value: 500 }] }],
    ['top 3 regions by number of refunds', { by: ['region'], rank: 'count', top: 3, direction: 'max' }],
    ['which month had the lowest revenue', { by: ['placed_at.month'], rank: 'sum', direction: 'min' }],
    ['orders of customer 47147', { where: { customer: ['c-47147'] } }],
    ['compare refunds in Italy and France', { by: ['region'], where: { region: ['Italy', 'France'] } }],
  ])('%s', (question, meaning) => {
    expect(understand(question)).toMatchObject({ about: 'orders', ...meaning });
  });
});

describe('a search', () => {
  test.each([
    ['search for "connection pool" in the payments log', 'connection pool', 'payments'],
    ['grep timeout', 'timeout', 'last'],
    ['search the orders for Italy', 'Italy', 'orders'],
    ['how many lines contain timeout', 'timeout', 'last'],
    ['does the checkout log mention a timeout?', 'timeout', 'checkout'],
    ['search for "a timeout"', 'a timeout', 'last'],
    ['search for not found in it', 'not found', 'last'],
  ])('%s', (question, literal, target) => {
    expect(understand(question)).toEqual({ about: 'search', literal, target });
  });

  test('a question that begins with `find` is a search only when it has no other meaning', () => {
    expect(understand('find orders from Italy')).toMatchObject({ about: 'orders' });
    expect(understand('find order 48215 was not charged')).toMatchObject({ about: 'search' });
  });
});
