/** `ai-truncate/store`: for authors of a store. Every store of this package has its own entry. */

// The interface
export type {
  ArtifactStore,
  CallOptions,
  GetOptions,
  ListOptions,
  PutOptions,
  StoreBody,
  StoredEntry,
} from './stores/artifact-store.ts';
// Checks of keys, and the error for an existing key
export { isKey, KeyExistsError, requireKey, requirePrefix } from './stores/artifact-store.ts';
