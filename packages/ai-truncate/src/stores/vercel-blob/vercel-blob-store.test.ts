import { afterEach, describe, expect, test, vi } from 'vitest';
import { InvalidOptionError } from '../../errors.ts';
import { vercelBlobStore } from './vercel-blob-store.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

function withoutCredentials(): void {
  for (const name of ['BLOB_READ_WRITE_TOKEN', 'BLOB_STORE_ID', 'VERCEL_OIDC_TOKEN']) vi.stubEnv(name, '');
}

describe('vercelBlobStore', () => {
  test('can be made without credentials, and names them at its first use', async () => {
    withoutCredentials();
    const store = vercelBlobStore();
    await expect(store.head('folder/a.txt')).rejects.toMatchObject({
      code: 'TOKEN_MISSING',
      message: expect.stringMatching(/BLOB_READ_WRITE_TOKEN.*`token`/),
    });
  });

  test('looks for credentials again after it found none', async () => {
    withoutCredentials();
    const store = vercelBlobStore();
    await expect(store.head('folder/a.txt')).rejects.toMatchObject({ code: 'TOKEN_MISSING' });
    vi.stubEnv('BLOB_READ_WRITE_TOKEN', 'not a token');
    await expect(store.head('folder/a.txt')).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
  });

  test('finds no credentials if there is no process', async () => {
    vi.stubGlobal('process', undefined);
    try {
      await expect(vercelBlobStore().head('folder/a.txt')).rejects.toMatchObject({ code: 'TOKEN_MISSING' });
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test.each(['', 'secret', 'vercel_blob_rw_', 'vercel_blob_rw_store_', 'vercel_blob_rw_a.b/c_secret', 42])(
    'refuses a token of another form: %j',
    (token) => expect(() => vercelBlobStore({ token: token as string })).toThrow(InvalidOptionError),
  );

  test('never shows a token, whether it was an option or found in the environment', async () => {
    expect(() => vercelBlobStore({ token: 'sesame' })).not.toThrow('sesame');
    vi.stubEnv('BLOB_READ_WRITE_TOKEN', 'sesame');
    const error: unknown = await vercelBlobStore()
      .head('folder/a.txt')
      .catch((error) => error);
    expect(String(error)).toContain('BLOB_READ_WRITE_TOKEN');
    expect(String(error)).not.toContain('sesame');
  });

  test.each(['', '/', '/a', 'a//b', '..', 'a/../b', './a', 'https://example.com', 'a b', 'a'.repeat(501), 42])(
    'refuses a prefix that is not a relative path: %j',
    (prefix) => expect(() => vercelBlobStore({ prefix: prefix as string })).toThrow('`prefix` must be'),
  );

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])('refuses a deadline of %d ms', (timeoutMs) =>
    expect(() => vercelBlobStore({ timeoutMs })).toThrow('`timeoutMs` must be'),
  );

  test('has no paths on this machine', () => {
    expect(vercelBlobStore().locate('folder/a.txt')).toBeUndefined();
  });
});
