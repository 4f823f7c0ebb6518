/** Begins at a root, a drive or a scheme. A drive without a slash (`C:src`) leaves the project too. */
const ABSOLUTE = /^(?:[\\/]|[a-z][a-z0-9+.-]*:)/i;
const DRIVE = /^[a-z]:/i;

/** What a path in an envelope must be, when this one is not: relative to the project root, and inside it. */
export function expectedProjectPath(path: unknown): string | undefined {
  if (typeof path !== 'string' || path === '') return "a path relative to the project root, '.' for the root itself";
  if (ABSOLUTE.test(path)) return "relative to the project root ('src', '.'), not an absolute path";
  if (path.split(/[\\/]/).includes('..')) return 'inside the project root, without `..`';
  return undefined;
}

/**
 * The path relative to `root`, with `/` between its parts and `.` for the root itself; `undefined` when it is not inside.
 * There is no `node:path` at the edge, and which rules hold is told by the path, not by the machine that this runs on.
 */
export function toProjectPath(path: string, root: string | undefined): string | undefined {
  if (path === '') return undefined;
  const names = ABSOLUTE.test(path) ? namesBelow(path, root) : resolve(path).names;
  if (!names) return undefined;
  const relative = names.join('/') || '.';
  // A directory may be called `a:b`; by itself that reads like a scheme.
  const shown = ABSOLUTE.test(relative) ? `./${relative}` : relative;
  return expectedProjectPath(shown) === undefined ? shown : undefined;
}

function namesBelow(path: string, root: string | undefined): string[] | undefined {
  if (root === undefined) return undefined;
  const [inner, outer] = [resolve(path), resolve(root)];
  if (outer.start === '' || inner.start !== outer.start) return undefined;
  const isBelow = outer.names.every((name, index) => name === inner.names[index]);
  return isBelow ? inner.names.slice(outer.names.length) : undefined;
}

/** Where it starts (a drive, `/`, or nothing), and the names from there, `.` and `..` resolved. */
function resolve(path: string): { start: string; names: string[] } {
  const drive = DRIVE.exec(path)?.[0].toLowerCase();
  const start = drive ?? (/^[\\/]/.test(path) ? '/' : '');
  const names: string[] = [];
  // On POSIX a name may hold a backslash.
  for (const name of path.slice(drive?.length ?? 0).split(path.startsWith('/') ? '/' : /[\\/]/)) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.length > 0 && names.at(-1) !== '..') names.pop();
    // Above the root of a disk there is only that root again.
    else if (start === '') names.push(name);
  }
  return { start, names };
}
