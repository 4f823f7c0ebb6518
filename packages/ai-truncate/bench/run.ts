// Compares the speed of this library with minimal work and with peers in the same run, and writes it into docs/figures.md:
// `pnpm bench`, or `pnpm bench <name> …` for some parts. Times differ between machines; ratios hardly do.
import { chosen } from '../lab/chosen.ts';
import { machineLine, writeFigures } from '../lab/figures.ts';
import { runPartProcess } from './part-process.ts';
import { parts } from './parts.ts';

for (const [name, { section, heading }] of chosen(parts, process.argv.slice(2))) {
  const startedAt = performance.now();
  console.log(`\n${heading}`);
  const markdown = await runPartProcess(name, 'full');
  console.log(`\n${markdown}\n\n(${Math.round((performance.now() - startedAt) / 1000)} s)`);
  writeFigures(section, `### ${heading}\n\n${markdown}\n\n${machineLine()}`);
}
