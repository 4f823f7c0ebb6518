import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inTemporaryDirectory } from '../../../fixtures/in-temporary-directory.ts';
import { claimSweep, removeMarker } from './sweep.ts';

test('a marker that another process has renewed stays', () =>
  inTemporaryDirectory(async (root) => {
    const path = join(root, '.last-sweep');
    expect(await claimSweep(root, 1000)).toBe(true);
    const { mtimeMs } = await stat(path);
    expect(await removeMarker(path, { root, mtimeMs: mtimeMs - 7_200_000 })).toBe(false);
    expect([await readdir(root), (await stat(path)).mtimeMs]).toEqual([['.last-sweep'], mtimeMs]);
  }));

test('a marker that another process has removed cannot be claimed', () =>
  inTemporaryDirectory(async (root) => {
    expect(await removeMarker(join(root, '.last-sweep'), { root, mtimeMs: 1 })).toBe(false);
    expect(await readdir(root)).toEqual([]);
  }));

test('an old marker is removed once', () =>
  inTemporaryDirectory(async (root) => {
    const path = join(root, '.last-sweep');
    await claimSweep(root, 1000);
    await utimes(path, 1000, 1000);
    const old = { root, mtimeMs: 1_000_000 };
    const removed = await Promise.all([removeMarker(path, old), removeMarker(path, old)]);
    expect(removed.toSorted()).toEqual([false, true]);
    expect(await readdir(root)).toEqual([]);
  }));
