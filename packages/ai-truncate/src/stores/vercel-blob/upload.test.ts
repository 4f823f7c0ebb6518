import { describe, expect, test, vi } from 'vitest';
import { KeyExistsError } from '../artifact-store.ts';
import type { BlobClient, CallBlob } from './client.ts';
import { uploadBody } from './upload.ts';

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const PART = 8 * 1024 * 1024;
const target = { key: 'a/b.txt', pathname: 'all/a/b.txt', contentType: 'text/plain' };

/** The part of the client that an upload uses, over one value in memory. */
function fakeClient(changed: Partial<Record<keyof BlobClient, unknown>> = {}) {
  const stored: { value?: Blob } = {};
  const parts: Blob[] = [];
  const calls: string[] = [];
  let underWay = 0;
  let most = 0;
  const found = () => stored.value && { pathname: target.pathname, size: stored.value.size, etag: 'tag' };
  class BlobNotFoundError extends Error {}
  const client = {
    BlobNotFoundError,
    async put(pathname: string, value: Blob) {
      calls.push(`put ${pathname} ${value.size}`);
      stored.value = value;
    },
    async head() {
      calls.push('head');
      if (!stored.value) throw new BlobNotFoundError('none');
      return found();
    },
    async get() {
      calls.push('get');
      return stored.value && { stream: stored.value.stream(), blob: found() };
    },
    async del(_: string, { ifMatch }: { ifMatch: string }) {
      calls.push(`del ${ifMatch}`);
      delete stored.value;
    },
    async createMultipartUpload() {
      calls.push('create');
      return { key: 'k', uploadId: 'u' };
    },
    async uploadPart(_: string, part: Blob, { partNumber }: { partNumber: number }) {
      most = Math.max(most, ++underWay);
      // Later parts arrive before earlier ones.
      await new Promise((resolve) => setTimeout(resolve, partNumber === 1 ? 5 : 0));
      underWay--;
      parts[partNumber - 1] = part;
      return { partNumber, etag: `etag-${partNumber}` };
    },
    async completeMultipartUpload(_: string, sent: { etag: string }[]) {
      calls.push(`complete ${sent.map(({ etag }) => etag).join()}`);
      stored.value = new Blob(parts);
    },
    ...changed,
  };
  const callBlob: CallBlob = (send, { signal }) => {
    const abortSignal = signal ?? new AbortController().signal;
    return send(client as never, { abortSignal });
  };
  return { callBlob, calls, parts, stored, most: () => most };
}

async function* chunks(...sizes: number[]): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (const [index, size] of sizes.entries()) yield new Uint8Array(size).fill(index + 1);
}

/** 40 MB and a byte, which are too much for one request, from the same memory. */
async function* large(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let part = 0; part < 5; part++) yield zeros;
  yield zeros.subarray(0, 1);
}

const zeros = new Uint8Array(PART);

const exists = () => Promise.reject(new Error('This blob already exists, use `allowOverwrite: true`'));

describe('a value of at most 32 MB', () => {
  test.each([[[]], [[1]], [[3, 0, 5]], [[3, PART]], [[4 * PART]]])(
    'is sent in one request: chunks of %j bytes',
    async (sizes) => {
      const { callBlob, calls, stored } = fakeClient();
      await uploadBody(callBlob, { ...target, body: chunks(...sizes) });
      const total = sizes.reduce((sum, size) => sum + size, 0);
      expect(calls).toEqual([`put all/a/b.txt ${total}`]);
      const expected = await new Blob(await collect(chunks(...sizes))).bytes();
      expect(Buffer.compare((await stored.value?.bytes()) ?? new Uint8Array(), expected)).toBe(0);
    },
  );

  test('is refused if the key is taken, and the other value stays', async () => {
    const { callBlob, calls } = fakeClient({ put: exists });
    await expect(uploadBody(callBlob, { ...target, body: chunks(1) })).rejects.toBeInstanceOf(KeyExistsError);
    expect(calls).toEqual([]);
  });

  test('counts as written if only the answer was lost', async () => {
    const value = new Blob(await collect(chunks(3, 4)));
    const { callBlob, calls, stored } = fakeClient({ put: () => Promise.reject(new Error('connection lost')) });
    stored.value = value;
    await uploadBody(callBlob, { ...target, body: chunks(3, 4) });
    expect(calls).toEqual(['get']);
  });

  test.each([
    ['is longer', [3, 4, 1]],
    ['is shorter', [3]],
    ['has other bytes', [4, 3]],
  ])('is not mistaken for a value that %s', async (_, sizes) => {
    const error = new Error('connection lost');
    const { callBlob, stored } = fakeClient({ put: () => Promise.reject(error) });
    stored.value = new Blob(await collect(chunks(...sizes)));
    await expect(uploadBody(callBlob, { ...target, body: chunks(3, 4) })).rejects.toBe(error);
    expect(stored.value).toBeDefined();
  });

  test('is removed if the caller aborted, as far as it was stored', async () => {
    const controller = new AbortController();
    const client = fakeClient({
      put: async (_: string, value: Blob) => {
        client.stored.value = value;
        controller.abort(new Error('left'));
        throw new Error('aborted');
      },
    });
    const uploading = uploadBody(client.callBlob, { ...target, body: chunks(3), signal: controller.signal });
    await expect(uploading).rejects.toThrow('left');
    await vi.waitFor(() => expect(client.stored.value).toBeUndefined());
    expect(client.calls).toContain('del tag');
  });
});

