import type { Artifacts } from '../artifacts/artifacts.ts';

/** What every view is given. */
export interface ViewRequest {
  /** Of the owner that asks, and of nobody else. */
  artifacts: Artifacts;
  /** By the grammar, or empty: then no artifact has it. */
  name: string;
  parameters: URLSearchParams;
  request: Request;
  /** Aborts when the client goes, and while the answer is prepared also when that takes too long. */
  signal: AbortSignal;
  /** For what goes wrong when the answer is already on its way. */
  report: (error: unknown) => void;
}
