import { parseArtifactName } from '../artifacts/artifact-name.ts';
import type { Artifacts, ListedArtifact } from '../artifacts/artifacts.ts';
import { InvalidOptionError, requireWholeNumber } from '../errors.ts';
import { pace } from '../pace.ts';
import type { GlobMatcher } from './glob-pattern.ts';

export interface GlobArtifactsOptions {
  /** @default all */
  matches?: GlobMatcher;
  /** At most 1,000. @default 100 */
  limit?: number;
  /** Where to go on: `next` of an answer before. */
  cursor?: string | undefined;
  abortSignal?: AbortSignal | undefined;
}

export interface GlobArtifactsResult {
  /** Newest first. */
  artifacts: ListedArtifact[];
  /** All that fit, from the start of the list. */
  total: number;
  /** Where to go on; absent when nothing is left. */
  next?: string;
}

/** The artifacts of the scope whose path fits a glob, of the newest 1,000. Nothing of them is read. */
export async function globArtifacts(artifacts: Artifacts, options: GlobArtifactsOptions): Promise<GlobArtifactsResult> {
  const { matches = () => true, limit = 100, cursor, abortSignal } = options;
  requireWholeNumber('limit', { value: limit, min: 1, max: 1000 });
  const fitting: ListedArtifact[] = [];
  for await (const artifact of pace(artifacts.list({ abortSignal }), { abortSignal })) {
    if (matches(artifact.path)) fitting.push(artifact);
  }
  const start = cursor === undefined ? 0 : fitting.findIndex((each) => idOf(each) === cursor) + 1;
  if (cursor !== undefined && start === 0) {
    const expected = 'the cursor of an answer before, of an artifact that is still here; list again without it';
    throw new InvalidOptionError({ option: 'cursor', value: cursor, expected });
  }
  const page = fitting.slice(start, start + limit);
  const last = page.at(-1);
  const hasMore = last !== undefined && start + page.length < fitting.length;
  return { artifacts: page, total: fitting.length, ...(hasMore ? { next: idOf(last) } : {}) };
}

function idOf({ name }: ListedArtifact): string {
  return parseArtifactName(name)?.id ?? name;
}
