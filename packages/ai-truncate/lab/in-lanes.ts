import { availableParallelism } from 'node:os';

/** Works on all items, as many at once as the machine has cores. All have ended before a failure is reported. */
export async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  async function lane(): Promise<void> {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  }
  const lanes = await Promise.allSettled(Array.from({ length: availableParallelism() }, lane));
  for (const result of lanes) if (result.status === 'rejected') throw result.reason;
}
