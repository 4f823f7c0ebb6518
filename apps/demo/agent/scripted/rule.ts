import type { Reply, Turn } from './turn';

/** One thing that the offline model can do. */
export interface Rule {
  /** Whether this turn is about it. */
  matches(turn: Turn): boolean;
  /** The next step, from what the tools have answered so far. */
  next(turn: Turn): Reply;
}
