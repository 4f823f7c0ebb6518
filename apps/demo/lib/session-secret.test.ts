import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readEnvironment } from './environment';
import { findSecret } from './session-secret';

const folder = mkdtempSync(join(tmpdir(), 'session-secret-'));
afterAll(() => rmSync(folder, { recursive: true }));

const secretOf = (variables: Record<string, string>, place: { directory?: string; built?: string } = {}) =>
  findSecret(readEnvironment(variables), { directory: () => place.directory ?? folder, built: place.built });
const set = 'x'.repeat(32);
const blob = { BLOB_READ_WRITE_TOKEN: 'vercel_blob_rw_store_secret' };

test('a secret that is set is taken, and nothing is said', () => {
  expect(secretOf({ SESSION_SECRET: set, ...blob })).toEqual({ value: set });
});

test('without one all servers of a Blob store make the same, from which the token cannot be read', () => {
  const { value, notice } = secretOf(blob);
  expect(value).toBe(secretOf({ ...blob, VERCEL: '1' }).value);
  expect(value).not.toBe(secretOf({ BLOB_READ_WRITE_TOKEN: 'vercel_blob_rw_store_other' }).value);
  expect(value).toMatch(/^[\w-]{43}$/);
  expect(notice).toContain('made from BLOB_READ_WRITE_TOKEN');
  expect(notice).not.toContain('vercel_blob_rw_');
});

test('on a disk it is made once, and only this user reads it', () => {
  const directory = join(folder, 'data');
  const { value, notice } = secretOf({}, { directory });
  expect(secretOf({}, { directory })).toEqual({ value, notice });
  expect(readFileSync(join(directory, 'session-secret'), 'utf8')).toBe(value);
  expect(statSync(join(directory, 'session-secret')).mode & 0o777).toBe(0o600);
  expect(readdirSync(directory)).toEqual(['session-secret']);
  expect(notice).toContain(join(directory, 'session-secret'));
  expect(notice).not.toContain(value);
});

test('on Vercel without a disk that lasts it comes with the build, for all functions the same', () => {
  expect(secretOf({ VERCEL: '1' }, { built: 'made by the build' })).toMatchObject({ value: 'made by the build' });
});

test('where there is nothing it is random, and it is said that it ends with the process', () => {
  const { value, notice } = secretOf({ VERCEL: '1' });
  expect(value).not.toBe(secretOf({ VERCEL: '1' }).value);
  expect(notice).toContain('its end forgets all visitors');
});
