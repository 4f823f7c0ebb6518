/**
 * Runs stages one after the other. The lanes of a stage run side by side, and the steps of a lane one after the other.
 *
 * The first step that fails ends the run: the signal of all running steps aborts, and no other step starts.
 *
 * @template Step
 * @param {readonly (readonly (readonly Step[])[])[]} stages
 * @param {(step: Step, context: { isAlone: boolean, signal: AbortSignal }) => Promise<boolean>} passes Whether the step passed.
 * @returns {Promise<Step | undefined>} The step that failed first.
 */
export async function runStages(stages, passes) {
  const failure = new AbortController();
  const { signal } = failure;
  /** @type {Step | undefined} */
  let failedStep;

  const runLane = async (/** @type {readonly Step[]} */ lane, /** @type {boolean} */ isAlone) => {
    for (const step of lane) {
      if (signal.aborted) return;
      const hasPassed = await passes(step, { isAlone, signal }).catch((error) => {
        failure.abort();
        throw error;
      });
      if (hasPassed || signal.aborted) continue;
      failedStep = step;
      failure.abort();
    }
  };

  for (const lanes of stages) {
    const ended = await Promise.allSettled(lanes.map((lane) => runLane(lane, lanes.length === 1)));
    for (const lane of ended) if (lane.status === 'rejected') throw lane.reason;
    if (failedStep !== undefined) break;
  }
  return failedStep;
}
