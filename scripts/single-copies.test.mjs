import { expect, test } from 'vitest';
import { findSecondCopies } from './single-copies.mjs';

const lockfile = `lockfileVersion: '9.0'

importers:

  .:
    devDependencies:
      typescript:
        specifier: 'catalog:'
        version: 6.0.3

  apps/demo:
    dependencies:
      '@ai-sdk/react':
        specifier: 'catalog:'
        version: 4.0.177(react@19.3.1)(zod@4.6.7)
      ai-truncate:
        specifier: workspace:*
        version: link:../../packages/ai-truncate

  packages/ai-truncate:
    devDependencies:
      ai:
        specifier: 'catalog:'
        version: 7.0.173(zod@4.6.7)
      ai-oldest:
        specifier: npm:ai@7.0.0
        version: ai@7.0.0(zod@4.6.7)

packages:

  ai@7.0.173:
    resolution: {integrity: sha512-one}

  ai@7.0.172:
    resolution: {integrity: sha512-only-snapshots-count}

snapshots:

  '@ai-sdk/provider-utils@5.0.81(zod@4.6.7)':
    dependencies:
      '@ai-sdk/provider': 4.0.38
      zod: 4.6.7

  '@ai-sdk/provider@4.0.0': {}

  '@ai-sdk/provider@4.0.38':
    dependencies:
      json-schema: 0.4.0

  '@ai-sdk/react@4.0.177(react@19.3.1)(zod@4.6.7)':
    dependencies:
      ai: 7.0.173(zod@4.6.7)

  ai@7.0.0(zod@4.6.7):
    dependencies:
      '@ai-sdk/provider': 4.0.0

  ai@7.0.173(zod@4.6.7):
    dependencies:
      '@ai-sdk/provider': 4.0.38
      '@ai-sdk/provider-utils': 5.0.81(zod@4.6.7)

  react@19.3.1: {}
`;

/**
 * The lockfile with one more dependency of `@ai-sdk/react`.
 *
 * @param {string} dependency
 */
function withDependency(dependency) {
  const line = '      ai: 7.0.173(zod@4.6.7)\n';
  return lockfile.replace(line, `${line}      ${dependency}\n`);
}

test('a lockfile with one copy of each package passes, and the oldest peer and its dependencies are ignored', () => {
  expect(findSecondCopies(lockfile)).toEqual([]);
});

test('a second version is found', () => {
  expect(findSecondCopies(withDependency('ai: 7.0.163(zod@4.6.7)'))).toEqual([
    { name: 'ai', copies: ['ai@7.0.173(zod@4.6.7)', 'ai@7.0.163(zod@4.6.7)'] },
  ]);
});

test('the same version with another zod is a second copy', () => {
  expect(findSecondCopies(withDependency('ai: 7.0.173(zod@4.6.6)'))).toEqual([
    { name: 'ai', copies: ['ai@7.0.173(zod@4.6.7)', 'ai@7.0.173(zod@4.6.6)'] },
  ]);
});

test('a second copy of a scoped package is found', () => {
  expect(findSecondCopies(withDependency(`'@ai-sdk/provider': 4.0.36`))).toEqual([
    { name: '@ai-sdk/provider', copies: ['@ai-sdk/provider@4.0.36', '@ai-sdk/provider@4.0.38'] },
  ]);
});

test('a copy of the oldest peer that another package depends on is a second copy', () => {
  expect(findSecondCopies(withDependency('another-name-for-ai: ai@7.0.0(zod@4.6.7)')).map(({ name }) => name)).toEqual([
    'ai',
    '@ai-sdk/provider',
  ]);
});

test('a lockfile in an unknown format is refused', () => {
  expect(() => findSecondCopies("lockfileVersion: '5.4'\n")).toThrow('snapshots');
});
