/** Where something stands, as a model says. Keys as in an envelope: it is a part of one. */
export interface EvidenceClaim {
  /** Of an artifact. */
  path: string;
  /** Counted from 1. */
  start_line: number;
  end_line: number;
  /** What stands there, word for word. */
  quote: string;
}

/** A claim that was looked up. */
export interface Evidence extends EvidenceClaim {
  /** Whether the quote stands in the artifact. The lines are then the true ones, wherever the claim said it was. */
  verified: boolean;
}
