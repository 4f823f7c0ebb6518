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

export interface ListStoredOptions {
  /** `''` for all, or one folder. */
  prefix: string;
  /** Only what comes after this key. */
  after?: string | undefined;
  abortSignal?: AbortSignal | undefined;
}

/** Of the artifacts under a prefix, what the listing of the store tells, ascending by key. What is not ours is passed over. */
export async function* listStored(store: ArtifactStore, options: ListStoredOptions): AsyncGenerator<StoredArtifact> {
  const { prefix, after = '', abortSignal } = options;
  let current: StoredArtifact | undefined;
  for await (const entry of pace(store.list(prefix, { after, signal: abortSignal }), { abortSignal })) {
    const parsed = parseKey(entry.key);
    // The side-car of an artifact that stands before `after`: alone, it would look like an orphan.
    if (!parsed || parsed.artifactKey <= after) continue;
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

/** The side-car first: without it the rest is no artifact any more. */
export function keysOf({ artifact, info }: StoredArtifact): string[] {
  return [info, artifact].flatMap((entry) => (entry ? [entry.key] : []));
}

/** An artifact that exists. */
type Existing = StoredArtifact & { artifact: StoredEntry; info: StoredEntry };

const MAX_LISTED = 1000;

/** The newest of those that exist. Names begin with their time, so of an ascending listing the last ones: a ring holds them. */
export async function newestFirst(all: AsyncIterable<StoredArtifact>): Promise<Existing[]> {
  const ring: Existing[] = [];
  let count = 0;
  for await (const stored of all) {
    if (exists(stored)) ring[count++ % MAX_LISTED] = stored;
  }
  return ring.sort(byAge);
}

function exists(stored: StoredArtifact): stored is Existing {
  return stored.artifact !== undefined && stored.info !== undefined;
}

/** Names tell the second; within it the store knows which side-car was written last. */
function byAge(one: Existing, other: Existing): number {
  return (
    other.parts.createdAt.getTime() - one.parts.createdAt.getTime() ||
    other.info.writtenAt.getTime() - one.info.writtenAt.getTime() ||
    (one.key < other.key ? 1 : -1)
  );
}
