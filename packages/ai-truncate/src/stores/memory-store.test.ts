import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../errors.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { artifactStoreContract } from './artifact-store-contract.ts';
import { memoryStore } from './memory-store.ts';

async function* body(bytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield new Uint8Array(bytes);
}

function put(store: ArtifactStore, name: string, bytes: number): Promise<void> {
  return store.put(`folder/${name}`, body(bytes), { contentType: 'text/plain' });
}

describe('the contract over memoryStore', () => {
  const cases = artifactStoreContract({
    open: () => memoryStore(),
    cannot: { reopen: 'a memory store loses its values with the object' },
  });
  for (const { name, run, skip } of cases) test.skipIf(skip)(name, run);
});

describe('memoryStore', () => {
  test('refuses a value that exceeds its quota, and still holds the others', async () => {
    const store = memoryStore({ maxBytes: 100 });
    await put(store, 'a.txt', 60);
    await expect(put(store, 'b.txt', 60)).rejects.toMatchObject({ code: 'STORE_FULL' });
    await put(store, 'c.txt', 40);
    expect((await store.head('folder/a.txt'))?.bytes).toBe(60);
    expect(await store.head('folder/b.txt')).toBeUndefined();
  });

  test('counts parallel puts toward its quota while they are written', async () => {
    const store = memoryStore({ maxBytes: 100 });
    const results = await Promise.allSettled(['a.txt', 'b.txt', 'c.txt'].map((name) => put(store, name, 60)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('has room again after a deletion', async () => {
    const store = memoryStore({ maxBytes: 100 });
    await put(store, 'a.txt', 100);
    await store.delete(['folder/a.txt', 'folder/a.txt']);
    await put(store, 'b.txt', 100);
    expect((await store.head('folder/b.txt'))?.bytes).toBe(100);
  });

  test('is not changed by a caller that writes into returned bytes', async () => {
    const store = memoryStore();
    await put(store, 'a.txt', 3);
    const stream = await store.get('folder/a.txt');
    const chunk = await stream?.getReader().read();
    chunk?.value?.fill(7);
    expect(new Uint8Array(await new Response(await store.get('folder/a.txt')).arrayBuffer())).toEqual(
      new Uint8Array(3),
    );
  });

  test('is not changed by the owner of the stored bytes, nor by a caller that transfers returned bytes', async () => {
    const store = memoryStore();
    const buffer = Buffer.from('text');
    await store.put('folder/a.txt', ReadableStream.from([buffer]), { contentType: 'text/plain' });
    buffer.fill(88);
    const stream = await store.get('folder/a.txt');
    const { value } = (await stream?.getReader().read()) ?? {};
    if (value) structuredClone(value, { transfer: [value.buffer] });
    expect(await new Response(await store.get('folder/a.txt')).text()).toBe('text');
  });

  test('refuses a quota that is not a size', () => {
    expect(() => memoryStore({ maxBytes: 0 })).toThrow(InvalidOptionError);
    expect(() => memoryStore({ maxBytes: '1 MB' as never })).toThrow('`maxBytes` must be a whole number');
  });
});
