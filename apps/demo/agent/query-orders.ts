import { tool } from 'ai';
import { z } from 'zod';
import type { OrderReport } from './chat-message';
import { ordersOf } from './orders';

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day, YYYY-MM-DD');

/** All orders that match, in one JSON value: what an internal API without pages answers. */
export const queryOrders = tool({
  description:
    'Gives the orders of the shop from June to October 2026 as one JSON value: { count, orders: [{ id, placed_at, region, customer, product, quantity, total, currency, status, refund_reason? }] }. Without filters that are 20,000 orders.',
  inputSchema: z.object({
    region: z.string().max(40).optional(),
    status: z.enum(['paid', 'refunded', 'cancelled']).optional(),
    from: day.optional(),
    to: day.optional(),
  }),
  execute: (filter): OrderReport => {
    const orders = ordersOf(filter);
    return { generated_for: filter, count: orders.length, orders };
  },
});
