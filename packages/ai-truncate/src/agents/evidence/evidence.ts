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

/**
 * A claim that was looked up. Of one that is verified all is the artifact's own: `path`, the true lines, and as `quote` the text
 * that stands there, as readers show it. Of any other all is what the model said, with nothing hidden in it.
 */
export interface Evidence extends EvidenceClaim {
  /** Whether the quote stands in the artifact. The lines are then the true ones, wherever the claim said it was. */
  verified: boolean;
  /** That it is not verified proves nothing: the store failed, or there was no time to look everywhere. */
  unchecked?: true;
}

/** What was looked up here: a sub-agent of an application could say so of anything. */
const lookedUp = new WeakSet<object>();

export function markLookedUp(evidence: Evidence): Evidence {
  lookedUp.add(evidence);
  return evidence;
}

export function wasLookedUp(evidence: object): boolean {
  return lookedUp.has(evidence);
}
