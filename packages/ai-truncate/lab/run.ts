// Runs the promises of this library at full size and writes the results into docs/figures.md: `pnpm lab`, or `pnpm lab <name>
// …` for some of them. Fails when a target is missed.
import { table } from '../bench/measure.ts';
import { chosen } from './chosen.ts';
import { cell, machineLine, writeFigures } from './figures.ts';
import type { TrialOutcome } from './lab-promise.ts';
import { promises } from './promises.ts';
import { runTrialProcess } from './trial-process.ts';

for (const [name, { promise, trials, prepare }] of chosen(promises, process.argv.slice(2))) {
  console.log(`\n${promise}`);
  prepare?.();
  const rows: string[][] = [];
  for (const trial of trials) {
    console.log(`  ${trial.name} …`);
    const startedAt = performance.now();
    const outcome = await runTrialProcess({ promise: name, trial, size: 'full' });
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.log(`  ${outcome.status.padEnd(7)} ${trial.name} (${seconds} s): ${outcomeText(outcome)}`);
    rows.push([trial.name, ...rowOf(outcome, trial.target)].map(cell));
    if (outcome.status === 'missed') process.exitCode = 1;
  }
  const figures = table(['trial', 'how', 'target', 'measured', 'status'], rows);
  writeFigures(name, `### ${promise}\n\n${figures}\n\nAt full size, ${machineLine()}`);
}

function rowOf(outcome: TrialOutcome, target: string): string[] {
  if (outcome.status === 'skipped') return ['', target, '', `skipped: ${outcome.reason}`];
  return [outcome.how, target, outcome.measured, outcome.status === 'met' ? 'met' : '**missed**'];
}

function outcomeText(outcome: TrialOutcome): string {
  return outcome.status === 'skipped' ? outcome.reason : `${outcome.how}: ${outcome.measured}`;
}
