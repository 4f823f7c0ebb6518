import { environment } from './environment';
import { networkOf } from './network-of';
import { oncePerProcess } from './once-per-process';
import { RequestError } from './request-error';
import { type TokenBuckets, tokenBuckets } from './token-buckets';
import type { FromVisitor, Visitor } from './visitor';

/** What one visitor, one network and all together may do, so that nobody takes the demo from the others, or its owner's money. */
export interface VisitorLimits {
  /** Takes one answer from who asks, and one chat when it is a new one. Throws a `RequestError` that says how long to wait. */
  requireAnswer(asker: Asker, asked: { isNewChat: boolean }): void;
  /** Takes one reading of an artifact, and one search when it is one. Throws like `requireAnswer`. */
  requireReading(asker: Asker, asked: { isSearch: boolean }): void;
  /** Takes what a reading gave, also when that is more than was left. The next one waits until all of it has come back. */
  tookBytes(asker: Asker, bytes: number): void;
  /** Whether this answer may cost money; takes one such answer when it may. */
  mayPay(asker: Asker): boolean;
}

export interface Asker {
  request: FromVisitor;
  visitor: Visitor;
  /** Its cookie came with this request only: a client that keeps none would be somebody else each time. */
  isNew: boolean;
}

/** Whose bucket it is. Who has no cookie yet has none of its own, only the ones of its network and of everybody. */
interface Rates {
  visitor: TokenBuckets;
  network: TokenBuckets;
  everybody: TokenBuckets;
}

export function visitorLimits(): VisitorLimits {
  return oncePerProcess('visitor-limits', () => createVisitorLimits(environment()));
}

export interface VisitorLimitsOptions {
  paidAnswersPerHour: number;
  isVercel: boolean;
  now?: () => number;
}

export function createVisitorLimits({ paidAnswersPerHour, isVercel, now }: VisitorLimitsOptions): VisitorLimits {
  const rate = (burst: number, perHour: number) => tokenBuckets({ burst, perHour, ...(now && { now }) });
  const answers = { visitor: rate(20, 600), network: rate(60, 1_200), everybody: rate(600, 12_000) };
  const chats = { visitor: rate(30, 30), network: rate(60, 120), everybody: rate(600, 3_600) };
  // Of viewers: somebody who drags the scrollbar for a minute asks a thousand times.
  const readings = { visitor: rate(3_000, 7_200), network: rate(6_000, 14_400), everybody: rate(60_000, 144_000) };
  // Each may read a gigabyte and compute for twenty seconds.
  const searches = { visitor: rate(300, 1_200), network: rate(600, 2_400), everybody: rate(3_000, 12_000) };
  const megabytes = { visitor: rate(5_000, 5_000), network: rate(10_000, 10_000), everybody: rate(50_000, 50_000) };
  const paid = {
    visitor: rate(10, 20),
    network: rate(20, 40),
    everybody: rate(paidAnswersPerHour, paidAnswersPerHour),
  };

  function bucketsOf(rates: Rates, { request, visitor, isNew }: Asker): [TokenBuckets, string][] {
    const network = networkOf(request, { isVercel });
    const buckets: [TokenBuckets, string][] = [[rates.everybody, 'everybody']];
    if (network !== undefined) buckets.push([rates.network, network]);
    if (!isNew) buckets.push([rates.visitor, visitor.id]);
    return buckets;
  }

  /** Of all or of none. */
  function takeOf(buckets: [TokenBuckets, string][]): number {
    const waitSeconds = Math.max(...buckets.map(([bucket, key]) => bucket.waitSeconds(key)));
    if (waitSeconds === 0) for (const [bucket, key] of buckets) bucket.take(key);
    return waitSeconds;
  }

  return {
    requireAnswer(asker, { isNewChat }) {
      const waitSeconds = takeOf([...bucketsOf(answers, asker), ...(isNewChat ? bucketsOf(chats, asker) : [])]);
      if (waitSeconds === 0) return;
      throw new RequestError('too_many_requests', 'That were many messages in a short time.', {
        retryAfterSeconds: waitSeconds,
      });
    },
    requireReading(asker, { isSearch }) {
      const most = Math.max(...bucketsOf(megabytes, asker).map(([bucket, key]) => bucket.waitSeconds(key)));
      const waitSeconds =
        most || takeOf([...bucketsOf(readings, asker), ...(isSearch ? bucketsOf(searches, asker) : [])]);
      if (waitSeconds === 0) return;
      throw new RequestError('too_many_requests', 'That was much reading in a short time.', {
        retryAfterSeconds: waitSeconds,
      });
    },
    tookBytes(asker, bytes) {
      for (const [bucket, key] of bucketsOf(megabytes, asker)) bucket.charge(key, bytes / 1_000_000);
    },
    mayPay: (asker) => takeOf(bucketsOf(paid, asker)) === 0,
  };
}
