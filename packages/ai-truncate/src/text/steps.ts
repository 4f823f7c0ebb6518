/** Work that is cut into short steps, so that whoever drives it can let the event loop turn between two. */
export type Steps<Result> = Generator<void, Result>;

/** All of the steps at once. */
export function finished<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
