/**
 * Packages of which a second copy is a bug: `Schema` is keyed by a unique symbol, so tools made with one copy are a type
 * error for the other, and the bundle carries both.
 */
const packagesWithOneCopy = ['ai', '@ai-sdk/provider', '@ai-sdk/provider-utils'];

/**
 * Finds every package that must exist once but stands in pnpm-lock.yaml more than once.
 *
 * @param {string} lockfile The text of pnpm-lock.yaml.
 * @returns {{ name: string, copies: string[] }[]} Empty when all is well.
 */
export function findSecondCopies(lockfile) {
  const start = lockfile.indexOf('\nsnapshots:\n');
  if (start === -1) {
    throw new Error(
      'pnpm-lock.yaml has no `snapshots:` section: run `pnpm install`, or teach this check the new format.',
    );
  }

  // One key per copy, peers included: `ai@7.0.173(zod@4.6.7):`, quoted when the name starts with @.
  const keys = [...lockfile.slice(start).matchAll(/^ {2}'?([^\s':][^':]*?)'?:/gm)].map((match) => match[1] ?? '');
  return packagesWithOneCopy
    .map((name) => ({ name, copies: keys.filter((key) => key.startsWith(`${name}@`)) }))
    .filter(({ copies }) => copies.length > 1);
}
