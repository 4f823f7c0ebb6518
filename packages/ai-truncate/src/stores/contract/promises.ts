import type { ArtifactStore } from '../artifact-store.ts';
import {
  endless,
  expectEqual,
  expectRejection,
  expectSame,
  expectTrue,
  inUnevenChunks,
  keysOf,
  Place,
  pseudoRandomBytes,
  turn,
} from './checks.ts';

/** Rejects when the store breaks the promise. */
type Check = ((place: Place, open: () => ArtifactStore | Promise<ArtifactStore>) => Promise<void>) & {
  /** A feature that a backend may lack. */
  needs?: 'createExclusively' | 'reopen';
};

const createExclusively = (check: Check): Check => Object.assign(check, { needs: 'createExclusively' as const });
const reopen = (check: Check): Check => Object.assign(check, { needs: 'reopen' as const });

/** The promises of `ArtifactStore`, by name. They are in one long list, so that a missing promise is easy to notice. */
export const promises: Record<string, Check> = {
  'returns the bytes that were put': (place) => place.keeps(pseudoRandomBytes(100_000)),
  'stores an empty value': (place) => place.keeps(new Uint8Array()),
  'stores a value of one byte': (place) => place.keeps(Uint8Array.of(255)),
  'stores 20 MB that arrive in uneven chunks': async (place) => {
    const bytes = pseudoRandomBytes(20_000_000);
    await place.keeps(bytes, { body: inUnevenChunks(bytes) });
  },
  'changes no byte of text in any script': async (place) => {
    const bytes = new TextEncoder().encode('é ü 日本語 🙂\u{e0041}\r\n\0\u202e\ufeff');
    await place.keeps(bytes, { contentType: 'text/plain; charset=utf-8' });
  },
  'rejects a second put under the same key and keeps the first value': createExclusively(async (place) => {
    const first = pseudoRandomBytes(1000);
    await place.put('a.txt', first);
    await expectRejection(place.put('a.txt', pseudoRandomBytes(2000)));
    await place.expectBytes('a.txt', first);
  }),
  'lets exactly one of many concurrent puts under the same key win, with its whole value': createExclusively(
    async (place) => {
      const values = Array.from({ length: 8 }, (_, index) => new Uint8Array(50_000).fill(index));
      const results = await Promise.allSettled(values.map((value) => place.put('a.txt', value)));
      const winners = values.filter((_, index) => results[index]?.status === 'fulfilled');
      expectEqual(winners.length, 1);
      await place.expectBytes('a.txt', winners[0] ?? new Uint8Array());
    },
  ),
  'reads any range: inside, to the end, past the end, or empty': async (place) => {
    const bytes = pseudoRandomBytes(10_000);
    await place.put('a.bin', bytes);
    for (const range of ['0-1', '10-20', '9999-10000', '9990-20000', '10000-10001', '50000-60000', '7-7']) {
      const [start = 0, end = 0] = range.split('-').map(Number);
      await place.expectBytes('a.bin', bytes.slice(start, end), { start, end });
    }
    await place.expectBytes('a.bin', bytes.slice(9_000), { start: 9_000 });
    await place.expectBytes('a.bin', bytes.slice(0, 100), { end: 100 });
  },
  'reads every range of an empty value as empty': async (place) => {
    await place.put('empty.txt', new Uint8Array());
    await place.expectBytes('empty.txt', new Uint8Array(), { start: 0, end: 10 });
    await place.expectBytes('empty.txt', new Uint8Array(), { start: 5 });
  },
  'returns undefined for a missing key': async (place) => {
    expectEqual(await place.get('nothing.txt'), undefined);
    expectEqual(await place.get('nothing.txt', { start: 5, end: 9 }), undefined);
    await place.expectNothing('nothing.txt');
  },
  'reports the size and the time of a value': async (place) => {
    await place.put('a.txt', pseudoRandomBytes(1234));
    const entry = await place.store.head(place.key('a.txt'));
    expectEqual(entry?.key, place.key('a.txt'));
    expectEqual(entry?.bytes, 1234);
    // The clock of another machine may differ a little. Retention uses this time.
    expectTrue(
      Math.abs((entry?.writtenAt.getTime() ?? 0) - Date.now()) < 600_000,
      '`writtenAt` is minutes away from the current time',
    );
  },
  'lists a folder in ascending order of keys, each value once, beyond a page of 1,000': async (place) => {
    const names = Array.from({ length: 1010 }, (_, index) => `n${(index * 7919) % 1010}.txt`);
    for (let from = 0; from < names.length; from += 20) {
      await Promise.all(names.slice(from, from + 20).map((name) => place.put(name, Uint8Array.of(1, 2, 3))));
    }
    await place.expectNames(names.toSorted());
    for await (const { bytes } of place.store.list(`${place.folder}/`)) expectEqual(bytes, 3);
  },
  'lists only the requested folder, and all folders for an empty prefix': async (place) => {
    const longer = new Place(place.store, `${place.folder}-b`);
    const other = new Place(place.store);
    try {
      for (const each of [place, longer, other]) await each.putEach(['a.txt']);
      await place.expectNames(['a.txt']);
      const keys = [place, longer, other].map((each) => each.key('a.txt'));
      const found = (await keysOf(place.store, '')).filter((key) => keys.includes(key));
      expectEqual(found.join(), keys.toSorted().join());
    } finally {
      await longer.clear();
      await other.clear();
    }
  },
  'lists an unknown folder as empty': (place) => place.expectNames([]),
  'stops listing when the consumer does': async (place) => {
    await place.putEach(['a.txt', 'b.txt', 'c.txt']);
    for await (const entry of place.store.list(`${place.folder}/`)) {
      expectEqual(entry.key, place.key('a.txt'));
      break;
    }
  },
  'lists the keys after a given key, whether or not that key exists': async (place) => {
    await place.putEach(['a.txt', 'b.txt', 'c.txt', 'd.txt']);
    await place.expectNames(['c.txt', 'd.txt'], { after: place.key('b.txt') });
    await place.expectNames(['c.txt', 'd.txt'], { after: place.key('b.zzz') });
    await place.expectNames([], { after: place.key('d.txt') });
    await place.expectNames(['a.txt', 'b.txt', 'c.txt', 'd.txt'], { after: place.key('0') });
  },
  'continues a listing while listed values are deleted': async (place) => {
    const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt'];
    await place.putEach(names);
    const seen: string[] = [];
    for await (const { key } of place.store.list(`${place.folder}/`)) {
      seen.push(key);
      await place.store.delete([key]);
    }
    expectEqual(seen.join(), names.map((name) => place.key(name)).join());
  },
  'deletes several values at once, and does not fail when it deletes them twice': async (place) => {
    await place.putEach(['a.txt', 'b.txt', 'c.txt']);
    await place.delete(['a.txt', 'b.txt']);
    await place.delete(['a.txt', 'b.txt']);
    await place.delete([]);
    await place.expectNames(['c.txt']);
    expectEqual(await place.get('a.txt'), undefined);
  },
  'accepts a key again after its value was deleted': async (place) => {
    await place.put('a.txt', Uint8Array.of(1));
    await place.delete(['a.txt']);
    await place.put('a.txt', Uint8Array.of(2));
    await place.expectBytes('a.txt', Uint8Array.of(2));
  },
  'shows readers either the whole value or no value while it is written': async (place) => {
    const bytes = pseudoRandomBytes(3_000_000);
    let isWritten = false;
    const writing = place.put('a.bin', inUnevenChunks(bytes)).finally(() => {
      isWritten = true;
    });
    while (!isWritten) {
      const found = await place.get('a.bin');
      if (found) expectSame(found, bytes);
      await turn();
    }
    await writing;
    await place.expectBytes('a.bin', bytes);
  },
  'serves many writers and readers at once': async (place) => {
    const values = Array.from({ length: 64 }, (_, index) => new Uint8Array(10_000 + index).fill(index));
    await Promise.all(
      values.map(async (value, index) => {
        await place.put(`n${index}.bin`, value);
        await place.expectBytes(`n${index}.bin`, value);
      }),
    );
  },
  'stores nothing when the source of a value fails halfway, and rejects with its error': async (place) => {
    const failure = new Error('the source failed');
    const failing = endless((chunks) => {
      if (chunks > 0) throw failure;
    });
    const error = await expectRejection(place.put('a.bin', failing));
    expectTrue(error === failure, `rejected with ${String(error)} instead of the error of the source`);
    await place.expectNothing('a.bin');
  },
  'stores nothing when the signal aborts halfway, and rejects with its reason': async (place) => {
    const controller = new AbortController();
    const { signal } = controller;
    const reason = new Error('stopped');
    const body = endless(() => signal.throwIfAborted());
    const writing = place.put('a.bin', body, { signal });
    controller.abort(reason);
    const error = await expectRejection(writing);
    expectTrue(error === reason, `rejected with ${String(error)} instead of the reason of the signal`);
    await place.expectNothing('a.bin');
  },
  'does not start when the signal is already aborted': async (place) => {
    const signal = AbortSignal.abort(new Error('stopped'));
    await expectRejection(place.put('a.txt', Uint8Array.of(1), { signal }));
    await expectRejection(place.get('a.txt', { signal }));
    await expectRejection(place.store.head(place.key('a.txt'), { signal }));
    await place.putEach(['b.txt']);
    await expectRejection(place.delete(['b.txt'], { signal }));
    await expectRejection(place.names({ signal }));
    await place.expectNames(['b.txt']);
  },
  'closes the body of a put that fails': createExclusively(async (place) => {
    await place.putEach(['a.txt']);
    let isClosed = false;
    async function* body(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      try {
        for (let count = 0; count < 100; count++) yield new Uint8Array(1_000_000);
      } finally {
        isClosed = true;
      }
    }
    await expectRejection(place.put('a.txt', body()));
    for (let turns = 0; turns < 100 && !isClosed; turns++) await turn();
    expectTrue(isClosed, 'the body was left open');
  }),
  'reports the path that other programs open, or undefined': async (place) => {
    const path: unknown = place.store.locate(place.key('a.txt'));
    const isPath = typeof path === 'string' && path.endsWith(place.key('a.txt'));
    expectTrue(path === undefined || isPath, `\`locate\` gave ${String(path)}`);
  },
  'survives a reader that stops early': async (place) => {
    const bytes = pseudoRandomBytes(3_000_000);
    await place.put('a.bin', bytes);
    for (let round = 0; round < 20; round++) {
      const stream = await place.store.get(place.key('a.bin'));
      const reader = stream?.getReader();
      await reader?.read();
      await reader?.cancel();
    }
    await place.expectBytes('a.bin', bytes);
  },
  'refuses keys and prefixes that could escape from its folder': async (place) => {
    const { store, folder } = place;
    const outside = ['', 'a', '../a.txt', '/etc/passwd', 'https://example.com/a.txt'];
    const inside = ['../a.txt', '', '/a.txt', '.a', 'a\\b', 'A.txt', 'a\0.txt', 'é.txt', 'b/c.txt'];
    for (const key of [...outside, ...inside.map((name) => place.key(name))]) {
      const body = inUnevenChunks(Uint8Array.of(1));
      await expectRejection(store.put(key, body, { contentType: 'text/plain' }), `put(${JSON.stringify(key)})`);
      await expectRejection(store.get(key), `get(${JSON.stringify(key)})`);
      await expectRejection(store.head(key), `head(${JSON.stringify(key)})`);
      await expectRejection(store.delete([key]), `delete([${JSON.stringify(key)}])`);
    }
    for (const prefix of ['../', '/', folder, 'https://example.com/', `${folder}/a`]) {
      await expectRejection(keysOf(store, prefix), `list(${JSON.stringify(prefix)})`);
    }
    await place.expectNothing('a.txt');
  },
  'shows its values to a second store over the same place': reopen(async (place, open) => {
    const bytes = pseudoRandomBytes(10_000);
    await place.put('a.bin', bytes);
    const second = new Place(await open(), place.folder);
    expectTrue(second.store !== place.store, '`open` returned the same store twice: it must open the place again');
    const found = await second.get('a.bin');
    expectTrue(
      found !== undefined,
      'The second store that `open` returned does not have the value of the first. Make `open` open the same place, or declare `cannot: { reopen }`',
    );
    expectSame(found, bytes);
    await second.expectNames(['a.bin']);
  }),
};
