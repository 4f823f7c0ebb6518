/** A number of bytes as a person reads it: `812 B`, `12 KB`, `40.0 MB`. One kilobyte is 1,024 bytes, as in the limits. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 10 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  // Rounded before the unit is chosen: 1,048,000 bytes are 1.0 MB, never 1023 KB and never 1024 KB.
  if (Math.round(bytes / 1024) < 1000) return `${Math.round(bytes / 1024)} KB`;
  const megabytes = bytes / 1024 / 1024;
  return megabytes < 1000 ? `${megabytes.toFixed(1)} MB` : `${(megabytes / 1024).toFixed(1)} GB`;
}

/** A number with separators: `20,000`. Not `toLocaleString`, whose first call takes a phone 100 ms. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3}){1,7}$)/g, ',');
}

/** A number of tokens in as few characters as a button has room for: `820`, `3.1k`, `10.5M`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(Math.round(tokens));
  if (tokens < 999_500) return `${shortNumber(tokens / 1000)}k`;
  return `${shortNumber(tokens / 1_000_000)}M`;
}

function shortNumber(value: number): string {
  return value < 99.95 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));
}
