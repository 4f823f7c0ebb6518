import { describe, expect, test } from 'vitest';
import { artifactStoreContract } from '../artifact-store-contract.ts';
import { vercelBlobStore } from './vercel-blob-store.ts';

const { BLOB_READ_WRITE_TOKEN, VERCEL_BLOB_API_URL } = process.env;
const prefix = `ai-truncate-test-${crypto.randomUUID()}/`;
const MEGABYTE = 1024 * 1024;

describe.skipIf(!BLOB_READ_WRITE_TOKEN || VERCEL_BLOB_API_URL)('vercelBlobStore against the service', () => {
  describe('the contract', () => {
    for (const { name, run, skip } of artifactStoreContract({ open: () => vercelBlobStore({ prefix }) })) {
      test.skipIf(skip)(name, { timeout: 600_000 }, run);
    }
  });

  test('stores 40 MB that are sent in parts', { timeout: 600_000 }, async () => {
    const store = vercelBlobStore({ prefix });
    const key = 'parts/a.bin';
    try {
      await store.put(key, megabytes(40), { contentType: 'application/octet-stream' });
      expect((await store.head(key))?.bytes).toBe(40 * MEGABYTE);
      const stream = await store.get(key, { start: 24 * MEGABYTE - 1, end: 24 * MEGABYTE + 1 });
      expect(new Uint8Array(await new Response(stream).arrayBuffer())).toEqual(Uint8Array.of(23, 24));
      await expect(store.put(key, megabytes(40), { contentType: 'text/plain' })).rejects.toMatchObject({
        code: 'KEY_EXISTS',
      });
    } finally {
      await store.delete([key]);
    }
  });
});

async function* megabytes(count: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let index = 0; index < count; index++) yield new Uint8Array(MEGABYTE).fill(index);
}
