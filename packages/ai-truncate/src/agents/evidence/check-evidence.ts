import { ArtifactNotFoundError, type Artifacts, requireArtifacts } from '../../artifacts/artifacts.ts';
import { now, withTimeout } from '../../deadlines.ts';
import { requireOption, requireOptionalFunction, requireOptions, requireWholeNumber } from '../../options.ts';
import { inSearchTurn } from '../../search/search-turn.ts';
import { type Evidence, markLookedUp, toClaim, type UsableClaim, unverified } from './evidence.ts';
import { findAtNamedLines, findEverywhere, type QuoteLookup, quoteLookup, type SearchBudget } from './find-quotes.ts';

export interface CheckEvidenceOptions {
  abortSignal?: AbortSignal | undefined;
  /** Called after each decision with all claims that are decided so far, in their order. */
  onChecked?: ((soFar: Evidence[]) => void) | undefined;
  /** The time for all claims together. @default 10000 */
  deadlineMs?: number | undefined;
  /** Bytes that may be read to search outside of the named lines, for all claims together. @default 1073741824 (1 GiB) */
  maxBytes?: number | undefined;
}

const OPTIONS: readonly (keyof CheckEvidenceOptions)[] = ['abortSignal', 'onChecked', 'deadlineMs', 'maxBytes'];
const MAX_CLAIMS = 20;
const DEADLINE_MS = 10_000;
const MAX_BYTES = 1024 ** 3;
/** The share of the time for the named lines. The searches have the rest. */
const NEAR_PART = 0.5;

/**
 * Looks up each quote in its artifact: first at the named lines, then everywhere else. A quote may differ from the artifact only in
 * white space and in the additions of readers (line numbers, visible control characters, an ellipsis).
 *
 * Accepts claims as a model wrote them: the first 20 claims, and the first 500 characters of each quote. The text of a verified quote
 * is that of the artifact. A quote is `unchecked` when the store failed or the time was up.
 *
 * @example
 * const evidence = await checkEvidence(artifacts, [{ path, startLine: 120, endLine: 120, quote: 'ERROR disk full' }]);
 */
export async function checkEvidence(
  artifacts: Artifacts,
  claims: readonly unknown[],
  options: CheckEvidenceOptions = {},
): Promise<Evidence[]> {
  requireArtifacts(artifacts);
  requireOptions(options, { known: OPTIONS });
  const { abortSignal, onChecked, deadlineMs = DEADLINE_MS, maxBytes = MAX_BYTES } = options;
  requireOption(Array.isArray(claims), { option: 'claims', value: claims, expected: 'a list' });
  requireOptionalFunction('onChecked', onChecked);
  requireWholeNumber('deadlineMs', { value: deadlineMs, min: 1 });
  requireWholeNumber('maxBytes', { value: maxBytes, min: 0 });
  const usable = claims.slice(0, MAX_CLAIMS).flatMap((claim) => toClaim(claim) ?? []);
  const decided = new Map<UsableClaim, Evidence>();
  const decide = (evidence: Evidence, claim: UsableClaim): void => {
    decided.set(claim, markLookedUp(evidence));
    onChecked?.(usable.flatMap((each) => decided.get(each) ?? []));
  };
  const endsAt = now() + deadlineMs;
  const limit = { abortSignal, milliseconds: deadlineMs * NEAR_PART };
  const elsewhere = new Map<string, QuoteLookup[]>();
  const lookNear = async (claim: UsableClaim): Promise<void> => {
    const lookup = quoteLookup(claim);
    if (!lookup) return decide(unverified(claim), claim);
    const near = await withinTime(limit, async (signal) => {
      const { path } = await artifacts.info(claim.path, { abortSignal: signal });
      return { path, isDecided: await findAtNamedLines(artifacts, path, { lookup, abortSignal: signal }) };
    });
    if ('error' in near) {
      const isAbsent = ArtifactNotFoundError.isInstance(near.error);
      return decide({ ...unverified(claim), ...(!isAbsent && { unchecked: true }) }, claim);
    }
    const { path, isDecided } = near.found;
    if (isDecided) decide(evidenceOf(path, lookup, { isComplete: true }), claim);
    else elsewhere.set(path, [...(elsewhere.get(path) ?? []), lookup]);
  };
  await Promise.all(usable.map(lookNear));
  const budget: SearchBudget = { bytes: maxBytes };
  let left = elsewhere.size;
  for (const [path, lookups] of elsewhere) {
    const share = { abortSignal, milliseconds: (endsAt - now()) / left-- };
    const searched = await withinTime(share, (signal) => {
      const work = () => findEverywhere(artifacts, path, { lookups, budget, abortSignal: signal });
      return inSearchTurn(artifacts, { signal, work });
    });
    // The time was up, or the store failed. Quotes that were found are verified; the others are unchecked.
    const isComplete = 'found' in searched && searched.found === true;
    for (const lookup of lookups) decide(evidenceOf(path, lookup, { isComplete }), lookup.claim);
  }
  return usable.flatMap((each) => decided.get(each) ?? []);
}

/** Resolves to the result, or to the reason why no result came in time. Rejects only when the caller aborts. */
async function withinTime<Found>(
  { milliseconds, abortSignal }: { milliseconds: number; abortSignal: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<Found>,
): Promise<{ found: Found } | { error: unknown }> {
  try {
    return { found: await withTimeout(milliseconds, { work, abortSignal, what: 'Checking quotes' }) };
  } catch (error) {
    abortSignal?.throwIfAborted();
    return { error };
  }
}

function evidenceOf(path: string, { claim, place }: QuoteLookup, { isComplete }: { isComplete: boolean }): Evidence {
  if (!place) return { ...unverified(claim), ...(!isComplete && { unchecked: true }) };
  return { path, startLine: place.startLine, endLine: place.endLine, quote: place.text, verified: true };
}
