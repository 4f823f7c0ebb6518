import { expect, test } from 'vitest';
import type { ArtifactStore, StoredEntry } from '../artifact-store.ts';
import { memoryStore } from '../memory-store.ts';
import { Place } from './checks.ts';
import { promises } from './promises.ts';

/** A fault of a store, and the promise whose case must fail. */
const faults: { fault: string; notices: string; break: (store: ArtifactStore) => Partial<ArtifactStore> }[] = [
  {
    fault: 'loses the last byte',
    notices: 'returns the bytes that were put',
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
    notices: 'reads any range: inside, to the end, past the end, or empty',
    break: (store) => ({
      get: (key, options) => store.get(key, options?.end ? { ...options, end: options.end + 1 } : options),
    }),
  },
  {
    fault: 'throws for a missing key',
    notices: 'returns undefined for a missing key',
    break: (store) => ({
      async get(key, options) {
        const found = await store.get(key, options);
        if (!found) throw new Error('404');
        return found;
      },
    }),
  },
  {
    fault: 'lists only one page',
    notices: 'lists a folder in ascending order of keys, each value once, beyond a page of 1,000',
    break: (store) => ({
      async *list(prefix) {
        let count = 0;
        for await (const entry of store.list(prefix)) if (count++ < 1000) yield entry;
      },
    }),
  },
  {
    fault: 'lists folders whose names start alike',
    notices: 'lists only the requested folder, and all folders for an empty prefix',
    break: (store) => ({
      async *list(prefix) {
        for await (const entry of store.list('')) if (entry.key.startsWith(prefix.slice(0, -1))) yield entry;
      },
    }),
  },
  {
    fault: 'keeps the bytes that arrived before the source failed',
    notices: 'stores nothing when the source of a value fails halfway, and rejects with its error',
    break: (store) => ({ put: (key, body, options) => store.put(key, untilFailure(body), options) }),
  },
  {
    fault: 'ignores the signal',
    notices: 'does not start when the signal is already aborted',
    break: (store) => ({ put: (key, body, { contentType }) => store.put(key, body, { contentType }) }),
  },
  {
    fault: 'wraps the error of the source',
    notices: 'stores nothing when the source of a value fails halfway, and rejects with its error',
    break: (store) => ({
      put: (key, body, options) =>
        store.put(key, body, options).catch((cause: unknown) => Promise.reject(new Error('put failed', { cause }))),
    }),
  },
  {
    fault: 'always lists from the beginning',
    notices: 'lists the keys after a given key, whether or not that key exists',
    break: (store) => ({ list: (prefix) => store.list(prefix) }),
  },
  {
    fault: 'reads a page before it checks for deletions',
    notices: 'continues a listing while listed values are deleted',
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
    notices: 'reports the path that other programs open, or undefined',
    break: () => ({ locate: () => '/etc/passwd' }),
  },
  {
    fault: 'has its own clock',
    notices: 'reports the size and the time of a value',
    break: (store) => ({
      async head(key, options) {
        const entry = await store.head(key, options);
        return entry && { ...entry, writtenAt: new Date(entry.writtenAt.getTime() - 1_800_000) };
      },
    }),
  },
  {
    fault: 'takes any key',
    notices: 'refuses keys and prefixes that could escape from its folder',
    break: () => ({ head: async () => undefined }),
  },
  {
    fault: 'fails for a key that does not exist',
    notices: 'deletes several values at once, and does not fail when it deletes them twice',
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
    // The fault: the bytes that have arrived count as the whole value.
  }
}

async function entriesOf(store: ArtifactStore, prefix: string): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = [];
  for await (const entry of store.list(prefix)) entries.push(entry);
  return entries;
}

test.each(faults)('the contract notices a store that $fault', async ({ notices, break: breakStore }) => {
  const store = memoryStore();
  const broken = { ...store, ...breakStore(store) };
  await expect(promises[notices]?.(new Place(broken), () => broken)).rejects.toThrow();
});

test('a second store must be another one, with the values of the first', async () => {
  const check = promises['shows its values to a second store over the same place'];
  const store = memoryStore();
  await expect(check?.(new Place(store), () => store)).rejects.toThrow('returned the same store twice');
  await expect(check?.(new Place(store), () => memoryStore())).rejects.toThrow('does not have the value of the first');
  await expect(check?.(new Place(store), () => ({ ...store }))).resolves.toBeUndefined();
});
