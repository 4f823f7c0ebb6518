import type { ServiceName } from './chat-message';
import { randomOf } from './random-of';

/** Gives the messages of one place in the log, or nothing where the night is quiet. */
export type Incident = (index: number) => string[] | undefined;

interface Night {
  lines: number;
  timeOf: (index: number) => number;
}

/** The middle of the night, where neither the beginning nor the end of the log shows it. */
const INCIDENT_START = 0.505;
/** How much of the night it takes: 18 minutes. */
const INCIDENT_LENGTH = 0.025;
/** While it lasts, the share of requests that try to pay. */
const PAYING_SHARE = 0.06;

/**
 * What went wrong in the night: a deployment gave the checkout a timeout of 300 ms instead of 30 s, so that charges that take
 * longer failed until it was rolled back. The payments saw their caller hang up. The inventory noticed nothing.
 */
export function incidentOf(service: ServiceName, { lines }: Night): Incident {
  const start = Math.floor(lines * INCIDENT_START);
  const end = start + Math.max(6, Math.floor(lines * INCIDENT_LENGTH));
  if (service === 'inventory') return () => undefined;
  const story = service === 'checkout' ? checkoutStory : paymentsStory;
  return (index) => {
    if (index < start || index > end) return undefined;
    if (index === start) return story.begins;
    if (index === end) return story.ends;
    const random = randomOf(index);
    // The first failure follows at once, also in a log that is too short for chance.
    if (index !== start + 2 && random() >= PAYING_SHARE) return undefined;
    return story.fails({ order: 48_213 + index - start, waitedMs: 301 + Math.floor(random() * 9) });
  };
}

interface Story {
  begins: string[];
  fails: (charge: { order: number; waitedMs: number }) => string[];
  ends: string[];
}

const checkoutStory: Story = {
  begins: [
    'INFO  checkout-2 deploy 2026.11.18-1 by release-bot: 3 instances restarted',
    'INFO  checkout-2 config reloaded: payments.timeoutMs changed from 30000 to 300 (deploy 2026.11.18-1)',
  ],
  fails: ({ order, waitedMs }) => [
    `ERROR checkout-2 order ${order} was not charged: payments.internal did not answer within 300ms (waited ${waitedMs}ms)`,
    'ERROR checkout-2     at PaymentGateway.charge (payment-gateway.ts:88:11)',
    'ERROR checkout-2     at Checkout.placeOrder (checkout.ts:142:25)',
  ],
  ends: [
    'INFO  checkout-2 rollback to deploy 2026.11.17-4 by on-call: 3 instances restarted',
    'INFO  checkout-2 config reloaded: payments.timeoutMs changed from 300 to 30000 (deploy 2026.11.17-4)',
  ],
};

const paymentsStory: Story = {
  begins: ['WARN  payments-1 caller checkout closes connections early since deploy 2026.11.18-1 of checkout'],
  fails: ({ order, waitedMs }) => [
    `ERROR payments-1 charge of order ${order} was cancelled: checkout closed the connection after ${waitedMs}ms, the bank was still working`,
  ],
  ends: ['INFO  payments-1 caller checkout waits for answers again'],
};
