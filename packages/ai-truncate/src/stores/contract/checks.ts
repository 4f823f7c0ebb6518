import type { ArtifactStore, CallOptions, GetOptions, ListOptions, PutOptions, StoreBody } from '../artifact-store.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A folder of the store that only this case uses, with the steps of the case. Names of values do not include the folder. */
export class Place {
  readonly store: ArtifactStore;
  readonly folder: string;

  constructor(store: ArtifactStore, folder: string = newFolder()) {
    this.store = store;
    this.folder = folder;
  }

  key(name: string): string {
    return `${this.folder}/${name}`;
  }

  put(name: string, value: Bytes | StoreBody, options: Partial<PutOptions> = {}): Promise<void> {
    const body = value instanceof Uint8Array ? inChunks([value]) : value;
    return this.store.put(this.key(name), body, { contentType: 'application/octet-stream', ...options });
  }

  /** Puts a value of one byte under each name. */
  async putEach(names: readonly string[]): Promise<void> {
    for (const name of names) await this.put(name, Uint8Array.of(1));
  }

  async get(name: string, options?: GetOptions): Promise<Uint8Array | undefined> {
    const stream = await this.store.get(this.key(name), options);
    return stream && new Uint8Array(await new Response(stream).arrayBuffer());
  }

  delete(names: readonly string[], options?: CallOptions): Promise<void> {
    return this.store.delete(
      names.map((name) => this.key(name)),
      options,
    );
  }

  /** The names in a listing of the folder, in its order. */
  async names(options?: ListOptions): Promise<string[]> {
    const keys = await keysOf(this.store, `${this.folder}/`, options);
    return keys.map((key) => key.slice(this.folder.length + 1));
  }

  async clear(): Promise<void> {
    const names = await this.names();
    for (let from = 0; from < names.length; from += 1000) await this.delete(names.slice(from, from + 1000));
  }

  /** Stores the bytes and expects to read the same bytes. */
  async keeps(bytes: Bytes, { body, ...options }: Partial<PutOptions> & { body?: StoreBody } = {}): Promise<void> {
    await this.put('a.bin', body ?? bytes, options);
    expectEqual((await this.store.head(this.key('a.bin')))?.bytes, bytes.length);
    await this.expectBytes('a.bin', bytes);
  }

  async expectBytes(name: string, expected: Uint8Array, range?: GetOptions): Promise<void> {
    expectSame(await this.get(name, range), expected);
  }

  async expectNames(names: readonly string[], options?: ListOptions): Promise<void> {
    expectEqual((await this.names(options)).join(), names.join());
  }

  /** Expects that the folder is empty and that the name does not exist. */
  async expectNothing(name: string): Promise<void> {
    await this.expectNames([]);
    expectEqual(await this.store.head(this.key(name)), undefined);
  }
}

function newFolder(): string {
  return `contract-${Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

export async function keysOf(store: ArtifactStore, prefix: string, options?: ListOptions): Promise<string[]> {
  const keys: string[] = [];
  for await (const entry of store.list(prefix, options)) {
    expectTrue(
      entry.bytes >= 0 && entry.writtenAt instanceof Date,
      `\`${entry.key}\` is listed without its size or time`,
    );
    keys.push(entry.key);
  }
  return keys;
}

async function* inChunks(chunks: Iterable<Bytes>): AsyncGenerator<Bytes> {
  yield* chunks;
}

/** Slow chunks that grow from one byte to 300 KB. */
export async function* inUnevenChunks(bytes: Bytes): AsyncGenerator<Bytes> {
  let size = 1;
  for (let from = 0; from < bytes.length; from += size, size = Math.min(size * 2 + 1, 300_000)) {
    await turn();
    yield bytes.slice(from, from + size);
  }
}

/** Endless, unless `before` throws. */
export async function* endless(before: (chunks: number) => void): AsyncGenerator<Bytes> {
  for (let chunks = 0; ; chunks++) {
    before(chunks);
    yield pseudoRandomBytes(200_000);
    await turn();
  }
}

export function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

/** Bytes without a pattern, the same in every run. */
export function pseudoRandomBytes(length: number): Bytes {
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

export function expectSame(actual: Uint8Array | undefined, expected: Uint8Array): void {
  expectTrue(actual !== undefined, `expected ${expected.length} bytes, got nothing`);
  expectEqual(actual.length, expected.length);
  const differs = actual.findIndex((byte, index) => byte !== expected[index]);
  expectTrue(differs === -1, `byte ${differs} of ${expected.length} differs`);
}

/** Returns the reason of the rejection. */
export async function expectRejection(promise: Promise<unknown>, what = 'the call'): Promise<unknown> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  expectTrue(outcome !== undefined, `${what} was accepted instead of rejected`);
  return outcome.error;
}
