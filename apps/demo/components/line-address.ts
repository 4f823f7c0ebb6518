/** Lines of an artifact, counted from 1; both ends belong to it. */
export interface LineRange {
  from: number;
  to: number;
}

/** What the hash of a viewer's address says: lines, a character inside of a giant one, and what should stand there. */
export interface LineAddress extends LineRange {
  /** Counted from 1, in the line `from`. */
  character?: number;
  /** The words that somebody read there. Behind the hash they reach no server and no log. */
  quote?: string;
}

/** Of a quote that travels in an address: enough to tell whether it is there. */
const maxQuoteLength = 400;
const ADDRESS = /^#?L(\d{1,12})(?:C(\d{1,12}))?(?:-L?(\d{1,12})(?:C\d{1,12})?)?(?:&quote=(.*))?$/;

/** Reads `#L120`, `#L120-L140`, `#L1C52000` and `#L120-L140&quote=…`; what is no such address is undefined. */
export function parseLineAddress(hash: string): LineAddress | undefined {
  const [, first, character, last, quote] = ADDRESS.exec(hash) ?? [];
  if (first === undefined) return undefined;
  const [from, to] = [Number(first), Number(last ?? first)].sort((one, other) => one - other) as [number, number];
  if (from < 1) return undefined;
  const words = quote && decoded(quote);
  return { from, to, ...(character && { character: Number(character) }), ...(words && { quote: words }) };
}

/** The hash of an address, `#L120-L140`. */
export function formatLineAddress({ from, to, character, quote }: LineAddress): string {
  const place = character === undefined ? '' : `C${character}`;
  const end = from === to ? '' : `-L${to}`;
  return `#L${from}${place}${end}${quote ? `&quote=${encodeURIComponent(shortened(quote))}` : ''}`;
}

/** `120–140`, or `120` for one line. */
export function rangeLabel({ from, to }: LineRange): string {
  return from === to ? String(from) : `${from}–${to}`;
}

/** Halves of code points, as a cut leaves them, cannot be written into an address. */
function shortened(quote: string): string {
  return quote.slice(0, maxQuoteLength).replace(/\p{Surrogate}/gu, '');
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // Somebody cut the address: the lines still stand in it.
    return undefined;
  }
}
