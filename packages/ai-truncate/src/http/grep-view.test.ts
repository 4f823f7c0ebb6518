import { describe, expect, test, vi } from 'vitest';
import { artifactRoute } from '../../fixtures/artifact-route.ts';
import { processorMsOf } from '../../fixtures/processor-time.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import type { ArtifactGrepEvent } from './grep-view.ts';

const route = artifactRoute();

async function events(name: string, query: string, over = route): Promise<ArtifactGrepEvent[]> {
  const response = await over.get(`${name}/grep?${query}`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
  return parse(await response.text());
}

function parse(text: string): ArtifactGrepEvent[] {
  expect(text.endsWith('\n')).toBe(true);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line));
}

const found = (all: ArtifactGrepEvent[]) => all.flatMap((each) => (each.type === 'match' ? [each.line] : []));

const log = Array.from({ length: 9000 }, (_, index) => (index % 3000 === 42 ? 'ERROR (1.0)' : `line ${index}`)).join(
  '\n',
);

/** A store whose artifacts never end and are produced piece by piece on request. It can hang after some pieces. */
function endless(
  piece: Uint8Array<ArrayBuffer>,
  { stallsAfter = Number.POSITIVE_INFINITY } = {},
): { store: ArtifactStore; reads: number; cancelled: Promise<unknown> } {
  const store = memoryStore();
  let cancel: (reason: unknown) => void = () => {};
  const watched = {
    reads: 0,
    cancelled: new Promise<unknown>((resolve) => {
      cancel = resolve;
    }),
    store: {
      ...store,
      async get(key: string, options: object) {
        if (key.endsWith('.info.json')) return claimingPetabyte(await store.get(key, options));
        return new ReadableStream<Uint8Array<ArrayBuffer>>(
          {
            pull(controller) {
              watched.reads++;
              if (watched.reads > stallsAfter) return new Promise<void>(() => {});
              controller.enqueue(piece.slice());
            },
            cancel,
          },
          { highWaterMark: 0 },
        );
      },
    },
  };
  return watched;
}

/** A side-car with a larger size than a test reads, because an artifact that sends more than its size is refused. */
async function claimingPetabyte(sideCar: ReadableStream<Uint8Array<ArrayBuffer>> | undefined) {
  const facts: object = JSON.parse(await new Response(sideCar).text());
  return new Response(JSON.stringify({ ...facts, bytes: 2 ** 50 })).body ?? undefined;
}

const piece = new TextEncoder().encode('nothing here\n'.repeat(20_000));

