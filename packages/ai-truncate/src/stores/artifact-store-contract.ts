import { requireOption, requireOptions } from '../options.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { Place } from './contract/checks.ts';
import { promises } from './contract/promises.ts';

export interface ArtifactStoreContractOptions {
  /** Opens the same place again. Every store that it returns holds the same values. */
  open: () => ArtifactStore | Promise<ArtifactStore>;
  /** Features that the backend lacks, each with the reason. Cases that need it are reported as skipped, never dropped. */
  cannot?:
    | {
        /** Refuse to overwrite a value. */
        createExclusively?: string | undefined;
        /** Hold values longer than the store object exists. */
        reopen?: string | undefined;
      }
    | undefined;
}

/** One promise of `ArtifactStore`, for any test runner. */
export interface ContractCase {
  /** A sentence about behavior. */
  name: string;
  /** Rejects when the store breaks the promise. */
  run: () => Promise<void>;
  /** The reason why this store cannot make the promise, or `false`. */
  skip: string | false;
}

/**
 * The promises of `ArtifactStore` that can be checked from outside, each as a test case. Run them against your own store. This
 * function imports no test runner. Each case uses its own folders, so the place need not be empty.
 *
 * @example
 * for (const { name, run, skip } of artifactStoreContract({ open: () => memoryStore(), cannot: { reopen: 'memory' } })) {
 *   test.skipIf(skip)(name, run, 60_000);
 * }
 */
export function artifactStoreContract(options: ArtifactStoreContractOptions): ContractCase[] {
  requireOptions(options, { known: ['open', 'cannot'] });
  const { open, cannot = {} } = options;
  const expected = 'a function that opens the store again';
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
