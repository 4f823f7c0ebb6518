import { InvalidOptionError } from '../errors.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';

const METHODS = ['put', 'get', 'head', 'list', 'delete', 'locate'] as const;

/** Throws unless this has the methods of a store. */
export function requireStore(store: unknown): asserts store is ArtifactStore {
  const candidate = store as Partial<ArtifactStore> | null | undefined;
  if (METHODS.every((method) => typeof candidate?.[method] === 'function')) return;
  throw new InvalidOptionError({
    option: 'store',
    value: store,
    expected: 'an artifact store, e.g. `memoryStore()` or `filesystemStore()`',
  });
}
