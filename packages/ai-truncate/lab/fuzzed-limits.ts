import { textFragments } from '../fixtures/text-fragments.ts';
import { MAX_PREVIEW_BYTES, type PreviewKeep, type ResolvedLimits, resolveLimits } from '../src/preview/limits.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Limits that an application may set: small, so that small outputs are over them. */
export type FuzzedLimits = Pick<ResolvedLimits, 'maxBytes' | 'previewBytes' | 'keep'> &
  Partial<Pick<ResolvedLimits, 'maxLines' | 'maxChars'>> & { focus?: string };

/** Every so many outputs, an output is as large as a real one, with the default limits. */
export const OUTPUTS_PER_LARGE = 1000;

const { maxChars: _, previewChars: __, ...limits } = resolveLimits({});
/** The limits of an application that sets none. */
const defaultLimits: FuzzedLimits = limits;

/** The largest possible previews, in which every character may have to be made visible. */
const largestLimits = (['auto', 'head', 'ends'] as const).map((keep): FuzzedLimits => {
  return { maxBytes: MAX_PREVIEW_BYTES, previewBytes: MAX_PREVIEW_BYTES, keep };
});

/** Limits for outputs as large as real ones. */
export const realLimits: readonly [FuzzedLimits, ...FuzzedLimits[]] = [defaultLimits, defaultLimits, ...largestLimits];

export function fuzzedLimits(random: SeededRandom): FuzzedLimits {
  const maxBytes = 1024 + random.below(1500);
  return {
    maxBytes,
    previewBytes: 1024 + random.below(maxBytes - 1023),
    keep: random.oneOf(keeps),
    ...(random.next() < 0.3 && { maxLines: 3 + random.below(60) }),
    ...(random.next() < 0.1 && { maxChars: 256 + random.below(2000) }),
    ...(random.next() < 0.5 && { focus: fuzzedQuestion(random) }),
  };
}

/** Words and numbers that are in many outputs, and words that are in none. */
function fuzzedQuestion(random: SeededRandom): string {
  const word = () =>
    random.oneOf([...textFragments, 'status', 'ERROR', 'WARN', 'name', String(random.below(1000)), 'INFO 7']);
  return Array.from({ length: 1 + random.below(12) }, word).join(random.oneOf([' ', ' ', '-', '\n']));
}

const keeps: readonly PreviewKeep[] = [
  ...(['auto', 'auto', 'auto', 'auto', 'auto', 'head', 'tail', 'ends'] as const),
  ({ head, tail }) => head + tail,
  async ({ tail }) => tail,
  () => undefined,
  () => textFragments.join('').repeat(20),
  () => {
    throw new Error('no summary today');
  },
  (() => 7) as never,
  Object.assign(({ head }: { head: string }) => head.slice(0, 300), { kind: 'summary' as const }),
];
