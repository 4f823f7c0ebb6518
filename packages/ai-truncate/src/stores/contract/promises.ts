import type { ArtifactStore } from '../artifact-store.ts';
import {
  deleteFolder,
  expectBytes,
  expectEqual,
  expectNothing,
  expectRejection,
  expectTrue,
  failing,
  hostileKeys,
  inUnevenChunks,
  keysOf,
  listed,
  pseudoRandomBytes,
  put,
  putEach,
  read,
  slowly,
  turn,
  untilAborted,
} from './checks.ts';

interface Place {
  store: ArtifactStore;
  folder: string;
  open: () => ArtifactStore | Promise<ArtifactStore>;
  newFolder: () => string;
}

/** Rejects when the store breaks the promise. */
type Check = ((place: Place) => Promise<void>) & {
  /** What a backend may be unable to do. */
  needs?: 'createExclusively' | 'reopen';
};

const createExclusively = (check: Check): Check => Object.assign(check, { needs: 'createExclusively' as const });
const reopen = (check: Check): Check => Object.assign(check, { needs: 'reopen' as const });

/** The promises of `ArtifactStore`, by their names. One list, though a long one: promises are read, and missed, side by side. */
export const promises: Record<string, Check> = {
  'gives back the bytes that were put': async ({ store, folder }) => {
    const bytes = pseudoRandomBytes(100_000);
    await put(store, `${folder}/a.bin`, bytes);
    expectBytes(await read(store, `${folder}/a.bin`), bytes);
  },
  'keeps a value without bytes': async ({ store, folder }) => {
    await put(store, `${folder}/empty.txt`, new Uint8Array());
    expectBytes(await read(store, `${folder}/empty.txt`), new Uint8Array());
    expectEqual((await store.head(`${folder}/empty.txt`))?.bytes, 0);
  },
  'keeps a value of one byte': async ({ store, folder }) => {
    await put(store, `${folder}/one.bin`, Uint8Array.of(255));
    expectBytes(await read(store, `${folder}/one.bin`), Uint8Array.of(255));
  },
  'keeps 20 MB that come in uneven chunks': async ({ store, folder }) => {
    const bytes = pseudoRandomBytes(20_000_000);
    await put(store, `${folder}/large.bin`, inUnevenChunks(bytes));
    expectEqual((await store.head(`${folder}/large.bin`))?.bytes, bytes.length);
    expectBytes(await read(store, `${folder}/large.bin`), bytes);
  },
  'changes no byte of text in any script': async ({ store, folder }) => {
    const bytes = new TextEncoder().encode('é ü 日本語 🙂\u{e0041}\r\n\0\u202e\ufeff');
    await put(store, `${folder}/unicode.txt`, bytes, { contentType: 'text/plain; charset=utf-8' });
    expectBytes(await read(store, `${folder}/unicode.txt`), bytes);
  },
  'rejects a second put under the same key and keeps the first value': createExclusively(async ({ store, folder }) => {
    const first = pseudoRandomBytes(1000);
    await put(store, `${folder}/a.txt`, first);
    await expectRejection(put(store, `${folder}/a.txt`, pseudoRandomBytes(2000)));
    expectBytes(await read(store, `${folder}/a.txt`), first);
  }),
  'lets one of many concurrent puts under the same key win, whole': createExclusively(async ({ store, folder }) => {
    const values = Array.from({ length: 8 }, (_, index) => new Uint8Array(50_000).fill(index));
    const results = await Promise.allSettled(values.map((value) => put(store, `${folder}/a.txt`, value)));
    const winners = values.filter((_, index) => results[index]?.status === 'fulfilled');
    expectEqual(winners.length, 1);
    expectBytes(await read(store, `${folder}/a.txt`), winners[0] ?? new Uint8Array());
  }),
  'reads any range: inside, to the end, past the end, none at all': async ({ store, folder }) => {
    const bytes = pseudoRandomBytes(10_000);
    await put(store, `${folder}/a.bin`, bytes);
    const ranges = [
      [0, 1],
      [10, 20],
      [9_999, 10_000],
      [9_990, 20_000],
      [10_000, 10_001],
      [50_000, 60_000],
      [7, 7],
    ] as const;
    for (const [start, end] of ranges) {
      expectBytes(await read(store, `${folder}/a.bin`, { start, end }), bytes.slice(start, end));
    }
    expectBytes(await read(store, `${folder}/a.bin`, { start: 9_000 }), bytes.slice(9_000));
    expectBytes(await read(store, `${folder}/a.bin`, { end: 100 }), bytes.slice(0, 100));
  },
  'reads ranges of a value without bytes as nothing': async ({ store, folder }) => {
    await put(store, `${folder}/empty.txt`, new Uint8Array());
    expectBytes(await read(store, `${folder}/empty.txt`, { start: 0, end: 10 }), new Uint8Array());
    expectBytes(await read(store, `${folder}/empty.txt`, { start: 5 }), new Uint8Array());
  },
  'answers undefined for a key that holds nothing': async ({ store, folder }) => {
    expectEqual(await store.get(`${folder}/nothing.txt`), undefined);
    expectEqual(await store.get(`${folder}/nothing.txt`, { start: 5, end: 9 }), undefined);
    expectEqual(await store.head(`${folder}/nothing.txt`), undefined);
  },
  'tells the size and the time of a value': async ({ store, folder }) => {
    await put(store, `${folder}/a.txt`, pseudoRandomBytes(1234));
    const entry = await store.head(`${folder}/a.txt`);
    expectEqual(entry?.key, `${folder}/a.txt`);
    expectEqual(entry?.bytes, 1234);
    // Another machine's clock may differ a little; retention goes by it.
    expectTrue(Math.abs((entry?.writtenAt.getTime() ?? 0) - Date.now()) < 600_000, '`writtenAt` is minutes from now');
  },
  'lists a folder ascending by key, each value once, also past a page of 1,000': async ({ store, folder }) => {
    const keys = Array.from({ length: 1010 }, (_, index) => `${folder}/n${(index * 7919) % 1010}.txt`);
    for (let from = 0; from < keys.length; from += 20) {
      await Promise.all(keys.slice(from, from + 20).map((key) => put(store, key, Uint8Array.of(1, 2, 3))));
    }
    const entries = await listed(store, `${folder}/`);
    expectEqual(entries.map((entry) => entry.key).join(), keys.toSorted().join());
    expectTrue(
      entries.every((entry) => entry.bytes === 3 && entry.writtenAt instanceof Date),
      'an entry lacks its size or time',
    );
  },
  'lists only the folder that was asked for, and all folders for an empty prefix': async ({
    store,
    folder,
    newFolder,
  }) => {
    const longer = `${folder}-b`;
    const other = newFolder();
    try {
      for (const each of [folder, longer, other]) await putEach(store, each, ['a']);
      expectEqual((await keysOf(store, `${folder}/`)).join(), `${folder}/a.txt`);
      const ours = (await keysOf(store, '')).filter((key) => key.startsWith(folder) || key.startsWith(other));
      expectEqual(ours.join(), [`${folder}/a.txt`, `${longer}/a.txt`, `${other}/a.txt`].toSorted().join());
    } finally {
      await deleteFolder(store, longer);
      await deleteFolder(store, other);
    }
  },
  'lists an unknown folder as empty': async ({ store, folder }) =>
    expectEqual((await listed(store, `${folder}/`)).length, 0),
  'stops listing when the consumer does': async ({ store, folder }) => {
    await putEach(store, folder, ['a', 'b', 'c']);
    for await (const entry of store.list(`${folder}/`)) {
      expectEqual(entry.key, `${folder}/a.txt`);
      break;
    }
  },
  'lists what comes after a key, there or not': async ({ store, folder }) => {
    await putEach(store, folder, ['a', 'b', 'c', 'd']);
    const after = async (key: string) =>
      (await listed(store, `${folder}/`, { after: `${folder}/${key}` })).map((entry) => entry.key.slice(-5)).join();
    expectEqual(await after('b.txt'), 'c.txt,d.txt');
    expectEqual(await after('b.zzz'), 'c.txt,d.txt');
    expectEqual(await after('d.txt'), '');
    expectEqual(await after('0'), 'a.txt,b.txt,c.txt,d.txt');
  },
  'goes on listing while what was listed is deleted': async ({ store, folder }) => {
    const keys = await putEach(store, folder, ['a', 'b', 'c', 'd']);
    const seen: string[] = [];
    for await (const { key } of store.list(`${folder}/`)) {
      seen.push(key);
      await store.delete([key]);
    }
    expectEqual(seen.join(), keys.join());
  },
  'deletes several values at once, and twice without an error': async ({ store, folder }) => {
    const keys = await putEach(store, folder, ['a', 'b', 'c']);
    await store.delete(keys.slice(0, 2));
    await store.delete(keys.slice(0, 2));
    await store.delete([]);
    expectEqual((await keysOf(store, `${folder}/`)).join(), `${folder}/c.txt`);
    expectEqual(await store.get(`${folder}/a.txt`), undefined);
  },
  'takes a key again after it was deleted': async ({ store, folder }) => {
    await put(store, `${folder}/a.txt`, Uint8Array.of(1));
    await store.delete([`${folder}/a.txt`]);
    await put(store, `${folder}/a.txt`, Uint8Array.of(2));
    expectBytes(await read(store, `${folder}/a.txt`), Uint8Array.of(2));
  },
  'shows readers a value whole or not at all while it is written': async ({ store, folder }) => {
    const bytes = pseudoRandomBytes(3_000_000);
    const key = `${folder}/a.bin`;
    let isWritten = false;
    const writing = put(store, key, slowly(bytes)).finally(() => {
      isWritten = true;
    });
    while (!isWritten) {
      const found = await read(store, key);
      if (found) expectBytes(found, bytes);
      await turn();
    }
    await writing;
    expectBytes(await read(store, key), bytes);
  },
  'serves many writers and readers at once': async ({ store, folder }) => {
    const values = Array.from({ length: 64 }, (_, index) => new Uint8Array(10_000 + index).fill(index));
    await Promise.all(
      values.map(async (value, index) => {
        await put(store, `${folder}/n${index}.bin`, value);
        expectBytes(await read(store, `${folder}/n${index}.bin`), value);
      }),
    );
  },
  'leaves nothing of a value whose source fails half-way, and rejects with its error': async ({ store, folder }) => {
    const failure = new Error('the source failed');
    const error = await expectRejection(put(store, `${folder}/a.bin`, failing(failure)));
    expectTrue(error === failure, `rejected with ${String(error)} instead of the error of the source`);
    await expectNothing(store, folder);
  },
  'leaves nothing of a value whose signal aborts half-way, and rejects with its reason': async ({ store, folder }) => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    const writing = put(store, `${folder}/a.bin`, untilAborted(controller), controller);
    controller.abort(reason);
    expectTrue(
      (await expectRejection(writing)) === reason,
      'rejected with something else than the reason of the signal',
    );
    await expectNothing(store, folder);
  },
  'does not begin when the signal is aborted already': async ({ store, folder }) => {
    const signal = AbortSignal.abort(new Error('stopped'));
    await expectRejection(put(store, `${folder}/a.txt`, Uint8Array.of(1), { signal }));
    await expectRejection(store.get(`${folder}/a.txt`, { signal }));
    await expectRejection(store.head(`${folder}/a.txt`, { signal }));
    await put(store, `${folder}/b.txt`, Uint8Array.of(1));
    await expectRejection(store.delete([`${folder}/b.txt`], { signal }));
    await expectRejection(listed(store, `${folder}/`, { signal }));
    expectEqual((await keysOf(store, `${folder}/`)).join(), `${folder}/b.txt`);
  },
  'closes the body of a put that fails': createExclusively(async ({ store, folder }) => {
    await put(store, `${folder}/a.txt`, Uint8Array.of(1));
    let isClosed = false;
    async function* body(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      try {
        for (let count = 0; count < 100; count++) yield new Uint8Array(1_000_000);
      } finally {
        isClosed = true;
      }
    }
    await expectRejection(put(store, `${folder}/a.txt`, body()));
    for (let turns = 0; turns < 100 && !isClosed; turns++) await turn();
    expectTrue(isClosed, 'the body was left open');
  }),
  'tells where other programs find a value, or that they do not': async ({ store, folder }) => {
    const path: unknown = store.locate(`${folder}/a.txt`);
    expectTrue(path === undefined || typeof path === 'string', '`locate` gives a path or `undefined`');
    expectTrue(path === undefined || String(path).endsWith(`${folder}/a.txt`), `\`locate\` gave ${String(path)}`);
  },
  'survives a reader that stops early': async ({ store, folder }) => {
    const bytes = pseudoRandomBytes(3_000_000);
    await put(store, `${folder}/a.bin`, bytes);
    for (let round = 0; round < 20; round++) {
      const stream = await store.get(`${folder}/a.bin`);
      const reader = stream?.getReader();
      await reader?.read();
      await reader?.cancel();
    }
    expectBytes(await read(store, `${folder}/a.bin`), bytes);
  },
  'refuses keys and prefixes that could leave its place': async ({ store, folder }) => {
    for (const key of hostileKeys(folder)) {
      await expectRejection(put(store, key, Uint8Array.of(1)), `put(${JSON.stringify(key)})`);
      await expectRejection(store.get(key), `get(${JSON.stringify(key)})`);
      await expectRejection(store.head(key), `head(${JSON.stringify(key)})`);
      await expectRejection(store.delete([key]), `delete([${JSON.stringify(key)}])`);
    }
    for (const prefix of ['../', '/', folder, 'https://example.com/', `${folder}/a`]) {
      await expectRejection(listed(store, prefix), `list(${JSON.stringify(prefix)})`);
    }
    await expectNothing(store, folder);
  },
  'shows its values to a second store over the same place': reopen(async ({ store, folder, open }) => {
    const bytes = pseudoRandomBytes(10_000);
    await put(store, `${folder}/a.bin`, bytes);
    const second = await open();
    expectTrue(second !== store, '`open` gave the same store twice: it has to open the place anew');
    const found = await read(second, `${folder}/a.bin`);
    expectTrue(
      found !== undefined,
      'what one store wrote the next one that `open` gave does not have: let it open the same place, or declare `cannot: { reopen }`',
    );
    expectBytes(found, bytes);
    expectEqual((await listed(second, `${folder}/`)).length, 1);
  }),
};
