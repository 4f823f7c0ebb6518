import type { ServiceName } from './chat-message';
import { pick, randomOf } from './random-of';

type Requests = readonly [string, ...string[]];

const requests: Record<ServiceName, Requests> = {
  checkout: [
    'GET /cart',
    'POST /cart/items',
    'GET /checkout',
    'POST /checkout/address',
    'POST /checkout/pay',
    'GET /health',
  ],
  payments: ['POST /charges', 'GET /charges', 'POST /refunds', 'GET /methods', 'GET /health'],
  inventory: ['GET /stock', 'POST /reservations', 'DELETE /reservations', 'GET /warehouses', 'GET /health'],
};

/** What a healthy service complains about all night. It explains nothing, and a search has to look past it. */
const complaints: Requests = [
  'WARN  {instance} slow query: 412ms select * from carts where visitor = $1',
  'WARN  {instance} retry 1 of 3: GET recommendations.internal/v2/also-bought answered 503',
  'WARN  {instance} cache is 91% full, evicting the oldest 2048 entries',
  'WARN  {instance} session {id} came with an expired cookie, a new one was sent',
];

/** Few enough to be noise, many enough that nobody reads them all. */
const COMPLAINTS_SHARE = 0.002;

/** One line of a service that works. It depends on its place in the log only. */
export function ordinaryLine(service: ServiceName, index: number): string {
  const random = randomOf(index * 3 + service.length);
  const instance = `${service}-${1 + Math.floor(random() * 3)}`;
  const id = Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
  if (random() < COMPLAINTS_SHARE) {
    return pick(random, complaints).replace('{instance}', instance).replace('{id}', id);
  }
  const timeMs = 4 + Math.floor(random() * 90);
  return `INFO  ${instance} ${pick(random, requests[service])} 200 ${timeMs}ms request=${id} visitor=${id.slice(3)}`;
}
