import { pace } from '../pace.ts';
import type { ArtifactStore, StoredEntry } from '../stores/artifact-store.ts';
import { type ArtifactNameParts, parseArtifactName, parseKey } from './artifact-name.ts';

/** One artifact in a listing. It exists when both parts do. With one part, it is being written or is an orphan. */
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
  /** Lists only artifacts after this key. */
  after?: string | undefined;
  abortSignal?: AbortSignal | undefined;
}

/** The artifacts under a prefix as the store lists them, in ascending order of keys. Foreign keys are skipped. */
export async function* listStored(store: ArtifactStore, options: ListStoredOptions): AsyncGenerator<StoredArtifact> {
  const { prefix, after = '', abortSignal } = options;
  let current: StoredArtifact | undefined;
  for await (const entry of pace(store.list(prefix, { after, signal: abortSignal }), { abortSignal })) {
    const parsed = parseKey(entry.key);
    // The side-car of an artifact before `after` would look like an orphan.
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

/** The side-car comes first, because an artifact without a side-car does not exist. */
export function keysOf({ artifact, info }: StoredArtifact): string[] {
  return [info, artifact].flatMap((entry) => (entry ? [entry.key] : []));
}

/** An artifact that exists. */
type Existing = StoredArtifact & { artifact: StoredEntry; info: StoredEntry };

/** A place in the order of `newestFirst`. */
export interface AgePlace {
  name: string;
  /** The time in the name, or else the time of the write, to the second. */
  createdAt: Date;
  /** When the side-car was written, in milliseconds. */
  writtenAt: number;
}

/** The number of artifacts in a window, unless more were saved in the same second. */
const WINDOW_SIZE = 1000;
const MAX_WINDOWS = 1000;

type ListAfter = (after: string | undefined) => AsyncIterable<StoredArtifact>;

/**
 * Every artifact that exists, newest first, although stores list the oldest first. The first listing notes where each window of
 * 1,000 artifacts starts and holds the last two windows. Each further window needs another listing, which is made when it is
 * needed. The memory holds four windows. Above a million artifacts, windows grow.
 */
export async function* newestFirst(listAfter: ListAfter, before: AgePlace | undefined): AsyncGenerator<Existing> {
  const newestUndated = new NewestWindow(before);
  const dated = datedArtifacts(listAfter, { before, newestUndated });
  // The first step lists the store, which fills the window for the other steps.
  let nextDated = await dated.next();
  for await (const undated of undatedArtifacts(listAfter, newestUndated)) {
    const place = agePlaceOf(undated);
    for (; !nextDated.done && byAge(agePlaceOf(nextDated.value), place) < 0; nextDated = await dated.next())
      yield nextDated.value;
    yield undated;
  }
  for (; !nextDated.done; nextDated = await dated.next()) yield nextDated.value;
}

/** Artifacts whose names start with their time, so that the order of keys is the order of time. */
async function* datedArtifacts(
  listAfter: ListAfter,
  { before, newestUndated }: { before: AgePlace | undefined; newestUndated: NewestWindow },
): AsyncGenerator<Existing, undefined> {
  let size = WINDOW_SIZE;
  /** The key before each window. */
  let starts: (string | undefined)[] = [undefined];
  let previous: Existing[] = [];
  let current: Existing[] = [];
  for await (const stored of listAfter(undefined)) {
    const { createdAt } = stored.parts;
    if (before && createdAt && createdAt > before.createdAt) break;
    if (!exists(stored)) continue;
    if (!createdAt) {
      newestUndated.push(stored);
      continue;
    }
    const last = current.at(-1)?.parts.createdAt;
    // Only a second that is in one window has an order, which the side-cars tell.
    if (last && current.length >= size && createdAt > last) {
      if (starts.length === MAX_WINDOWS) {
        size *= 2;
        starts = starts.filter((_, index) => index % 2 === 0 || index === MAX_WINDOWS - 1);
      }
      starts.push(current.at(-1)?.key);
      previous = current;
      current = [];
    }
    current.push(stored);
  }
  yield* sorted(current, before);
  if (starts.length > 1) yield* sorted(previous, before);
  for (let window = starts.length - 3; window >= 0; window--) {
    const artifacts: Existing[] = [];
    const end = starts[window + 1] ?? '';
    for await (const stored of listAfter(starts[window])) {
      if (stored.key > end) break;
      if (exists(stored) && stored.parts.createdAt) artifacts.push(stored);
    }
    yield* sorted(artifacts, before);
  }
}

/** Artifacts whose names depend on their content, so only the store knows their age. Their keys sort before all others. */
async function* undatedArtifacts(listAfter: ListAfter, first: NewestWindow): AsyncGenerator<Existing> {
  let window = first;
  for (;;) {
    const artifacts = window.sorted();
    yield* artifacts;
    const last = artifacts.at(-1);
    if (!last || !window.isCut) return;
    window = new NewestWindow(agePlaceOf(last));
    for await (const stored of listAfter(undefined)) {
      if (stored.parts.createdAt) break;
      if (exists(stored)) window.push(stored);
    }
  }
}

/** The newest artifacts before a place. It accepts any number of artifacts, in any order. */
class NewestWindow {
  /** Older artifacts were dropped. */
  isCut = false;
  readonly #before: AgePlace | undefined;
  #artifacts: Existing[] = [];

  constructor(before: AgePlace | undefined) {
    this.#before = before;
  }

  push(artifact: Existing): void {
    if (this.#artifacts.push(artifact) >= 2 * WINDOW_SIZE) this.#cut();
  }

  sorted(): Existing[] {
    this.#cut();
    return this.#artifacts;
  }

  #cut(): void {
    const artifacts = sorted(this.#artifacts, this.#before);
    this.isCut ||= artifacts.length > WINDOW_SIZE;
    this.#artifacts = artifacts.slice(0, WINDOW_SIZE);
  }
}

function exists(stored: StoredArtifact): stored is Existing {
  return stored.artifact !== undefined && stored.info !== undefined;
}

function sorted(artifacts: readonly Existing[], before: AgePlace | undefined): Existing[] {
  const older = before ? artifacts.filter((each) => byAge(agePlaceOf(each), before) > 0) : [...artifacts];
  return older.sort((one, other) => byAge(agePlaceOf(one), agePlaceOf(other)));
}

export function agePlaceOf({ name, info }: Existing): AgePlace {
  return agePlace(name, info.writtenAt.getTime());
}

function agePlace(name: string, writtenAt: number): AgePlace {
  const createdAt = parseArtifactName(name)?.createdAt ?? new Date(Math.floor(writtenAt / 1000) * 1000);
  return { name, createdAt, writtenAt };
}

/** Most names contain the second of their save. Within a second, the store knows which side-car was written last. */
function byAge(one: AgePlace, other: AgePlace): number {
  return (
    other.createdAt.getTime() - one.createdAt.getTime() ||
    other.writtenAt - one.writtenAt ||
    Number(one.name < other.name) - Number(one.name > other.name)
  );
}

/** The place as a cursor. It holds the name, so that a later call continues even if this artifact was deleted. */
export function formatAgePlace({ name, writtenAt }: AgePlace): string {
  return `${name}:${writtenAt}`;
}

/** The place of a cursor; `undefined` for any other value. */
export function parseAgePlace(cursor: unknown): AgePlace | undefined {
  const [, name = '', time] = (typeof cursor === 'string' && /^([^:]{1,200}):(\d{1,15})$/.exec(cursor)) || [];
  return parseArtifactName(name) && agePlace(name, Number(time));
}
