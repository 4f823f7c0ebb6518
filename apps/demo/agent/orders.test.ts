import { expect, test } from 'vitest';
import { orderCount, ordersOf } from './orders';

test('there are 20,000 orders, always the same, sorted by the hour in which they were placed', () => {
  const orders = ordersOf();
  expect(orders).toHaveLength(orderCount);
  expect(ordersOf()).toEqual(orders);
  expect(new Set(orders.map(({ id }) => id)).size).toBe(orderCount);
});

test('filters return exactly the orders that match', () => {
  const orders = ordersOf({ region: 'iberia', status: 'refunded', from: '2026-07-01', to: '2026-07-31' });
  expect(orders.length).toBeGreaterThan(10);
  for (const order of orders) {
    expect(order).toMatchObject({ region: 'Iberia', status: 'refunded', refund_reason: expect.any(String) });
    expect(order.placed_at).toMatch(/^2026-07-/);
  }
});

test('one region has by far the highest refunds', () => {
  const refunds: Record<string, number> = {};
  for (const { region, total } of ordersOf({ status: 'refunded' })) refunds[region] = (refunds[region] ?? 0) + total;
  const [[first, most = 0] = [], [, second = 0] = []] = Object.entries(refunds).toSorted((a, b) => b[1] - a[1]);
  expect(first).toBe('Baltics');
  expect(most).toBeGreaterThan(2 * second);
});