describe('a search in an artifact', () => {
  test('reports each match, and at the end that the whole artifact was searched', async () => {
    const name = await route.save(log);
    const all = await events(name, 'q=ERROR');
    expect(all[0]).toEqual({ type: 'match', line: 43, text: 'ERROR (1.0)' });
    expect(found(all)).toEqual([43, 3043, 6043]);
    const { length } = Buffer.from(log);
    expect(all.at(-1)).toEqual({ type: 'end', ended: 'complete', matches: 3, searchedTo: length, totalBytes: length });
  });

  test('searches for the literal text or for an expression', async () => {
    const name = await route.save(log);
    expect(found(await events(name, 'q=(1.0)'))).toHaveLength(3);
    expect(found(await events(name, 'q=E.*%5Cd&mode=regex'))).toHaveLength(3);
    expect(found(await events(name, 'q=error'))).toEqual([]);
    expect(found(await events(name, 'q=error&case=ignore'))).toHaveLength(3);
  });

  test('starts at a line', async () => {
    const name = await route.save(log);
    expect(found(await events(name, 'q=ERROR&from=3043'))).toEqual([3043, 6043]);
    expect(found(await events(name, 'q=ERROR&from=3044'))).toEqual([6043]);
    const end = (await events(name, 'q=ERROR&from=9000')).at(-1);
    expect(end).toMatchObject({ type: 'end', ended: 'complete', searchedTo: Buffer.from(log).length });
  });

  test('ends after the requested number of matches, and continues after them', async () => {
    const name = await route.save('hit\n'.repeat(2500));
    const first = await events(name, 'q=hit');
    expect(found(first)).toHaveLength(500);
    const lines: number[] = [];
    for (let from: string | undefined = '1'; from !== undefined; ) {
      const all: ArtifactGrepEvent[] = await events(name, `q=hit&max=1000&from=${from}`);
      expect(found(all).length).toBeLessThanOrEqual(1000);
      lines.push(...found(all));
      const end = all.at(-1);
      if (end?.type !== 'end') throw new Error('no end');
      expect(end.ended).toBe(lines.length < 2500 ? 'enough' : 'complete');
      from = 'next' in end ? end.next : undefined;
    }
    expect(lines).toEqual(Array.from({ length: 2500 }, (_, index) => index + 1));
  });

  test.each(['0', '-1', '9001', 'x', '2:1:99', '99999:1:99999'])(
    'refuses to start at a place that is not in the artifact: %s',
    async (from) => {
      const response = await route.get(`${await route.save(log)}/grep?q=ERROR&from=${from}`);
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { error: { code: 'INVALID_PARAM', message: expect.stringContaining('`from`') } },
      ]);
    },
  );

  test('is refused with the reason if the artifact is not text', async () => {
    const name = await route.save(new Uint8Array(5000), 'application/octet-stream');
    const response = await route.get(`${name}/grep?q=x`);
    expect([response.status, await response.json()]).toMatchObject([422, { error: { code: 'BINARY_FILE' } }]);
  });

  test('takes time in proportion to the length, for any expression', async () => {
    const name = await route.save(`${'a'.repeat(1_000_000)}!`);
    const search = async () =>
      expect((await events(name, 'q=(a%2B)%2B$&mode=regex')).at(-1)).toMatchObject({ type: 'end', matches: 0 });
    expect(await processorMsOf(search)).toBeLessThan(10_000);
  });

  test('makes invisible characters visible, and shows only the surroundings of a match in a long line', async () => {
    const name = await route.save(`\u202ehit\u001b[31m\n${'x'.repeat(9000)}hit${'y'.repeat(9000)}`);
    const [first, second] = (await events(name, 'q=hit')).filter((each) => each.type === 'match');
    for (const hidden of ['\u202e', '\u001b']) expect(first?.text).not.toContain(hidden);
    expect(second).toMatchObject({ line: 2, column: 9001, at: expect.stringMatching(/^2:9001:\d+$/) });
    expect(second?.text.length).toBeLessThan(400);
  });

  test('reports its progress while nothing is found', async () => {
    const { store } = endless(piece);
    const slow = artifactRoute(store);
    const clock = vi.spyOn(performance, 'now');
    let now = 0;
    clock.mockImplementation(() => {
      now += 5;
      return now;
    });
    try {
      const response = await slow.get(`${await slow.save(piece)}/grep?q=needle`);
      const reader = response.body?.getReader();
      const seen: ArtifactGrepEvent[] = [];
      while (seen.length < 3) seen.push(...parse(new TextDecoder().decode((await reader?.read())?.value)));
      await reader?.cancel();
      expect(seen.every((each) => each.type === 'progress')).toBe(true);
      const places = seen.flatMap((each) => (each.type === 'progress' ? [each.searchedTo] : []));
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      expect(places.at(-1)).toBeGreaterThan(0);
    } finally {
      clock.mockRestore();
    }
  });

  test('reads no further than the client', async () => {
    const hits = new TextEncoder().encode('hit\n'.repeat(10));
    const watched = endless(new Uint8Array([...hits, ...piece]));
    const slow = artifactRoute(watched.store);
    const response = await slow.get(`${await slow.save('x')}/grep?q=hit`);
    const reader = response.body?.getReader();
    await reader?.read();
    const { reads } = watched;
    expect(reads).toBeLessThan(5);
    await new Promise((resolve) => setImmediate(resolve));
    expect(watched.reads).toBe(reads);
    await reader?.cancel();
  });

  test('ends, and cancels the store, when the client cancels', async () => {
    const watched = endless(piece);
    const route = artifactRoute(watched.store);
    const name = await route.save('x');
    const response = await route.get(`${name}/grep?q=needle`);
    const reader = response.body?.getReader();
    await reader?.read();
    // The client cancels while it awaits the next event, which will never arrive.
    const next = reader?.read();
    await reader?.cancel();
    await watched.cancelled;
    expect((await next)?.done).toBe(true);
    expect(route.errors).toEqual([]);
  });

  test('cancels a store that hangs', async () => {
    const watched = endless(new Uint8Array([...new TextEncoder().encode('hit\n'), ...piece, ...piece]), {
      stallsAfter: 1,
    });
    const route = artifactRoute(watched.store);
    const response = await route.get(`${await route.save('x')}/grep?q=hit`);
    const reader = response.body?.getReader();
    await reader?.read();
    const next = reader?.read();
    await reader?.cancel();
    await watched.cancelled;
    expect((await next)?.done).toBe(true);
  });

  test.each(['q=ERROR', 'q=ERROR&max=1', 'q=ERROR&from=9000', 'q=(&mode=regex', 'q=x&from=99999'])(
    'leaves no timer: %s',
    async (query) => {
      const name = await route.save(log);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        await (await route.get(`${name}/grep?${query}`)).text();
        expect(vi.getTimerCount()).toBe(0);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  test('ends, and cancels the store, when the client disconnects without a cancellation', async () => {
    const watched = endless(piece);
    const route = artifactRoute(watched.store);
    const name = await route.save('x');
    const gone = new AbortController();
    const response = await route.get(`${name}/grep?q=needle`, { signal: gone.signal });
    gone.abort();
    await watched.cancelled;
    await expect(response.text()).rejects.toThrow();
    expect(route.errors).toEqual([]);
  });

  test('ends after 20 seconds, and reports how far it got', async () => {
    const watched = endless(piece);
    const route = artifactRoute(watched.store);
    const name = await route.save('x');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const response = await route.get(`${name}/grep?q=needle`);
      const text = response.text();
      await vi.advanceTimersByTimeAsync(20_000);
      const end = parse(await text).at(-1);
      expect(end).toMatchObject({ type: 'end', ended: 'deadline', next: expect.any(String) });
      await watched.cancelled;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('ends with an error when it breaks off halfway, and reports the reason to the server', async () => {
    const store = memoryStore();
    const broken = artifactRoute({
      ...store,
      async get(key, options) {
        const stream = await store.get(key, options);
        if (key.endsWith('.info.json')) return stream;
        let isRead = false;
        return new ReadableStream({
          pull(controller) {
            if (isRead) return controller.error(new Error('secret disk'));
            isRead = true;
            controller.enqueue(new Uint8Array([...new TextEncoder().encode('hit\n'), ...piece, ...piece]));
          },
        });
      },
    });
    const all = await events(await broken.save('x'.repeat(1_000_000)), 'q=hit', broken);
    expect(found(all)).toEqual([1]);
    expect(all.at(-1)).toMatchObject({ type: 'error', error: { code: 'INTERNAL_ERROR' } });
    expect(JSON.stringify(all)).not.toContain('secret');
    expect(broken.errors.map(String)).toEqual(['Error: secret disk']);
  });
});

describe('clients that do not read their answers', () => {
  const lines = 'here\n'.repeat(20_000);

  test('do not block another search of the store', async () => {
    const over = artifactRoute();
    const name = await over.save(lines);
    const idle = await Promise.all(Array.from({ length: 40 }, () => over.get(`${name}/grep?q=here&max=1000`)));
    expect((await events(name, 'q=here&max=3', over)).at(-1)).toMatchObject({ type: 'end', ended: 'enough' });
    for (const response of idle) await response.body?.cancel();
  });

  test('hold their position in the artifact, and continue when they read', async () => {
    const over = artifactRoute();
    const name = await over.save(lines);
    const [first, ...others] = await Promise.all(
      Array.from({ length: 10 }, () => over.get(`${name}/grep?q=here&max=700`)),
    );
    expect(found(parse((await first?.text()) ?? ''))).toHaveLength(700);
    for (const response of others) expect(found(parse(await response.text()))).toHaveLength(700);
  });
});
