import { expectTypeOf, test } from 'vitest';
import {
  isTruncatedOutput,
  type PreviewKeep,
  type TruncatedOutput,
  type TruncationLimits,
  truncateText,
} from './index.ts';

test('the counts of truncateText are there only when something was cut', () => {
  const result = truncateText('text', { keep: 'ends' });
  expectTypeOf(result.content).toEqualTypeOf<string>();
  if (result.truncated) expectTypeOf(result.reason).toEqualTypeOf<'lines' | 'bytes'>();
  // @ts-expect-error nothing was cut
  else result.reason;
});

test('a misspelt part or an unknown option does not compile', () => {
  // @ts-expect-error
  truncateText('text', { keep: 'middle' });
  // @ts-expect-error
  truncateText('text', { maxLine: 3 });
  // @ts-expect-error
  ({ keep: 'both' }) satisfies TruncationLimits;
});

test('a keep function may be asynchronous and knows what it is given', () => {
  const keep = (async ({ head, lines }) => `${lines}: ${head}`) satisfies PreviewKeep;
  expectTypeOf(keep).returns.resolves.toEqualTypeOf<string>();
});

test('isTruncatedOutput narrows any value', () => {
  const output: unknown = null;
  if (isTruncatedOutput(output)) {
    expectTypeOf(output).toEqualTypeOf<TruncatedOutput>();
    expectTypeOf(output.data.truncation.full_output_path).toEqualTypeOf<string | null>();
  }
});
