/** `ai-truncate/store`: for authors of a store. Every store that this package brings has an entry of its own. */

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
// Checks of keys, and the error for a key that is taken
export { isKey, KeyExistsError, requireKey, requirePrefix } from './stores/artifact-store.ts';
