import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryStore } from 'ai-truncate';
import type { ArtifactStore } from 'ai-truncate/store';
import { afterAll, describe, expect, test } from 'vitest';
import { readEnvironment } from './environment';
import { findSecret } from './session-secret';

const folder = mkdtempSync(join(tmpdir(), 'session-secret-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function secretOf(
  variables: Record<string, string>,
  place: { directory?: string; built?: string; blobStore?: ArtifactStore } = {},
): Promise<{ value: string; notice?: string }> {
  const { read, ...rest } = findSecret(readEnvironment(variables), {
    directory: () => place.directory ?? folder,
    built: place.built,
    blobStore: () => place.blobStore ?? memoryStore(),
  });
  return { value: await read(), ...rest };
}
const set = 'x'.repeat(32);
const blob = { BLOB_READ_WRITE_TOKEN: 'vercel_blob_rw_store_secret' };

test('a secret from the environment is used without a warning', async () => {
  expect(await secretOf({ SESSION_SECRET: set, ...blob })).toEqual({ value: set });
});

test('without a secret all servers of a Blob store derive the same secret, which does not reveal the token', async () => {
  const { value, notice } = await secretOf(blob);
  expect(value).toBe((await secretOf({ ...blob, VERCEL: '1' })).value);
  expect(value).not.toBe((await secretOf({ BLOB_READ_WRITE_TOKEN: 'vercel_blob_rw_store_other' })).value);
  expect(value).toMatch(/^[\w-]{43}$/);
  expect(notice).toContain('made from BLOB_READ_WRITE_TOKEN');
  expect(notice).not.toContain('vercel_blob_rw_');
});

test('on a disk the secret is created once, and only this user can read it', async () => {
  const directory = join(folder, 'data');
  const { value, notice } = await secretOf({}, { directory });
  expect(await secretOf({}, { directory })).toEqual({ value, notice });
  expect(readFileSync(join(directory, 'session-secret'), 'utf8')).toBe(value);
  expect(statSync(join(directory, 'session-secret')).mode & 0o777).toBe(0o600);
  expect(readdirSync(directory)).toEqual(['session-secret']);
  expect(notice).toContain(join(directory, 'session-secret'));
  expect(notice).not.toContain(value);
});

test('on Vercel without a persistent disk the secret comes from the build, the same for all functions', async () => {
  expect(await secretOf({ VERCEL: '1' }, { built: 'made by the build' })).toMatchObject({ value: 'made by the build' });
});

test('without any place the secret is random, and a warning says that it ends with the process', async () => {
  const { value, notice } = await secretOf({ VERCEL: '1' });
  expect(value).not.toBe((await secretOf({ VERCEL: '1' })).value);
  expect(notice).toContain('its end forgets all visitors');
});

describe('a Blob store that is opened by OIDC', () => {
  const oidc = { BLOB_STORE_ID: 'store_abc', VERCEL: '1' };

  test('contains the secret, so that the next build recognises the visitors of this build', async () => {
    const blobStore = memoryStore();
    const { value, notice } = await secretOf(oidc, { blobStore, built: 'one build' });
    expect(value).toMatch(/^[\w-]{43}$/);
    expect(await secretOf(oidc, { blobStore, built: 'the next build' })).toEqual({ value, notice });
    expect(notice).toContain('saved in the Blob store');
    expect((await secretOf(oidc, { blobStore: memoryStore() })).value).not.toBe(value);
  });

  test('has one secret for instances that start at once', async () => {
    const blobStore = memoryStore();
    const values = await Promise.all(Array.from({ length: 10 }, () => secretOf(oidc, { blobStore })));
    expect(new Set(values.map(({ value }) => value)).size).toBe(1);
  });

  test('that does not answer is an error, so that no visitor depends on the secret of one instance', async () => {
    const error = new Error('down');
    const down: ArtifactStore = { ...memoryStore(), get: () => Promise.reject(error) };
    await expect(secretOf(oidc, { blobStore: down })).rejects.toBe(error);
  });
});
