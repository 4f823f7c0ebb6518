import { thousands } from '../text/utf.ts';

/** The decimal form takes time by the square of the bits: 9 ms here, 1.6 s at twenty million bits. */
const MAX_BITS = 300_000;
const LIMIT = 1n << BigInt(MAX_BITS);
/** More bits than any runtime gives a BigInt. */
const HIGHEST_STEP = 2 ** 30;

/** The digits of a BigInt, or, when writing them would block, how many there are. */
export function bigIntText(value: bigint): string {
  if (value < LIMIT && value > -LIMIT) return value.toString();
  const digits = Math.floor(bitsOf(value) * Math.log10(2)) + 1;
  return `[BigInt of about ${thousands(digits)} digits]`;
}

/** The highest bit that is set. Halves the steps, so that all shifts together copy the value no more than once. */
function bitsOf(value: bigint): number {
  let bits = 0;
  let rest = value;
  for (let step = HIGHEST_STEP; step >= 1; step /= 2) {
    const high = rest >> BigInt(step);
    // A negative value ends at -1n. Negating it first would be one more copy.
    if (high === 0n || high === -1n) continue;
    rest = high;
    bits += step;
  }
  return bits;
}
