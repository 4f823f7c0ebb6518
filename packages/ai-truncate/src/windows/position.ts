/** A place in an artifact. The byte makes going there cheap; line and character make what is there tell where it is. */
export interface TextPosition {
  /** Counted from 1. */
  line: number;
  /** Of the line, counted from 1. */
  character: number;
  /** Of the artifact, counted from 0. */
  byte: number;
}

/** The text for a model to give back: `line:character:byte`. */
export function formatPosition({ line, character, byte }: TextPosition): string {
  return `${line}:${character}:${byte}`;
}

/** Reads one back; `undefined` for anything that `formatPosition` cannot have written. */
export function parsePosition(text: unknown): TextPosition | undefined {
  if (typeof text !== 'string' || text.length > 60) return undefined;
  const match = /^([1-9]\d{0,15}):([1-9]\d{0,15}):(0|[1-9]\d{0,15})$/.exec(text);
  if (!match) return undefined;
  const [line = 0, character = 0, byte = 0] = match.slice(1).map(Number);
  // A line break and a character take at least a byte each.
  const isPossible = line - 1 + (character - 1) <= byte;
  return isPossible && [line, character, byte].every(Number.isSafeInteger) ? { line, character, byte } : undefined;
}
