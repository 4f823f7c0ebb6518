import { now, settledWithin } from '../../deadlines.ts';
import { pace } from '../../pace.ts';
import { isResult, type SubAgentProgress, type SubAgentResult } from './sub-agent.ts';

/** At most four a second: each one is sent to the page. */
const INTERVAL_MS = 250;

/**
 * The same, with no more progress than a page needs: of what comes too fast the latest, when its time has come. The result
 * comes at once, and ends it. An abort does not wait for the source.
 */
export async function* pacedProgress(
  source: AsyncIterable<SubAgentProgress | SubAgentResult>,
  { abortSignal }: { abortSignal: AbortSignal },
): AsyncGenerator<SubAgentProgress | SubAgentResult> {
  const values = pace(source, { abortSignal });
  let waiting: SubAgentProgress | undefined;
  let freeAt = 0;
  try {
    let next = nextOf(values);
    while (true) {
      const arrived = await (waiting ? settledWithin(freeAt - now(), next) : next);
      if (arrived !== undefined) {
        if (arrived.done) return;
        if (isResult(arrived.value)) {
          yield arrived.value;
          return;
        }
        waiting = arrived.value;
        next = nextOf(values);
      }
      if (waiting && now() >= freeAt) {
        const progress = waiting;
        waiting = undefined;
        freeAt = now() + INTERVAL_MS;
        yield progress;
      }
    }
  } finally {
    // Not waited for: a source that hangs ends with its signal.
    values.return(undefined).catch(() => {});
  }
}

/** Asked for ahead of time: while a value is shown, nobody listens to what comes next, which may be a failure. */
function nextOf<Value>(values: AsyncGenerator<Value>): Promise<IteratorResult<Value, unknown>> {
  const next = values.next();
  next.catch(() => {});
  return next;
}
