import { whyNoFaults } from '../fixtures/fault-shim.ts';
import { lookIntoStore } from '../fixtures/hashed-values.ts';
import { inTemporaryDirectory } from '../fixtures/in-temporary-directory.ts';
import { type FailedCall, type FailingCalls, failEveryCall } from './fail-every-call.ts';
import type { LabTrial, TrialOutcome } from './lab-promise.ts';

type Judged = Extract<TrialOutcome, { how: string }>;

export const everyCallFails: readonly LabTrial[] = [
  trial('kill', {
    name: 'a crash at every system call',
    target: '0 lost, 0 partial',
    judge(failed) {
      const { acknowledged, lost, partial } = count(failed);
      const killed = failed.filter(({ isKilled }) => isKilled).length;
      return {
        status: lost + partial === 0 && killed === failed.length && acknowledged > 0 ? 'met' : 'missed',
        how: `${killed} processes killed, at each of ${callsOf(failed)}`,
        measured: `${lost} lost of ${acknowledged} acknowledged, ${partial} partial`,
      };
    },
  }),
  trial('eio', {
    name: 'EIO at every system call',
    target: '0 silent, 0 lost, 0 partial, 0 left behind',
    judge: (failed) => judgeErrors(failed, { code: 'EIO', isTriedAgain: ({ at }) => at === 1 }),
  }),
  trial('enospc', {
    name: 'ENOSPC at every system call',
    target: '0 silent, 0 lost, 0 partial, 0 left behind',
    judge: (failed) => judgeErrors(failed, { code: 'ENOSPC', isTriedAgain: () => false }),
  }),
];

function trial(
  mode: FailingCalls['mode'],
  { judge, ...names }: Pick<LabTrial, 'name' | 'target'> & { judge: (failed: FailedCall[]) => Judged },
): LabTrial {
  return {
    ...names,
    async run(size) {
      const reason = whyNoFaults();
      if (reason !== undefined) return { status: 'skipped', reason };
      const step = { full: 1, small: 10 }[size];
      return inTemporaryDirectory(async (home) => judge(await failEveryCall({ home, mode, step })));
    },
  };
}

function judgeErrors(
  failed: FailedCall[],
  // Node itself tries twice to make a directory.
  { code, isTriedAgain }: { code: string; isTriedAgain: (call: FailedCall) => boolean },
): Judged {
  const { acknowledged, lost, partial, leftBehind } = count(failed);
  const silent = failed.filter((call) => !isTriedAgain(call) && !isTold(call, code)).length;
  return {
    status: silent + lost + partial + leftBehind === 0 && acknowledged > 0 ? 'met' : 'missed',
    how: `${code} at each of ${callsOf(failed)}${failed.some(isTriedAgain) ? '; the first of each Node tries again' : ''}`,
    measured: `${silent} silent, ${lost} lost of ${acknowledged} acknowledged, ${partial} partial, ${leftBehind} left behind`,
  };
}

/** Whether exactly one of the two writes reported the failure, and the other write succeeded. */
function isTold({ reports }: FailedCall, code: string): boolean {
  const outcomes = reports.map(({ outcome }) => outcome);
  return outcomes.length === 2 && outcomes.includes(code) && outcomes.every((each) => each === code || each === 'done');
}

function count(failed: FailedCall[]) {
  const counted = { acknowledged: 0, lost: 0, partial: 0, leftBehind: 0 };
  for (const { directory, reports } of failed) {
    const { whole, partial, temporary } = lookIntoStore(directory);
    const acknowledged = reports.filter(({ outcome }) => outcome === 'done');
    counted.acknowledged += acknowledged.length;
    counted.lost += acknowledged.filter(({ keys }) => !keys.every((key) => whole.has(key))).length;
    counted.partial += partial.length;
    const isAcknowledged = (key: string) => acknowledged.some(({ keys }) => keys.includes(key));
    counted.leftBehind += temporary.length + [...whole].filter((key) => !isAcknowledged(key)).length;
  }
  return counted;
}

/** "120 calls (put: 40, save: 80)" */
function callsOf(failed: FailedCall[]): string {
  const ways = new Map<string, number>();
  for (const { way } of failed) ways.set(way, (ways.get(way) ?? 0) + 1);
  const each = [...ways].map(([way, calls]) => `${way}: ${calls}`);
  return `${failed.length} calls that two values need (${each.join(', ')})`;
}
