import { expect, test } from 'vitest';
import { runStages } from './run-stages.mjs';

/** Runs steps that are named by letters. A step waits until its promise in `ends` says whether it passed. */
function record(/** @type {Record<string, Promise<boolean>>} */ ends = {}) {
  /** @type {string[]} */
  const events = [];
  const passes = async (
    /** @type {string} */ step,
    /** @type {{ isAlone: boolean, signal: AbortSignal }} */ context,
  ) => {
    events.push(`${step} starts${context.isAlone ? ' alone' : ''}`);
    const aborted = new Promise((resolve) => context.signal.addEventListener('abort', () => resolve('interrupted')));
    const end = await Promise.race([ends[step] ?? true, aborted]);
    events.push(end === true ? `${step} passes` : end === 'interrupted' ? `${step} is interrupted` : `${step} fails`);
    return end === true;
  };
  return { events, passes };
}

test('the steps of a lane run one after the other, and a stage starts after the previous stage', async () => {
  const { events, passes } = record();
  expect(await runStages([[['a', 'b']], [['c']]], passes)).toBeUndefined();
  expect(events).toEqual(['a starts alone', 'a passes', 'b starts alone', 'b passes', 'c starts alone', 'c passes']);
});

test('the lanes of a stage run side by side', async () => {
  let end = (/** @type {boolean} */ _) => {};
  const { events, passes } = record({ a: new Promise((resolve) => (end = resolve)) });
  const run = runStages([[['a'], ['b']]], async (step, context) => {
    const hasPassed = await passes(step, context);
    if (step === 'b') end(true);
    return hasPassed;
  });
  expect(await run).toBeUndefined();
  expect(events).toEqual(['a starts', 'b starts', 'b passes', 'a passes']);
});

test('a step that fails ends the run: the steps in other lanes are interrupted, and no other step starts', async () => {
  const never = new Promise(() => {});
  const { events, passes } = record({ a: never, b: Promise.resolve(false) });
  expect(
    await runStages(
      [
        [
          ['a', 'c'],
          ['b', 'd'],
        ],
        [['e']],
      ],
      passes,
    ),
  ).toBe('b');
  expect(events).toEqual(['a starts', 'b starts', 'b fails', 'a is interrupted']);
});

test('a step that cannot be run interrupts the steps in other lanes, and its error is passed on', async () => {
  const { events, passes } = record({ a: new Promise(() => {}) });
  const run = runStages([[['a'], ['b']]], (step, context) =>
    step === 'b' ? Promise.reject(new Error('no such command')) : passes(step, context),
  );
  await expect(run).rejects.toThrow('no such command');
  expect(events).toEqual(['a starts', 'a is interrupted']);
});