describe('a larger value', () => {
  const sizes = [4 * PART, PART, 5];

  test('is sent in parts of 8 MB, in their order, at most three at once', async () => {
    const { callBlob, calls, parts, stored, most } = fakeClient();
    await uploadBody(callBlob, { ...target, body: chunks(...sizes) });
    expect(parts.map(({ size }) => size)).toEqual([PART, PART, PART, PART, PART, 5]);
    expect(calls).toEqual(['head', 'create', `complete ${parts.map((_, at) => `etag-${at + 1}`).join()}`]);
    expect(most()).toBe(3);
    const expected = await new Blob(await collect(chunks(...sizes))).bytes();
    expect(Buffer.compare((await stored.value?.bytes()) ?? new Uint8Array(), expected)).toBe(0);
  });

  test('is refused before it is sent if the key is taken', async () => {
    const { callBlob, calls, stored } = fakeClient();
    stored.value = new Blob(['theirs']);
    await expect(uploadBody(callBlob, { ...target, body: large() })).rejects.toBeInstanceOf(KeyExistsError);
    expect(calls).toEqual(['head']);
  });

  test('is not completed if one part fails, and no further part is requested', async () => {
    const failure = new Error('no connection');
    let closed = false;
    async function* body() {
      try {
        for (;;) yield zeros;
      } finally {
        closed = true;
      }
    }
    let sent = 0;
    const uploadPart = async () => {
      if (++sent === 5) throw failure;
      return { partNumber: sent, etag: 'x' };
    };
    const { callBlob, calls } = fakeClient({ uploadPart });
    await expect(uploadBody(callBlob, { ...target, body: body() })).rejects.toBe(failure);
    expect(calls).toEqual(['head', 'create']);
    await vi.waitFor(() => expect(closed).toBe(true));
    expect(sent).toBeLessThanOrEqual(8);
  });

  test('ends the parts that are under way if one fails', async () => {
    let stopped = 0;
    const uploadPart = (
      _: string,
      __: Blob,
      { partNumber, abortSignal }: { partNumber: number; abortSignal: AbortSignal },
    ) => {
      if (partNumber === 3) return Promise.reject(new Error('no connection'));
      return new Promise((_, reject) => {
        abortSignal.addEventListener('abort', () => {
          stopped++;
          reject(abortSignal.reason);
        });
      });
    };
    const { callBlob } = fakeClient({ uploadPart });
    await expect(uploadBody(callBlob, { ...target, body: large() })).rejects.toThrow('no connection');
    expect(stopped).toBe(2);
  });

  test.each([
    ['counts as written if only the last answer was lost', 0, true],
    ['is not mistaken for a value of another size', 1, false],
  ])('%s', async (_, more, isOwn) => {
    const client = fakeClient({
      completeMultipartUpload: async () => {
        client.stored.value = new Blob([...client.parts, new Uint8Array(more)]);
        throw new Error('connection lost');
      },
    });
    const uploading = uploadBody(client.callBlob, { ...target, body: large() });
    if (isOwn) await uploading;
    else await expect(uploading).rejects.toThrow('connection lost');
    expect(client.stored.value).toBeDefined();
  });
});

test('a source that fails is closed, and its error is the error of the upload', async () => {
  const failure = new Error('the tool failed');
  async function* body() {
    yield new Uint8Array(10);
    throw failure;
  }
  const { callBlob, calls } = fakeClient();
  await expect(uploadBody(callBlob, { ...target, body: body() })).rejects.toBe(failure);
  expect(calls).toEqual([]);
});
