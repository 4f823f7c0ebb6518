export interface TokenBucketsOptions {
  /** How many may be taken at once, by who has taken none for a while. */
  burst: number;
  /** How many come back in an hour. */
  perHour: number;
  /** How many keys are told apart; the others share one bucket. @default 10000 */
  maxKeys?: number;
  /** Milliseconds that only ascend. @default performance.now */
  now?: () => number;
}

/** How often something may happen, for each key on its own. */
export interface TokenBuckets {
  /** How long this key has to wait until it may take one; 0 when it need not. */
  waitSeconds(key: string): number;
  /** Takes one. Ask `waitSeconds` first: nothing is taken from a bucket that is empty. */
  take(key: string): void;
  /** Takes what was given already, when its amount is known only then: what is not there is owed. */
  charge(key: string, count: number): void;
}

const HOUR_MS = 3_600_000;
const DEFAULT_MAX_KEYS = 10_000;
const REST = '';

/** Token buckets in the memory of this process: another one counts on its own. */
export function tokenBuckets(options: TokenBucketsOptions): TokenBuckets {
  const { burst, perHour, maxKeys = DEFAULT_MAX_KEYS, now = () => performance.now() } = options;
  const perMs = perHour / HOUR_MS;
  const buckets = new Map<string, { tokens: number; atMs: number }>();

  const tokensOf = (key: string) => {
    const bucket = buckets.get(key);
    return bucket ? Math.min(burst, bucket.tokens + (now() - bucket.atMs) * perMs) : burst;
  };

  /** A bucket that is full again says nothing. */
  function dropFull() {
    for (const key of buckets.keys()) if (tokensOf(key) >= burst) buckets.delete(key);
  }

  /** Who comes when too many are known shares one bucket: nobody gets more by being many. */
  function known(key: string): string {
    if (buckets.size >= maxKeys && !buckets.has(key)) dropFull();
    return buckets.has(key) || buckets.size < maxKeys ? key : REST;
  }

  function charge(key: string, count: number) {
    const one = known(key);
    buckets.set(one, { tokens: tokensOf(one) - count, atMs: now() });
  }

  return {
    waitSeconds: (key) => {
      const missing = 1 - tokensOf(known(key));
      return missing <= 0 ? 0 : Math.ceil(missing / perMs / 1000);
    },
    take: (key) => {
      if (tokensOf(known(key)) >= 1) charge(key, 1);
    },
    charge,
  };
}
