/** Tells the application. What its listener throws or rejects with must not cost the result. */
export function tell<EVENT>(listener: ((event: EVENT) => unknown) | undefined, event: EVENT): void {
  if (!listener) return;
  try {
    Promise.resolve(listener(event)).catch(() => {});
  } catch {
    // See above.
  }
}
