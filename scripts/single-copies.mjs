/**
 * Packages of which a second copy is a bug: `Schema` is keyed by a unique symbol, so tools made with one copy are a type
 * error for the other, and the bundle carries both.
 */
const packagesWithOneCopy = ['ai', '@ai-sdk/provider', '@ai-sdk/provider-utils'];

/** The one second copy on purpose, with all it brings: the oldest `ai` that the library supports, for its tests. */
const oldestPeer = 'ai-oldest';

/**
 * Finds every package that must exist once but is in pnpm-lock.yaml more than once.
 *
 * @param {string} lockfile The text of pnpm-lock.yaml.
 * @returns {{ name: string, copies: string[] }[]} Empty when all is well.
 */
export function findSecondCopies(lockfile) {
  const reached = reachedCopies(lockfile);
  return packagesWithOneCopy
    .map((name) => {
      const copies = reached.filter((key) => key.startsWith(`${name}@`));
      if (copies.length === 0) {
        throw new Error(
          `pnpm-lock.yaml has no \`snapshots:\` of ${name}: run \`pnpm install\`, or teach this check the new format.`,
        );
      }
      return { name, copies };
    })
    .filter(({ copies }) => copies.length > 1);
}

/**
 * The key of every copy that a package of the workspace gets, except the copies of the oldest peer.
 * One key per copy, peers included: `ai@7.0.173(zod@4.6.7)`.
 *
 * @param {string} lockfile
 * @returns {string[]}
 */
function reachedCopies(lockfile) {
  const dependenciesOf = new Map(
    entriesOf(lockfile, 'snapshots').map((entry) => [
      /^ {2}'?([^\s':][^':]*?)'?:/.exec(entry)?.[1] ?? '',
      [...entry.matchAll(/^ {6}'?([^\s':]+)'?: (\S+)$/gm)].map(toKey),
    ]),
  );
  const reached = new Set(
    entriesOf(lockfile, 'importers')
      .flatMap((entry) => [...entry.matchAll(/^ {6}'?([^\s':]+)'?:\n {8}specifier: .+\n {8}version: (\S+)$/gm)])
      .filter(([, name]) => name !== oldestPeer)
      .map(toKey),
  );
  // A set also gives what is added while it is walked.
  for (const key of reached) for (const dependency of dependenciesOf.get(key) ?? []) reached.add(dependency);
  return [...reached];
}

/**
 * @param {string} lockfile
 * @param {string} section
 */
function entriesOf(lockfile, section) {
  const text = lockfile.split(/^(?=\S)/m).find((part) => part.startsWith(`${section}:\n`)) ?? '';
  return text.split(/^(?= {2}\S)/m).slice(1);
}

/** @param {RegExpMatchArray} match Name and version; the version of an alias carries the true name. */
function toKey([, name = '', version = '']) {
  return /^\d/.test(version) ? `${name}@${version}` : version;
}
