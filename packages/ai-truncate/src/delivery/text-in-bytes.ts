const BYTES_LOOKED_AT = 64 * 1024;

/**
 * Whether bytes are text, as commands and files often come: UTF-8 without a NUL, as far as the beginning tells. The SDK would send
 * a list of numbers for them.
 */
export function isTextInBytes(output: unknown): output is Uint8Array {
  if (!(output instanceof Uint8Array)) return false;
  const beginning = output.subarray(0, BYTES_LOOKED_AT);
  if (beginning.includes(0)) return false;
  try {
    // The end may lie inside a character.
    new TextDecoder('utf-8', { fatal: true }).decode(beginning, { stream: true });
    return true;
  } catch {
    return false;
  }
}
