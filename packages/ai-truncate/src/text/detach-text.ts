/**
 * A copy of `text` with memory of its own.
 *
 * Engines represent a slice as a pointer into the string it was cut from: a 16 KB preview of a 500 MB output would keep
 * all 500 MB alive for as long as the chat lives.
 */
export function detach(text: string): string {
  // Slicing a concatenation first flattens it, so what the slice points into is no longer than the slice.
  return ` ${text}`.slice(1);
}
