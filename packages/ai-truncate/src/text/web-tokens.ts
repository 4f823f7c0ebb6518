/** A part of a token, which is base64url. */
const PART = /[\w-]{0,16384}/y;
const DOT = '.';

/** The most characters of a part of a token. Longer keys and claims do not fit into a request header. */
const HEADER = { min: 11, max: 2048 };
const CLAIMS = { min: 8, max: 12_000 };
const SIGNATURE = { min: 16, max: 1400 };
/** An encrypted token has five parts: header, key, initialization vector, text and tag. */
const KEY = { min: 0, max: 1024 };
const VECTOR = { min: 16, max: 24 };
const TAG = { min: 20, max: 24 };

/**
 * Finds the ends of JSON Web Tokens in one text. A regular expression cannot do this in linear time, because it would read a long run
 * of letters from each possible start.
 */
export class WebTokens {
  /** The end of the run that was read last, and the end of the run in which a token was tried. */
  #runEnd = 0;
  #triedUntil = 0;

  /** The end of the token that starts at a place, or `undefined` if there is none. Places are in ascending order. */
  endOf(text: string, at: number): number | undefined {
    // A later start in the same run would lead to the same dots.
    if (at < this.#triedUntil) return undefined;
    if (at >= this.#runEnd) this.#runEnd = endOfPart(text, at);
    const end = this.#runEnd;
    const isToken = text[end] === DOT;
    if (isToken && end - at > HEADER.max) return undefined;
    this.#triedUntil = end;
    return isToken && isWithin(end - at, HEADER) ? endAfterHeader(text, end) : undefined;
  }
}

function endAfterHeader(text: string, header: number): number | undefined {
  const ends = [header];
  while (ends.length < 5) {
    const last = ends.at(-1) as number;
    if (text[last] !== DOT) break;
    ends.push(endOfPart(text, last + 1));
  }
  const sizes = ends.slice(1).map((end, index) => end - (ends[index] as number) - 1);
  const [second = -1, third = -1, fourth = -1, fifth = -1] = sizes;
  const isEncrypted =
    isWithin(second, KEY) && isWithin(third, VECTOR) && isWithin(fourth, CLAIMS) && isWithin(fifth, TAG);
  if (isEncrypted) return ends[4];
  return isWithin(second, CLAIMS) && isWithin(third, SIGNATURE) ? ends[2] : undefined;
}

function endOfPart(text: string, from: number): number {
  PART.lastIndex = from;
  PART.test(text);
  return PART.lastIndex;
}

function isWithin(size: number, { min, max }: { min: number; max: number }): boolean {
  return size >= min && size <= max;
}
