/** Why a result is not the whole of what was asked, read from the marks in its `data`; none for a complete one. */
export function discountsOf(data: Record<string, unknown>): string[] {
  const { truncated, fallback, failed_items: failedItems, applied } = data;
  return [
    truncated === true && '`data.truncated` is true',
    fallback !== undefined && '`data.fallback` is there',
    Array.isArray(failedItems) && failedItems.length > 0 && '`data.failed_items` is not empty',
    applied === false && '`data.applied` is false',
  ].filter((reason) => reason !== false);
}
