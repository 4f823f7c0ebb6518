/** How many lines the log of the last night has. */
export const serverLogLines = 20_000;

/** In the middle, where neither the beginning nor the end of the log shows it. */
const failureLine = 12_480;
const failure = [
  'ERROR checkout-2 order 48213 was not charged: TLS handshake with payments.internal:8443 failed',
  'ERROR checkout-2   cause: the certificate of payments.internal expired at 2026-11-17T04:00:00Z',
  'ERROR checkout-2   at PaymentGateway.charge (payment-gateway.ts:88:11)',
  'ERROR checkout-2   at Checkout.placeOrder (checkout.ts:142:25)',
];

const requests = ['GET /cart', 'POST /cart/items', 'GET /checkout', 'POST /checkout/address', 'GET /health'];

/**
 * The log of one night of a shop: thousands of requests that worked, and one that did not.
 *
 * The same text on every call, so that a conversation about it can be repeated.
 */
export function serverLog(): string {
  const random = seededRandom(20_261_117);
  const lines: string[] = [];
  for (let index = 0; index < serverLogLines; index++) {
    // One line each 650 ms, from midnight on.
    const time = new Date(Date.UTC(2026, 10, 17, 2) + index * 650).toISOString();
    const message = failure[index - failureLine] ?? successfulRequest(random);
    lines.push(`${time} ${message}`);
  }
  return lines.join('\n');
}

function successfulRequest(random: () => number): string {
  const instance = 1 + Math.floor(random() * 3);
  const request = requests[Math.floor(random() * requests.length)];
  const timeMs = 4 + Math.floor(random() * 90);
  const visitor = Math.floor(random() * 2 ** 32).toString(16);
  return `INFO  checkout-${instance} ${request} 200 ${timeMs}ms visitor=${visitor}`;
}

/** A linear congruential generator: no library is needed to make a log look busy. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
