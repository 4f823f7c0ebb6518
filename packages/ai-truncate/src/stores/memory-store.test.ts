import { describe, expect, it } from 'vitest';
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
    cannot: { reopen: 'what a memory store holds goes with it' },
  });
  for (const { name, run, skip } of cases) it.skipIf(skip)(name, run);
});

describe('memoryStore', () => {
  it('refuses what its quota has no room for, and keeps what it has', async () => {
    const store = memoryStore({ maxBytes: 100 });
    await put(store, 'a.txt', 60);
    await expect(put(store, 'b.txt', 60)).rejects.toMatchObject({ code: 'STORE_FULL' });
    await put(store, 'c.txt', 40);
    expect((await store.head('folder/a.txt'))?.bytes).toBe(60);
    expect(await store.head('folder/b.txt')).toBeUndefined();
  });

  it('counts parallel puts against its quota while they are written', async () => {
    const store = memoryStore({ maxBytes: 100 });
    const results = await Promise.allSettled(['a.txt', 'b.txt', 'c.txt'].map((name) => put(store, name, 60)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('has room again for what was deleted', async () => {
    const store = memoryStore({ maxBytes: 100 });
    await put(store, 'a.txt', 100);
    await store.delete(['folder/a.txt', 'folder/a.txt']);
    await put(store, 'b.txt', 100);
    expect((await store.head('folder/b.txt'))?.bytes).toBe(100);
  });

  it('is not changed by who writes into what it gave', async () => {
    const store = memoryStore();
    await put(store, 'a.txt', 3);
    const stream = await store.get('folder/a.txt');
    const chunk = await stream?.getReader().read();
    chunk?.value?.fill(7);
    expect(new Uint8Array(await new Response(await store.get('folder/a.txt')).arrayBuffer())).toEqual(
      new Uint8Array(3),
    );
  });

  it('is not changed by who owns what it was given, nor by who takes what it gave', async () => {
    const store = memoryStore();
    const buffer = Buffer.from('text');
    await store.put('folder/a.txt', ReadableStream.from([buffer]), { contentType: 'text/plain' });
    buffer.fill(88);
    const stream = await store.get('folder/a.txt');
    const { value } = (await stream?.getReader().read()) ?? {};
    if (value) structuredClone(value, { transfer: [value.buffer] });
    expect(await new Response(await store.get('folder/a.txt')).text()).toBe('text');
  });

  it('refuses a quota that is no size', () => {
    expect(() => memoryStore({ maxBytes: 0 })).toThrow(InvalidOptionError);
    expect(() => memoryStore({ maxBytes: '1 MB' as never })).toThrow('`maxBytes` must be a whole number');
  });
});
