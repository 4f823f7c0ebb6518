import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunkPoolOf } from '../stores/shared/chunk-pool.ts';
import { type ArtifactContent, toBytes } from './artifact-content.ts';

async function collect(content: ArtifactContent): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of toBytes(content, { onBytes: () => {} })) chunks.push(chunk);
  return chunks;
}

async function textOf(content: ArtifactContent): Promise<string> {
  return Buffer.concat(await collect(content)).toString();
}

describe('the bytes of a content', () => {
  test.each<[string, () => ArtifactContent]>([
    ['a string', () => 'aé日🙂'],
    ['bytes', () => new TextEncoder().encode('aé日🙂')],
    ['a list of chunks', () => ['aé', '', '日🙂']],
    ['a web stream', () => ReadableStream.from(['aé', '日🙂'])],
    ['a web stream of bytes', () => new Blob(['aé日🙂']).stream()],
    ['a Node stream of bytes', () => Readable.from([Buffer.from('aé'), Buffer.from('日🙂')])],
    ['a Node stream of text', () => Readable.from(['aé日', '🙂'])],
  ])('are the same for %s', async (_, content) => expect(await textOf(content())).toBe('aé日🙂'));

  test('join to the text however it is cut, even between two surrogates', async () => {
    const chunks = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '日', '\ud83d', '\ude42'), maxLength: 8 }));
    await fc.assert(
      fc.asyncProperty(chunks, async (parts) => {
        expect(await textOf(parts)).toBe(Buffer.from(parts.join('')).toString());
      }),
      { numRuns: 2000 },
    );
  });

  test('are plain bytes even for a Node Buffer, whose `slice` shares memory', async () => {
    const [chunk] = await collect(Buffer.from('text'));
    expect(chunk?.constructor).toBe(Uint8Array);
  });

  test('keep their order if text and bytes alternate', async () => {
    expect(await textOf(['a\ud83d', new Uint8Array([98]), 'c'])).toBe('a\ufffdbc');
  });

  test('arrive in chunks of 64 KiB and, for a large content, up to 1 MiB, for any chunks of the source', async () => {
    const chunks = await collect([...Array.from({ length: 100_000 }, () => 'tiny '), '日'.repeat(2_000_000)]);
    const sizes = chunks.slice(0, -1).map(({ length }) => Math.ceil(length / 1024));
    expect(sizes).toEqual([64, 128, 256, 512, 1024, 1024, 1024, 1024, 1024]);
    const large = new Uint8Array(5_000_000);
    expect((await collect(large)).map(({ length }) => length)).toEqual([1048576, 1048576, 1048576, 1048576, 805696]);
  });

  test('are not changed when the owner of a buffer fills it again', async () => {
    const buffer = new Uint8Array(3);
    function* reused() {
      for (const byte of [1, 2, 3]) yield buffer.fill(byte);
    }
    expect(Buffer.concat(await collect(reused()))).toEqual(Buffer.from([1, 1, 1, 2, 2, 2, 3, 3, 3]));
  });

  test('use the memory of a released chunk, and of no other', async () => {
    const body = toBytes('日'.repeat(2_000_000), { onBytes: () => {} });
    const buffers: ArrayBuffer[] = [];
    for await (const chunk of body) {
      buffers.push(chunk.buffer);
      // Twice, because a store may do so. It is used only once.
      if (buffers.length === 5) for (let time = 0; time < 2; time++) chunkPoolOf(body)?.giveBack(chunk);
      if (buffers.length === 6) chunkPoolOf(body)?.giveBack(new Uint8Array(chunk.length));
    }
    const sameAs = buffers.map((buffer) => buffers.indexOf(buffer));
    expect(sameAs).toEqual([0, 1, 2, 3, 4, 4, 6, 7, 8]);
  });

  test('never use the memory of the content to be saved', async () => {
    const content = new Uint8Array(3 * 1024 * 1024);
    const body = toBytes(content, { onBytes: () => {} });
    for await (const chunk of body) {
      expect(chunk.buffer).toBe(content.buffer);
      chunkPoolOf(body)?.giveBack(chunk);
    }
    expect(content.byteLength).toBe(3 * 1024 * 1024);
  });

  test('are refused when a chunk is neither text nor bytes', async () => {
    await expect(collect(Readable.from([{ line: 1 }]))).rejects.toThrow(
      '`content` must be a string, bytes, or a stream',
    );
    await expect(collect([null] as never)).rejects.toThrow('`content` must be');
  });
});
