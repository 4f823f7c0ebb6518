/** A value of a record for people: sums of money do not end in a lone digit. */
export function formatted(value: unknown): string {
  if (typeof value !== 'number') return String(value ?? '');
  const digits = Number.isInteger(value) ? 0 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
