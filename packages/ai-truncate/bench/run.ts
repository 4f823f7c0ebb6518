// How fast this library is, against floors and peers within one run, into docs/figures.md: `pnpm bench`, or `pnpm bench <name> …`
// for some of it. Machines differ; ratios hardly do.
import { machineLine, writeFigures } from '../lab/figures.ts';
import { runPartProcess } from './part-process.ts';
import { parts } from './parts.ts';

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) throw new Error(`No ${unknown.join(', ')}. There is: ${Object.keys(parts).join(', ')}`);

for (const [name, { section, heading }] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const startedAt = performance.now();
  console.log(`\n${heading}`);
  const markdown = await runPartProcess(name, 'full');
  console.log(`\n${markdown}\n\n(${Math.round((performance.now() - startedAt) / 1000)} s)`);
  writeFigures(section, `### ${heading}\n\n${markdown}\n\n${machineLine()}`);
}
