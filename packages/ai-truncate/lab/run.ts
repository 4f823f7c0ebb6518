// Runs what this library promises at full size and writes what it found into docs/figures.md: `pnpm lab`, or `pnpm lab <name> …`
// for some of it. Fails when a target is missed.
import { table } from '../bench/measure.ts';
import { cell, machineLine, writeFigures } from './figures.ts';
import type { TrialOutcome } from './lab-promise.ts';
import { promises } from './promises.ts';
import { runTrialProcess } from './trial-process.ts';

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(promises, name));
if (unknown.length > 0) throw new Error(`No ${unknown.join(', ')}. There is: ${Object.keys(promises).join(', ')}`);

for (const [name, { promise, trials }] of Object.entries(promises)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${promise}`);
  const rows: string[][] = [];
  for (const trial of trials) {
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
