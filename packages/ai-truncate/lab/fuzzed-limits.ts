import { textFragments } from '../fixtures/text-fragments.ts';
import { MAX_PREVIEW_BYTES, type PreviewKeep, resolveLimits, type TruncationLimits } from '../src/preview/limits.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Limits as an application may set them: small, so that small outputs are over them. */
export type FuzzedLimits = Required<Pick<TruncationLimits, 'maxBytes' | 'previewBytes' | 'keep'>> & TruncationLimits;

/** So seldom an output is as large as real ones, and the limits are the default ones. */
export const OUTPUTS_PER_LARGE = 1000;

const { maxChars: _, ...limits } = resolveLimits({});
/** Those of an application that sets none. */
const defaultLimits: FuzzedLimits = limits;

/** The largest previews that there can be, of which every character may have to be made visible. */
const largestLimits = (['auto', 'head', 'ends'] as const).map((keep): FuzzedLimits => {
  return { maxBytes: MAX_PREVIEW_BYTES, previewBytes: MAX_PREVIEW_BYTES, keep };
});

/** Limits for outputs that are as large as real ones. */
export const realLimits: readonly [FuzzedLimits, ...FuzzedLimits[]] = [defaultLimits, defaultLimits, ...largestLimits];

export function fuzzedLimits(random: SeededRandom): FuzzedLimits {
  const maxBytes = 1024 + random.below(1500);
  return {
    maxBytes,
    previewBytes: 1024 + random.below(maxBytes - 1023),
    keep: random.oneOf(keeps),
    ...(random.next() < 0.3 && { maxLines: 3 + random.below(60) }),
    ...(random.next() < 0.1 && { maxChars: 256 + random.below(2000) }),
  };
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
