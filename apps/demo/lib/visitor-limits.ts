import { environment } from './environment';
import { networkOf } from './network-of';
import { oncePerProcess } from './once-per-process';
import { RequestError } from './request-error';
import { type TokenBuckets, tokenBuckets } from './token-buckets';
import type { FromVisitor, Visitor } from './visitor';

/**
 * Limits for one visitor, one network, all new visitors together and everybody, so that no visitor can take the demo from the
 * others, or the money of its owner. A request takes from limits that visitors share only after it turned out to be valid.
 */
export interface VisitorLimits {
  /** Takes one request to the chat from its sender, even if it names a chat that does not exist. Throws like `requireAnswer`. */
  requireAttempt(asker: Asker): void;
  /**
   * Takes one answer from the limits that the sender shares with others, and one chat if it is new. Throws a `RequestError` that
   * says how long to wait.
   */
  requireAnswer(asker: Asker, asked: { isNewChat: boolean }): void;
  /** Takes one reading of an artifact from its sender, and one search when it is one. Throws like `requireAnswer`. */
  requireReading(asker: Asker, asked: { isSearch: boolean }): void;
  /**
   * Takes one reading that found something from the shared limits, and its bytes from all limits. The bytes may be more than was
   * left; then the next reading waits until all of them have come back.
   */
  tookReading(asker: Asker, taken: { isSearch: boolean; bytes: number }): void;
  /** Takes the bytes that a tool saved, even if they are more than was left. Then the next answer has to wait. */
  tookSavedBytes(asker: Asker, bytes: number): void;
  /** Whether this answer may cost money; takes one such answer when it may. */
  mayPay(asker: Asker): boolean;
}

export interface Asker {
  request: FromVisitor;
  visitor: Visitor;
  /** Its cookie came with this request only: a client that keeps none would be somebody else each time. */
  isNew: boolean;
}

/** The buckets of one sender: its own, once it has a cookie, and the one of its network, where that is known. */
interface SenderRates {
  visitor: TokenBuckets;
  network: TokenBuckets;
}

/** The buckets that a sender shares with strangers. */
interface SharedRates {
  /** For all senders without a cookie. A client that drops its cookies is new each time. */
  newVisitors?: TokenBuckets;
  everybody?: TokenBuckets;
}

type Rates = SenderRates & SharedRates;

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
  // New visitors together have half of the limit for everybody, so that they leave enough for visitors with a cookie.
  const answers = {
    visitor: rate(20, 600),
    network: rate(60, 1_200),
    newVisitors: rate(300, 6_000),
    everybody: rate(600, 12_000),
  };
  const chats = {
    visitor: rate(30, 30),
    network: rate(60, 120),
    newVisitors: rate(300, 1_800),
    everybody: rate(600, 3_600),
  };
  // All orders are 5 MB. The log of a service is saved once and not counted. `diskRoom` limits all visitors together.
  const savedMegabytes = { visitor: rate(100, 100), network: rate(200, 200), newVisitors: rate(300, 600) };
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

  function ofSender(rates: SenderRates, { request, visitor, isNew }: Asker): Bucket[] {
    const network = networkOf(request, { isVercel });
    return [
      ...(network === undefined ? [] : [[rates.network, network] as const]),
      ...(isNew ? [] : [[rates.visitor, visitor.id] as const]),
    ];
  }

  function ofOthers({ newVisitors, everybody }: SharedRates, { isNew }: Asker): Bucket[] {
    return [
      ...(everybody ? [[everybody, 'everybody'] as const] : []),
      ...(newVisitors && isNew ? [[newVisitors, 'new visitors'] as const] : []),
    ];
  }

  const bucketsOf = (rates: Rates, asker: Asker) => [...ofSender(rates, asker), ...ofOthers(rates, asker)];

  return {
    requireAttempt(asker) {
      requireNow(takeOf(ofSender(answers, asker)), MANY_MESSAGES);
    },
    requireAnswer(asker, { isNewChat }) {
      requireNow(waitFor(bucketsOf(savedMegabytes, asker)), 'Tools saved too much data for you in a short time.');
      const buckets = [...ofOthers(answers, asker), ...(isNewChat ? bucketsOf(chats, asker) : [])];
      requireNow(takeOf(buckets), MANY_MESSAGES);
    },
    requireReading(asker, { isSearch }) {
      const asked: Rates[] = isSearch ? [readings, searches] : [readings];
      const gates = [...bucketsOf(megabytes, asker), ...asked.flatMap((rates) => ofOthers(rates, asker))];
      requireNow(waitFor(gates) || takeOf(asked.flatMap((rates) => ofSender(rates, asker))), MUCH_READING);
    },
    tookReading(asker, { isSearch, bytes }) {
      chargeTo(ofOthers(readings, asker), 1);
      if (isSearch) chargeTo(ofOthers(searches, asker), 1);
      chargeTo(bucketsOf(megabytes, asker), bytes / 1_000_000);
    },
    tookSavedBytes: (asker, bytes) => chargeTo(bucketsOf(savedMegabytes, asker), bytes / 1_000_000),
    mayPay: (asker) => takeOf(bucketsOf(paid, asker)) === 0,
  };
}

/** A set of buckets, and the key of one of them. */
type Bucket = readonly [TokenBuckets, string];

const MANY_MESSAGES = 'You sent too many messages in a short time.';
const MUCH_READING = 'You read too much in a short time.';

function requireNow(waitSeconds: number, message: string): void {
  if (waitSeconds > 0) throw new RequestError('too_many_requests', message, { retryAfterSeconds: waitSeconds });
}

function waitFor(buckets: readonly Bucket[]): number {
  return Math.max(0, ...buckets.map(([bucket, key]) => bucket.waitSeconds(key)));
}

/** Takes one from each bucket, or nothing from any of them, and returns how long to wait. */
function takeOf(buckets: readonly Bucket[]): number {
  const waitSeconds = waitFor(buckets);
  if (waitSeconds === 0) for (const [bucket, key] of buckets) bucket.take(key);
  return waitSeconds;
}

function chargeTo(buckets: readonly Bucket[], count: number): void {
  for (const [bucket, key] of buckets) bucket.charge(key, count);
}
