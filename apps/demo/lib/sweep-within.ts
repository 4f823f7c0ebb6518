import { type SweepResult, sweepArtifacts } from 'ai-truncate';
import type { ArtifactStore } from 'ai-truncate/store';

export interface SweepWithinOptions {
  budgetMs: number;
  /** Absent: as the library has it. */
  retentionDays: number | undefined;
  abortSignal?: AbortSignal;
  /** Milliseconds that only ascend. @default performance.now */
  now?: () => number;
}

/** What all passes did together, and whether they came to the end. */
export interface SweepReport extends Omit<SweepResult, 'next'> {
  isComplete: boolean;
}

/** In less a pass may look at nothing, which would count as a store that does not answer. */
const MIN_PASS_MS = 1_000;

/** Sweeps pass by pass until all was looked at or the time is over, which a function of a cloud has little of. */
export async function sweepWithin(store: ArtifactStore, options: SweepWithinOptions): Promise<SweepReport> {
  const { budgetMs, retentionDays, abortSignal, now = () => performance.now() } = options;
  const endMs = now() + budgetMs;
  const report: SweepReport = { examined: 0, deletedArtifacts: 0, deletedOrphans: 0, failed: 0, isComplete: false };
  let after: string | undefined;
  for (let leftMs = budgetMs; leftMs >= MIN_PASS_MS; leftMs = Math.floor(endMs - now())) {
    const { next, ...pass } = await sweepArtifacts(store, {
      maxMs: leftMs,
      abortSignal,
      ...(retentionDays !== undefined && { retentionDays }),
      ...(after !== undefined && { after }),
    });
    report.examined += pass.examined;
    report.deletedArtifacts += pass.deletedArtifacts;
    report.deletedOrphans += pass.deletedOrphans;
    report.failed += pass.failed;
    if (next === undefined) return { ...report, isComplete: true };
    // Nothing was done in this pass: the next one would not do more.
    if (next === after) return report;
    after = next;
  }
  return report;
}
