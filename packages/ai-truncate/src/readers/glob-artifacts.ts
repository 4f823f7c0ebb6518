import { parseArtifactName } from '../artifacts/artifact-name.ts';
import type { Artifacts, ListedArtifact } from '../artifacts/artifacts.ts';
import { startDeadline } from '../deadlines.ts';
import { InvalidOptionError } from '../errors.ts';
import { requireWholeNumber } from '../options.ts';
import { pace } from '../pace.ts';
import type { GlobMatcher } from './glob-pattern.ts';

export interface GlobArtifactsOptions {
  /** @default all */
  matches?: GlobMatcher;
  /** At most 1,000. @default 100 */
  limit?: number;
  /** Where to go on: `next` of an answer before. */
  cursor?: string | undefined;
  /** Ends it with what was found until then. @default 1 s after the list is there */
  deadline?: AbortSignal | undefined;
  abortSignal?: AbortSignal | undefined;
}

export interface GlobArtifactsResult {
  /** Newest first. */
  artifacts: ListedArtifact[];
  /** All that fit, from the start of the list; when it `ended`: at least. */
  total: number;
  /** The time was up before all were looked at. */
  ended?: 'deadline';
  /** Where to go on; absent when nothing is left. */
  next?: string;
}

/** The hardest glob takes 20 ms for a path. Less than an answer may take: the store was asked for its list before. */
const MATCHING_MS = 1000;

/** The artifacts of the scope whose path fits a glob, of the newest 1,000. Nothing of them is read. */
export async function globArtifacts(artifacts: Artifacts, options: GlobArtifactsOptions): Promise<GlobArtifactsResult> {
  const { matches = () => true, limit = 100, cursor, deadline, abortSignal } = options;
  requireWholeNumber('limit', { value: limit, min: 1, max: 1000 });
  const listed: ListedArtifact[] = [];
  for await (const artifact of pace(artifacts.list({ abortSignal }), { abortSignal })) listed.push(artifact);
  const start = cursor === undefined ? 0 : listed.findIndex((each) => idOf(each) === cursor) + 1;
  if (cursor !== undefined && start === 0) {
    const expected = 'the cursor of an answer before, of an artifact that is still here; list again without it';
    throw new InvalidOptionError({ option: 'cursor', value: cursor, expected });
  }
  const timer = deadline ? undefined : startDeadline(MATCHING_MS);
  try {
    return await look(listed, { matches, limit, start, deadline: deadline ?? timer?.signal, abortSignal });
  } finally {
    timer?.clear();
  }
}

interface Look extends Pick<GlobArtifactsOptions, 'deadline' | 'abortSignal'> {
  matches: GlobMatcher;
  limit: number;
  start: number;
}

async function look(
  listed: readonly ListedArtifact[],
  { matches, limit, start, deadline, abortSignal }: Look,
): Promise<GlobArtifactsResult> {
  // What is asked for first, then what an earlier page showed: who goes on always comes further.
  const wanted = listed.slice(start);
  const all = [...wanted, ...listed.slice(0, start)];
  const page: ListedArtifact[] = [];
  let total = 0;
  let looked = 0;
  let next: ListedArtifact | undefined;
  for await (const artifact of pace(all, { abortSignal })) {
    if (matches(artifact.path)) {
      total++;
      if (looked < wanted.length && page.length < limit) page.push(artifact);
      else if (looked < wanted.length) next ??= page.at(-1);
    }
    looked++;
    if (deadline?.aborted) break;
  }
  if (looked < wanted.length) next ??= wanted[looked - 1];
  return {
    artifacts: page,
    total,
    ...(looked < all.length && { ended: 'deadline' }),
    ...(next && { next: idOf(next) }),
  };
}

function idOf({ name }: ListedArtifact): string {
  return parseArtifactName(name)?.id ?? name;
}
