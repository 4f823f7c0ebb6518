import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { longestTurnOf } from '../../fixtures/longest-turn.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { isTruncatedOutput, type TruncatedOutput } from '../protocol/truncated-output.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { filesystemStore } from '../stores/filesystem/filesystem-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateOutput } from '../tools/truncate-output.ts';

const call = { scope: 'chat-1', toolName: 'read', toolCallId: 'call_1' };
const smile = Buffer.from('🙂');

type Chunks = (string | Uint8Array)[];

function bound(stream: unknown, { store = memoryStore(), maxBytes = 1024 } = {}): Promise<unknown> {
  return truncateOutput(stream, { ...call, store, maxBytes });
}

async function truncated(chunks: Chunks, options?: Parameters<typeof bound>[1]): Promise<TruncatedOutput> {
  return requireTruncated(await bound(ReadableStream.from(chunks), options));
}

function requireTruncated(result: unknown): TruncatedOutput {
  if (!isTruncatedOutput(result)) throw new Error(`not truncated: ${String(result).slice(0, 100)}`);
  return result;
}

async function kept(store: ArtifactStore, { data }: TruncatedOutput): Promise<Uint8Array> {
  const path = data.truncation.full_output_path;
  if (path === null) throw new Error('not kept');
  return new Response(await scopedArtifacts(store, { scope: call.scope }).readStream(path)).bytes();
}

describe('a stream', () => {
  test('is measured and counted correctly if its chunks split pairs', async () => {
    const emoji = '🙂'.repeat(256);
    expect(await bound(ReadableStream.from(emoji.split('')))).toBe(emoji);
    const { data } = await truncated(`${emoji}🙂`.split(''));
    expect(data.truncation).toMatchObject({ original_bytes: 1028, original_chars: 514 });
  });

  test('that is not text is measured as the model sees it, and counted as it is saved', async () => {
    const noText = (bytes: number): Chunks => [new Uint8Array(bytes).fill(0x80)];
    expect(await bound(ReadableStream.from(noText(1000)), { maxBytes: 3000 })).toBe('\ufffd'.repeat(1000));
    const { data } = await truncated(noText(1001), { maxBytes: 3000 });
    expect(data.truncation).toMatchObject({ reason: 'bytes', original_bytes: 1001, original_chars: 1001 });
  });

  test.each<[string, Chunks]>([
    ['half a pair', ['x'.repeat(1022), '\ud83d']],
    ['half a pair before bytes', ['x'.repeat(1021), '\ud83d', Buffer.from('x')]],
    ['half a character', [Buffer.from('x'.repeat(1022)), smile.subarray(0, 2)]],
    ['half a character after half a pair', ['x'.repeat(1018), '\ud83d', smile.subarray(0, 2), '\ude42']],
  ])('is over a limit only because of its end: %s', async (_, chunks) => {
    const store = memoryStore();
    const result = await truncated(chunks, { store });
    expect(result.data.truncation.original_bytes).toBe((await kept(store, result)).length);
  });

  test.each<[string, Chunks]>([
    ['bytes inside a pair', ['\ud83d', smile.subarray(0, 2), '\ude42', smile.subarray(2)]],
    ['text inside a character of bytes', [smile.subarray(0, 2), 'abc', smile.subarray(2), 'end']],
    ['an empty chunk inside both', [smile.subarray(0, 2), new Uint8Array(), smile.subarray(2), '\ud83d', '', '\ude42']],
  ])('that mixes text and bytes is read and counted as it is saved: %s', async (_, chunks) => {
    const store = memoryStore();
    const result = await truncated(['x'.repeat(1500), ...chunks], { store });
    const bytes = await kept(store, result);
    const text = new TextDecoder().decode(bytes);
    expect(result.data.truncation).toMatchObject({ original_bytes: bytes.length, original_chars: text.length });
    expect(result.data.preview.slice(-8)).toBe(text.slice(-8));
  });
});

describe('a chunk of 40 MB', () => {
  test.each<[string, (buffer: ArrayBuffer) => unknown]>([
    ['an ArrayBuffer', (buffer) => buffer],
    ['a DataView', (buffer) => new DataView(buffer)],
    ['a Uint8Array', (buffer) => new Uint8Array(buffer)],
  ])('does not block the event loop, even if it is not saved: %s', async (_, toChunk) => {
    const buffer = new Uint8Array(40_000_000).fill(97).buffer;
    const broken: ArtifactStore = { ...memoryStore(), put: () => Promise.reject(new Error('no space left')) };
    const longestMs = await longestTurnOf(() => bound(ReadableStream.from([toChunk(buffer)]), { store: broken }));
    expect(longestMs).toBeLessThan(80);
  });
});

describe('a stream whose source reuses its buffer', () => {
  const PIECE_BYTES = 600;
  const whole = Buffer.concat(
    Array.from({ length: 40 }, (_, line) => Buffer.alloc(PIECE_BYTES, `line ${line} of it\n`)),
  );

  let home = '';
  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'deliver-stream-')));
  });
  afterEach(() => rm(home, { recursive: true }));

  function* refilled(buffer: Uint8Array): Generator<Uint8Array> {
    for (let at = 0; at < whole.length; at += PIECE_BYTES) {
      buffer.set(whole.subarray(at, at + PIECE_BYTES));
      yield buffer;
    }
  }

  function* viewsOf(pieces: Iterable<Uint8Array>): Generator<DataView> {
    // Each view is a part of a larger buffer.
    const larger = new Uint8Array(PIECE_BYTES + 20);
    for (const piece of pieces) {
      larger.fill(33).set(piece, 10);
      yield new DataView(larger.buffer, 10, piece.length);
    }
  }

  async function* refilledLater(buffer: Uint8Array): AsyncGenerator<Uint8Array> {
    for (const piece of refilled(buffer)) {
      yield piece;
      await null;
    }
  }

  function pulled(buffer: Uint8Array): ReadableStream<Uint8Array> {
    const source = refilled(buffer);
    const pull = (stream: ReadableStreamDefaultController<Uint8Array>): void => {
      const { value, done } = source.next();
      if (done) stream.close();
      else stream.enqueue(value);
    };
    // Without a queue, because the source would overwrite chunks that wait in it.
    return new ReadableStream({ pull }, { highWaterMark: 0 });
  }

  test.each<[string, (buffer: Uint8Array) => unknown]>([
    ['a generator of views', (buffer) => ReadableStream.from(viewsOf(refilled(buffer)))],
    ['a generator', (buffer) => ReadableStream.from(refilled(buffer))],
    ['an async generator', (buffer) => ReadableStream.from(refilledLater(buffer))],
    ['a stream that is pulled', pulled],
    ['a Node stream', (buffer) => Readable.from(refilledLater(buffer), { highWaterMark: 0 })],
  ])('is saved unchanged, before and after the limit: %s', async (_, toStream) => {
    for (const store of [memoryStore(), filesystemStore({ directory: join(home, 'tool-output') })]) {
      for (const buffer of [new Uint8Array(PIECE_BYTES), Buffer.alloc(PIECE_BYTES)]) {
        const result = requireTruncated(await bound(toStream(buffer), { store, maxBytes: 5000 }));
        expect(Buffer.compare(await kept(store, result), whole)).toBe(0);
      }
    }
  });
});
