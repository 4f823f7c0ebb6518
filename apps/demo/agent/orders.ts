import type { Order, OrderFilter } from './chat-message';
import { pick, randomOf } from './random-of';

/** How many orders the shop had from June to October 2026. */
export const orderCount = 20_000;

/** The year of all orders. */
export const orderYear = 2026;
const FIRST_DAY_MS = Date.UTC(orderYear, 5, 1);
const PERIOD_MS = 153 * 86_400_000;

/** The regions of the orders. */
export const regions = ['Nordics', 'Iberia', 'DACH', 'Benelux', 'British Isles', 'France', 'Italy', 'Baltics'] as const;

/** The products of the orders, with the price of one. */
export const products = [
  { name: 'Trail tent 2P', price: 189 },
  { name: 'Down jacket', price: 149 },
  { name: 'Camping stove', price: 59.9 },
  { name: 'Hiking boots', price: 119 },
  { name: 'Water filter', price: 34.5 },
  { name: 'Headlamp', price: 24.9 },
  { name: 'Sleeping bag', price: 98 },
] as const;

/** The reasons for refunds. */
export const refundReasons = ['wrong size', 'arrived late', 'arrived damaged', 'changed my mind'] as const;

/** One region has more of its tents sent back than all others: what a question about refunds should find. */
const refundShare = (region: string, product: string) =>
  region === 'Baltics' && product === 'Trail tent 2P' ? 0.62 : 0.06;

/** The orders of the shop that match, always the same. */
export function ordersOf({ region, status, from, to }: OrderFilter = {}): Order[] {
  const orders: Order[] = [];
  for (let index = 0; index < orderCount; index++) {
    const order = orderAt(index);
    const day = order.placed_at.slice(0, 10);
    if (region !== undefined && order.region.toLowerCase() !== region.toLowerCase()) continue;
    if (status !== undefined && order.status !== status) continue;
    if ((from !== undefined && day < from) || (to !== undefined && day > to)) continue;
    orders.push(order);
  }
  return orders;
}

function orderAt(index: number): Order {
  const random = randomOf(index + 77);
  const region = pick(random, regions);
  const product = pick(random, products);
  const quantity = 1 + Math.floor(random() ** 3 * 4);
  const placedAt = FIRST_DAY_MS + Math.floor((index / orderCount) * PERIOD_MS + random() * 3_600_000);
  const chance = random();
  const refunds = refundShare(region, product.name);
  const status = chance < refunds ? 'refunded' : chance < refunds + 0.04 ? 'cancelled' : 'paid';
  const reason =
    region === 'Baltics' && product.name === 'Trail tent 2P' ? 'arrived damaged' : pick(random, refundReasons);
  return {
    id: 100_001 + index,
    placed_at: new Date(placedAt).toISOString(),
    region,
    customer: `c-${Math.floor(random() * 90_000 + 10_000)}`,
    product: product.name,
    quantity,
    total: Math.round(product.price * quantity * 100) / 100,
    currency: 'EUR',
    status,
    ...(status === 'refunded' && { refund_reason: reason }),
  };
}
