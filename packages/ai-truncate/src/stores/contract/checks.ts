import type { ArtifactStore, ListOptions, PutOptions, StoreBody, StoredEntry } from '../artifact-store.ts';

export async function deleteFolder(store: ArtifactStore, folder: string): Promise<void> {
  const keys = await keysOf(store, `${folder}/`);
  for (let from = 0; from < keys.length; from += 1000) await store.delete(keys.slice(from, from + 1000));
}

export function put(
  store: ArtifactStore,
  key: string,
  value: Uint8Array<ArrayBuffer> | StoreBody,
  { contentType = 'application/octet-stream', signal }: Partial<PutOptions> = {},
): Promise<void> {
  const body = value instanceof Uint8Array ? chunks(value) : value;
  return store.put(key, body, { contentType, signal });
}

/** Puts values of one byte under names in the folder; gives their keys. */
export async function putEach(store: ArtifactStore, folder: string, names: readonly string[]): Promise<string[]> {
  const keys = names.map((name) => `${folder}/${name}.txt`);
  for (const key of keys) await put(store, key, Uint8Array.of(1));
  return keys;
}

export async function read(
  store: ArtifactStore,
  key: string,
  range?: { start?: number; end?: number },
): Promise<Uint8Array | undefined> {
  const stream = await store.get(key, range);
  return stream && new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function listed(store: ArtifactStore, prefix: string, options?: ListOptions): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = [];
  for await (const entry of store.list(prefix, options)) entries.push(entry);
  return entries;
}

export async function keysOf(store: ArtifactStore, prefix: string): Promise<string[]> {
  return (await listed(store, prefix)).map((entry) => entry.key);
}

async function* chunks(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield bytes;
}

export async function* inUnevenChunks(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let size = 1;
  for (let from = 0; from < bytes.length; from += size, size = Math.min(size * 2 + 1, 300_000)) {
    yield bytes.slice(from, from + size);
  }
}

export async function* slowly(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let from = 0; from < bytes.length; from += 100_000) {
    await turn();
    yield bytes.slice(from, from + 100_000);
  }
}

export async function* failing(failure: Error): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield pseudoRandomBytes(200_000);
  await turn();
  throw failure;
}

/** Endless, but it ends with the signal, as the bodies that a store is given do. */
export async function* untilAborted({ signal }: AbortController): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  while (true) {
    signal.throwIfAborted();
    yield new Uint8Array(1000);
    await turn();
  }
}

export function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

/** Bytes without a pattern, the same in every run. */
export function pseudoRandomBytes(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let state = length + 1;
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}

export function expectTrue(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise);
}

export function expectEqual(actual: unknown, expected: unknown): void {
  expectTrue(actual === expected, `expected ${String(expected).slice(0, 500)}, got ${String(actual).slice(0, 500)}`);
}

export function expectBytes(actual: Uint8Array | undefined, expected: Uint8Array): void {
  expectTrue(actual !== undefined, `expected ${expected.length} bytes, got nothing`);
  expectEqual(actual.length, expected.length);
  const differs = actual.findIndex((byte, index) => byte !== expected[index]);
  expectTrue(differs === -1, `byte ${differs} of ${expected.length} differs`);
}

export async function expectNothing(store: ArtifactStore, folder: string): Promise<void> {
  expectEqual((await keysOf(store, `${folder}/`)).join(), '');
  for (const name of ['a.bin', 'a.txt']) expectEqual(await store.head(`${folder}/${name}`), undefined);
}

/** The reason, once the promise has rejected. */
export async function expectRejection(promise: Promise<unknown>, what = 'the call'): Promise<unknown> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  expectTrue(outcome !== undefined, `${what} was accepted instead of rejected`);
  return outcome.error;
}

/** Keys that could leave the place of a store, or that two stores would read differently. */
export function hostileKeys(folder: string): string[] {
  return [
    '',
    'a',
    '../a.txt',
    `${folder}/../a.txt`,
    '/etc/passwd',
    'https://example.com/a.txt',
    `${folder}/`,
    `${folder}//a.txt`,
    `${folder}/.a`,
    `${folder}/a\\b`,
    `${folder}/A.txt`,
    `${folder}/a\0.txt`,
    `${folder}/é.txt`,
    `${folder}/b/c.txt`,
  ];
}
