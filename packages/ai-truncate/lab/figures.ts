import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';

const file = join(import.meta.dirname, '../../../docs/figures.md');

/**
 * Puts what was measured into docs/figures.md, in the place of what stood there under this name, and leaves the rest as it is:
 * a part can be measured again without all others. A name that is new is refused, since its place in the page is for people to
 * choose: write `<!-- name -->` and `<!-- /name -->` there.
 */
export function writeFigures(name: string, markdown: string): void {
  const page = readFileSync(file, 'utf8');
  const opening = `<!-- ${name} -->`;
  const closing = `<!-- /${name} -->`;
  const start = page.indexOf(opening);
  const end = page.indexOf(closing, start);
  if (start === -1 || end === -1)
    throw new Error(`docs/figures.md has no place for "${name}": ${opening} … ${closing}`);
  writeFileSync(file, `${page.slice(0, start + opening.length)}\n\n${markdown}\n\n${page.slice(end)}`);
}

/** On what, of what and when, for the line below a table: figures without it cannot be compared. */
export function machineLine(): string {
  const [first, ...others] = cpus();
  const processors = others.length === 0 ? '1 processor' : `${others.length + 1} processors`;
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const date = new Date().toISOString().slice(0, 10);
  const model = first?.model.trim() || 'unknown processor';
  return `${processors} (${model}), ${gigabytes} GB, ${process.platform} ${release()}, Node ${process.version}, ${date}, ${commit()}`;
}

/** Of a copy without history nobody knows. */
function commit(): string {
  const git = (...args: string[]): string | undefined => {
    const { status, stdout } = spawnSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : undefined;
  };
  const id = git('rev-parse', '--short', 'HEAD');
  // What is measured is not what was measured before.
  const changes = git('status', '--porcelain', '--', '../src', '../lab', '../bench', '../fixtures');
  return id === undefined ? 'commit unknown' : `commit ${id}${changes ? ' with changes' : ''}`;
}

/** Text as one cell of a table. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}
