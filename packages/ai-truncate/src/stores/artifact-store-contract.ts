import { requireOption, requireOptions } from '../options.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { Place } from './contract/checks.ts';
import { promises } from './contract/promises.ts';

export interface ArtifactStoreContractOptions {
  /** Opens the place anew: every store that it gives holds the same values. */
  open: () => ArtifactStore | Promise<ArtifactStore>;
  /** What the backend cannot do, and why. Cases that need it are given as skipped, never dropped. */
  cannot?: {
    /** Refuse to overwrite. */
    createExclusively?: string;
    /** Hold values longer than the store object lives. */
    reopen?: string;
  };
}

/** One promise of `ArtifactStore`, for any test runner. */
export interface ContractCase {
  /** A sentence about behaviour. */
  name: string;
  /** Rejects when the store breaks the promise. */
  run: () => Promise<void>;
  /** Why this store does not make the promise; `false` when it does. */
  skip: string | false;
}

/**
 * The promises of `ArtifactStore` that can be seen from outside, each as a test: run it over a store that you wrote, as we do over ours. It imports no test
 * runner; each case works in folders of its own, so the place need not be empty.
 *
 * @example
 * for (const { name, run, skip } of artifactStoreContract({ open: () => memoryStore(), cannot: { reopen: 'memory' } })) {
 *   it.skipIf(skip)(name, run, 60_000);
 * }
 */
export function artifactStoreContract(options: ArtifactStoreContractOptions): ContractCase[] {
  requireOptions(options, { known: ['open', 'cannot'] });
  const { open, cannot = {} } = options;
  const expected = 'a function that opens the store anew';
  requireOption(typeof open === 'function', { option: 'open', value: open, expected });
  requireOptions(cannot, { known: ['createExclusively', 'reopen'], at: 'cannot' });
  return Object.entries(promises).map(([name, check]) => ({
    name,
    skip: (check.needs && cannot[check.needs]) ?? false,
    run: async () => {
      const place = new Place(await open());
      await check(place, open).finally(() => place.clear());
    },
  }));
}
