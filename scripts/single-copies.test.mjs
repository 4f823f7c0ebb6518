import { expect, test } from 'vitest';
import { findSecondCopies } from './single-copies.mjs';

const lockfile = `lockfileVersion: '9.0'

packages:

  ai@7.0.173:
    resolution: {integrity: sha512-one}

  ai@7.0.0:
    resolution: {integrity: sha512-only-snapshots-count}

snapshots:

  '@ai-sdk/provider-utils@5.0.81(zod@4.6.7)':
    dependencies:
      '@ai-sdk/provider': 4.0.38
      zod: 4.6.7

  '@ai-sdk/provider@4.0.38':
    dependencies:
      json-schema: 0.4.0

  '@ai-sdk/react@4.0.177(react@19.3.1)(zod@4.6.7)':
    dependencies:
      ai: 7.0.173(zod@4.6.7)

  ai@7.0.173(zod@4.6.7):
    dependencies:
      '@ai-sdk/provider': 4.0.38

  react@19.3.1: {}
`;

test('a lockfile with one copy of each package is fine', () => {
  expect(findSecondCopies(lockfile)).toEqual([]);
});

test('a second version is found', () => {
  expect(findSecondCopies(`${lockfile}\n  ai@7.0.163(zod@4.6.7):\n    dependencies: {}\n`)).toEqual([
    { name: 'ai', copies: ['ai@7.0.173(zod@4.6.7)', 'ai@7.0.163(zod@4.6.7)'] },
  ]);
});

test('the same version with another zod is a second copy', () => {
  expect(findSecondCopies(`${lockfile}\n  ai@7.0.173(zod@4.6.6):\n    dependencies: {}\n`)).toEqual([
    { name: 'ai', copies: ['ai@7.0.173(zod@4.6.7)', 'ai@7.0.173(zod@4.6.6)'] },
  ]);
});

test('a second copy of a scoped package is found', () => {
  expect(findSecondCopies(`${lockfile}\n  '@ai-sdk/provider@4.0.36': {}\n`)).toEqual([
    { name: '@ai-sdk/provider', copies: ['@ai-sdk/provider@4.0.38', '@ai-sdk/provider@4.0.36'] },
  ]);
});

test('a lockfile in another format is refused instead of passing', () => {
  expect(() => findSecondCopies("lockfileVersion: '5.4'\n")).toThrow('snapshots');
});
