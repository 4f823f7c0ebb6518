import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { searchTurn } from '../search/search-turn.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { queryArtifact } from './query-artifact.ts';

const call = { toolName: 'fetch', toolCallId: 'call_1' };
let store = memoryStore();
let artifacts: Artifacts;

beforeEach(() => {
  store = memoryStore();
  artifacts = scopedArtifacts(store, { scope: 'chat-1' });
});

async function save(content: string | Uint8Array, over = artifacts): Promise<string> {
  return (await over.save(content, call)).path;
}

describe('a query of an artifact', () => {
  test('answers from its records, at the place that is named', async () => {
    const path = await save('{"a":[{"id":1}],"b":[{"id":2},{"id":3}]}');
    const query = { where: [{ field: 'id', op: 'gt', value: 2 }] };
    expect(await queryArtifact(artifacts, path, { at: ['b'], query })).toMatchObject({
      status: 'ok',
      rows: [{ id: 3 }],
      scanned: 2,
    });
  });

  test('searches with RE2, and refuses other expressions', async () => {
    const path = await save('[{"name":"Ada"},{"name":"Bob"}]');
    const ask = (value: string) =>
      queryArtifact(artifacts, path, { query: { where: [{ field: 'name', op: 'matches', value }] } });
    expect(await ask('^A\\w+$')).toMatchObject({ rows: [{ name: 'Ada' }] });
    expect(await ask('(?=A)')).toMatchObject({ status: 'refused', code: 'INVALID_PARAM' });
  });

  test('refuses bytes that are not text, after their beginning', async () => {
    const path = await save(new Uint8Array([0x89, 0x50, 0, 44, 10, 1, 44, 2]));
    await expect(queryArtifact(artifacts, path, { query: {} })).rejects.toMatchObject({ code: 'BINARY_FILE' });
  });

  test('accepts a NUL after the beginning', async () => {
    const path = await save('name,n');
    const chunks = ['name,n\nx,1\n', '\0,2\n'].map((text) => new TextEncoder().encode(text));
    vi.spyOn(artifacts, 'readStream').mockImplementation(async () => ReadableStream.from(chunks));
    expect(await queryArtifact(artifacts, path, { query: { select: ['n'] } })).toMatchObject({
      rows: [{ n: 1 }, { n: 2 }],
    });
  });

  test('reads nothing if its arguments are invalid', async () => {
    const path = await save('[{"id":1}]');
    const readStream = vi.spyOn(artifacts, 'readStream');
    const query = { where: [{ field: 'id', op: 'soundsLike', value: 1 }] };
    expect(await queryArtifact(artifacts, path, { query })).toMatchObject({ status: 'refused' });
    expect(readStream).not.toHaveBeenCalled();
  });

  test('rejects if there is no such artifact', async () => {
    const asked = queryArtifact(artifacts, 'tool-output/none.txt', { query: {} });
    await expect(asked).rejects.toMatchObject({ code: 'ARTIFACT_NOT_FOUND' });
  });
});

describe('the values of another artifact', () => {
  const where = (path: string, more: object = {}) => ({
    query: { where: [{ field: 'id', op: 'in', value: { path, field: 'ref', ...more } }] },
  });

  test('are found by its path or the random part of its name', async () => {
    const path = await save('[{"id":1},{"id":2},{"id":3}]');
    const other = await save('{"x":[{"ref":2}],"y":[{"ref":3}]}');
    for (const name of [other, other.slice(-20, -4)]) {
      const answer = await queryArtifact(artifacts, path, where(name, { at: ['y'] }));
      expect(answer).toMatchObject({ rows: [{ id: 3 }] });
    }
  });

  test('are never found in another scope', async () => {
    const path = await save('[{"id":1}]');
    const foreign = await save('[{"ref":1}]', scopedArtifacts(store, { scope: 'chat-2' }));
    await expect(queryArtifact(artifacts, path, where(foreign))).rejects.toMatchObject({ code: 'ARTIFACT_NOT_FOUND' });
    await expect(queryArtifact(artifacts, path, where('../../etc/passwd'))).rejects.toMatchObject({
      code: expect.stringMatching(/NOT_FOUND|ACCESS_DENIED|INVALID_PARAM/),
    });
  });
});

describe('a query among others', () => {
  test('waits for its turn, and is refused after 20 seconds', async () => {
    const path = await save('[{"id":1}]');
    const turns = Array.from({ length: 4 }, () => searchTurn(artifacts));
    const { signal } = new AbortController();
    await Promise.all(turns.map((turn) => turn.take(signal)));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const readStream = vi.spyOn(artifacts, 'readStream');
      const asked = queryArtifact(artifacts, path, { query: {} });
      await vi.advanceTimersByTimeAsync(19_900);
      expect(readStream).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(200);
      expect(await asked).toMatchObject({ status: 'refused' });
    } finally {
      vi.useRealTimers();
      for (const turn of turns) turn.end();
    }
    expect(await queryArtifact(artifacts, path, { query: {} })).toMatchObject({ status: 'ok' });
  });

  test('ends with the reason of its signal', async () => {
    const path = await save('[{"id":1}]');
    const controller = new AbortController();
    const readStream: Artifacts['readStream'] = () => {
      controller.abort(new Error('left'));
      return new Promise(() => {});
    };
    const asked = queryArtifact({ ...artifacts, readStream }, path, { query: {}, abortSignal: controller.signal });
    await expect(asked).rejects.toThrow('left');
  });
});
