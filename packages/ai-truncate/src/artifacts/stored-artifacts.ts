import { pace } from '../pace.ts';
import type { ArtifactStore, StoredEntry } from '../stores/artifact-store.ts';
import { type ArtifactNameParts, parseKey } from './artifact-name.ts';

/** What a listing finds of one artifact. With both it exists; with one it is being written, or is an orphan. */
export interface StoredArtifact {
  key: string;
  name: string;
  parts: ArtifactNameParts;
  artifact?: StoredEntry;
  /** The side-car. */
  info?: StoredEntry;
}

/** Of the artifacts under a prefix, what the listing of the store tells, ascending by key. What is not ours is passed over. */
export async function* listStored(store: ArtifactStore, prefix: string): AsyncGenerator<StoredArtifact> {
  let current: StoredArtifact | undefined;
  for await (const entry of pace(store.list(prefix))) {
    const parsed = parseKey(entry.key);
    if (!parsed) continue;
    const { kind, artifactKey: key, name, parts } = parsed;
    // Ascending by key, so a side-car follows its artifact directly.
    if (current?.key !== key) {
      if (current) yield current;
      current = { key, name, parts };
    }
    current[kind] = entry;
  }
  if (current) yield current;
}

const MAX_LISTED = 1000;

/** The newest of those that exist. Names begin with their time, so of an ascending listing the last ones: a ring holds them. */
export async function newestFirst(
  all: AsyncIterable<StoredArtifact>,
): Promise<(StoredArtifact & { artifact: StoredEntry })[]> {
  const ring: (StoredArtifact & { artifact: StoredEntry })[] = [];
  let count = 0;
  for await (const { artifact, ...stored } of all) {
    if (!artifact || !stored.info) continue;
    ring[count++ % MAX_LISTED] = { ...stored, artifact };
  }
  const oldest = count % MAX_LISTED;
  const ascending = count > MAX_LISTED ? [...ring.slice(oldest), ...ring.slice(0, oldest)] : ring;
  return ascending.reverse();
}
