import { isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { InvalidOptionError } from '../../errors.ts';

/** Where a store lies. Both paths are absolute and stay as they are when the process changes its working directory. */
export interface Place {
  directory: string;
  /** Of the process, when the store was made. */
  workingDirectory: string;
}

const SERVED_IN_PROJECT = new Set(['public', 'static', '.next', 'app']);
/** Elsewhere `app` and `static` mean too many things: images of containers lie in `/app`. */
const SERVED_ELSEWHERE = new Set(['public', '.next']);

/** Throws where values must not lie. */
export function toPlace(options: { directory?: string }): Place {
  const { directory = 'tool-output' } = Object(options) as typeof options;
  if (typeof options !== 'object' || options === null) {
    throw new InvalidOptionError({ option: 'options', value: options, expected: "an object, e.g. { directory: '…' }" });
  }
  if (typeof directory !== 'string' || directory === '' || directory.includes('\0')) {
    throw new InvalidOptionError({ option: 'directory', value: directory, expected: 'the path of a directory' });
  }
  const workingDirectory = process.cwd();
  // Turbopack would take the whole project for what this reads, and trace all of it into the bundle.
  const place = { directory: resolve(/* turbopackIgnore: true */ workingDirectory, directory), workingDirectory };
  requireUnserved(place);
  return place;
}

/** What a web server hands out would pass every check of who may read a value. */
export function requireUnserved({ directory, workingDirectory }: Place): void {
  // How the project itself came to its place, in `.next/standalone` for instance, is not ours to judge.
  const isInside = isInsideProject(directory, workingDirectory);
  const parts = (isInside ? relative(workingDirectory, directory) : directory).split(sep);
  const names = isInside ? SERVED_IN_PROJECT : SERVED_ELSEWHERE;
  const served = parts.find((part) => names.has(part.toLowerCase()));
  // The value that an error shows is cut, and the part in question may lie at its end.
  if (served !== undefined) {
    throw new InvalidOptionError({
      option: 'directory',
      value: directory,
      expected: `outside of what a web server may hand out, e.g. \`tool-output\`: \`${served}\` in \`${directory}\` is such a folder`,
    });
  }
  if (isWithin(workingDirectory, directory)) {
    throw new InvalidOptionError({
      option: 'directory',
      value: directory,
      expected: `a directory of its own, e.g. \`tool-output\`: git would ignore all that lies in \`${directory}\``,
    });
  }
}

/** The path of a value as other programs open it: short for those that run in the project. */
export function toShownPath({ directory, workingDirectory }: Place, key: string): string {
  const path = join(directory, key);
  const shown = isInsideProject(directory, workingDirectory) ? relative(workingDirectory, path) : path;
  return shown.replaceAll(sep, '/');
}

/** A service that runs in `/` has no project: all of the machine would lie in it. */
function isInsideProject(path: string, workingDirectory: string): boolean {
  return workingDirectory !== parse(workingDirectory).root && isWithin(path, workingDirectory);
}

function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
