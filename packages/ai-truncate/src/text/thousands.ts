/** 1234567 as `1,234,567`. Not `toLocaleString`: the same input must give the same bytes in every runtime. */
export function thousands(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
