import { expect, it } from 'vitest';
import type { ArtifactStore, StoredEntry } from './artifact-store.ts';
import { artifactStoreContract } from './artifact-store-contract.ts';
import { memoryStore } from './memory-store.ts';

/** What each broken store does wrong, and the case that must notice. */
const faults: { fault: string; notices: string; break: (store: ArtifactStore) => Partial<ArtifactStore> }[] = [
  {
    fault: 'loses the last byte',
    notices: 'gives back the bytes that were put',
    break: (store) => ({ put: (key, body, options) => store.put(key, withoutLastByte(body), options) }),
  },
  {
    fault: 'overwrites',
    notices: 'rejects a second put under the same key and keeps the first value',
    break: (store) => ({
      async put(key, body, options) {
        await store.delete([key]);
        await store.put(key, body, options);
      },
    }),
  },
  {
    fault: 'takes the end of a range as inclusive',
    notices: 'reads any range: inside, to the end, past the end, none at all',
    break: (store) => ({
      get: (key, options) => store.get(key, options?.end ? { ...options, end: options.end + 1 } : options),
    }),
  },
  {
    fault: 'throws for a missing key',
    notices: 'answers undefined for a key that holds nothing',
    break: (store) => ({
      async get(key, options) {
        const found = await store.get(key, options);
        if (!found) throw new Error('404');
        return found;
      },
    }),
  },
  {
    fault: 'lists one page only',
    notices: 'lists a folder ascending by key, each value once, also past a page of 1,000',
    break: (store) => ({
      async *list(prefix) {
        let count = 0;
        for await (const entry of store.list(prefix)) if (count++ < 1000) yield entry;
      },
    }),
  },
  {
    fault: 'lists folders whose name begins alike',
    notices: 'lists only the folder that was asked for, and all folders for an empty prefix',
    break: (store) => ({
      async *list(prefix) {
        for await (const entry of store.list('')) if (entry.key.startsWith(prefix.slice(0, -1))) yield entry;
      },
    }),
  },
  {
    fault: 'keeps the part that came before the source failed',
    notices: 'leaves nothing of a value whose source fails half-way, and rejects with its error',
    break: (store) => ({ put: (key, body, options) => store.put(key, untilFailure(body), options) }),
  },
  {
    fault: 'ignores the signal',
    notices: 'does not begin when the signal is aborted already',
    break: (store) => ({ put: (key, body, { contentType }) => store.put(key, body, { contentType }) }),
  },
  {
    fault: 'wraps the error of the source',
    notices: 'leaves nothing of a value whose source fails half-way, and rejects with its error',
    break: (store) => ({
      put: (key, body, options) =>
        store.put(key, body, options).catch((cause: unknown) => Promise.reject(new Error('put failed', { cause }))),
    }),
  },
  {
    fault: 'lists from the beginning whatever it is asked',
    notices: 'lists what comes after a key, there or not',
    break: (store) => ({ list: (prefix) => store.list(prefix) }),
  },
  {
    fault: 'takes a page before it looks at what was deleted meanwhile',
    notices: 'goes on listing while what was listed is deleted',
    break: (store) => ({
      async *list(prefix) {
        let from = 0;
        for (let all = await entriesOf(store, prefix); from < all.length; all = await entriesOf(store, prefix)) {
          yield* all.slice(from, ++from);
        }
      },
    }),
  },
  {
    fault: 'leaves the body open',
    notices: 'closes the body of a put that fails',
    break: (store) => ({
      async put(key, body, options) {
        if (await store.head(key)) {
          await body[Symbol.asyncIterator]().next();
          throw new Error('exists');
        }
        await store.put(key, body, options);
      },
    }),
  },
  {
    fault: 'points at another file',
    notices: 'tells where other programs find a value, or that they do not',
    break: () => ({ locate: () => '/etc/passwd' }),
  },
  {
    fault: 'has a clock of its own',
    notices: 'tells the size and the time of a value',
    break: (store) => ({
      async head(key, options) {
        const entry = await store.head(key, options);
        return entry && { ...entry, writtenAt: new Date(entry.writtenAt.getTime() - 1_800_000) };
      },
    }),
  },
  {
    fault: 'takes any key',
    notices: 'refuses keys and prefixes that could leave its place',
    break: () => ({ head: async () => undefined }),
  },
  {
    fault: 'fails for a key that is gone',
    notices: 'deletes several values at once, and twice without an error',
    break: (store) => ({
      async delete(keys) {
        for (const key of keys) if (!(await store.head(key))) throw new Error('no such key');
        await store.delete(keys);
      },
    }),
  },
];

async function* withoutLastByte(body: AsyncIterable<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const chunk of body) yield chunk.subarray(0, -1);
}

async function* untilFailure(body: AsyncIterable<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    yield* body;
  } catch {
    // The fault: what came so far is taken for the whole.
  }
}

async function entriesOf(store: ArtifactStore, prefix: string): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = [];
  for await (const entry of store.list(prefix)) entries.push(entry);
  return entries;
}

it.each(faults)('the contract notices a store that $fault', async ({ notices, break: breakStore }) => {
  const store = memoryStore();
  const broken = { ...store, ...breakStore(store) };
  const found = artifactStoreContract({ open: () => broken }).find(({ name }) => name === notices);
  await expect(found?.run()).rejects.toThrow();
});

it('a case that a store declares impossible is given with its reason, not dropped', () => {
  const all = artifactStoreContract({ open: () => memoryStore() });
  const declared = artifactStoreContract({
    open: () => memoryStore(),
    cannot: { createExclusively: 'no conditional writes' },
  });
  expect(all.every(({ skip }) => skip === false)).toBe(true);
  expect(declared.map(({ name }) => name)).toEqual(all.map(({ name }) => name));
  expect(declared.filter(({ skip }) => skip === 'no conditional writes')).toHaveLength(3);
});

it('names the option that cannot work', () => {
  expect(() => artifactStoreContract({} as never)).toThrow('`open` must be a function');
  const misspelt = { open: () => memoryStore(), cannot: { reopn: 'x' } as never };
  expect(() => artifactStoreContract(misspelt)).toThrow('Unknown option `cannot.reopn`. Did you mean `reopen`?');
});
