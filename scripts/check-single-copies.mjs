// Fails when pnpm-lock.yaml holds a second copy of a package that must exist once.
import { readFileSync } from 'node:fs';
import { findSecondCopies } from './single-copies.mjs';

const lockfile = readFileSync(new URL('../pnpm-lock.yaml', import.meta.url), 'utf8');
const secondCopies = findSecondCopies(lockfile);

for (const { name, copies } of secondCopies) {
  console.error(
    `${copies.length} copies of ${name}: ${copies.join(', ')}. Run \`pnpm why -r ${name}\` and align the versions in pnpm-workspace.yaml.`,
  );
}
process.exitCode = secondCopies.length === 0 ? 0 : 1;
