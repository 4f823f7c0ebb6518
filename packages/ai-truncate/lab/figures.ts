import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';

const file = join(import.meta.dirname, '../../../docs/figures.md');

/**
 * Writes measured figures into docs/figures.md. They replace the section with this name, and nothing else, so that a part can
 * be measured again without the others. A new name is refused, because people choose its place in the page: write `<!-- name
 * -->` and `<!-- /name -->` there.
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

/** The machine, the commit and the date, for the line below a table. Figures without them cannot be compared. */
export function machineLine(): string {
  const [first, ...others] = cpus();
  const processors = others.length === 0 ? '1 processor' : `${others.length + 1} processors`;
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const date = new Date().toISOString().slice(0, 10);
  const model = first?.model.trim() || 'unknown processor';
  return `${processors} (${model}), ${gigabytes} GB, ${process.platform} ${release()}, Node ${process.version}, ${date}, ${commit()}`;
}

/** A copy without history has no commit. */
function commit(): string {
  const git = (...args: string[]): string | undefined => {
    const { status, stdout } = spawnSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : undefined;
  };
  const id = git('rev-parse', '--short', 'HEAD');
  // Local changes, because the measured code then differs from the commit.
  const changes = git('status', '--porcelain', '--', '../src', '../lab', '../bench', '../fixtures');
  return id === undefined ? 'commit unknown' : `commit ${id}${changes ? ' with changes' : ''}`;
}

/** Text as one cell of a table. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}
