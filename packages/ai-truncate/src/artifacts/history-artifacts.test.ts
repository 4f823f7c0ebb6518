import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { notingStore } from '../../fixtures/long-conversation.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import type { Artifacts } from './artifacts.ts';
import { nameContent, openHistory } from './history-artifacts.ts';
import { scopedArtifacts } from './scoped-artifacts.ts';
import { DAY_MS, sweepArtifacts } from './sweep-artifacts.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const { signal } = new AbortController();
const save = { replacesExpiring: false, signal };

function contentOf(text: string, toolCallId = 'call_1') {
  return nameContent({ toolName: 'readPage', toolCallId, chunks: [text], isValue: false, redacted: {} });
}

async function saveAll(store: ArtifactStore, texts: readonly string[]): Promise<string[]> {
  const history = await openHistory({ store, scope: 'chat-1' });
  const names: string[] = [];
  for (const [index, text] of texts.entries()) {
    const content = await contentOf(text, `call_${index}`);
    await history.save(content, save);
    names.push(content.name);
  }
  return names;
}

async function namesOf(artifacts: Artifacts, cursor?: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of artifacts.list({ cursor })) names.push(name);
  return names;
}

describe('the name of a content', () => {
  test('is the same for the same text, however it is cut into chunks', async () => {
    const text = '\ud83d\ude00 a long text\n'.repeat(20_000);
    const whole = await contentOf(text);
    for (const size of [1000, 65_536, 65_537, 99_999]) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      );
      const cut = await nameContent({
        toolName: 'readPage',
        toolCallId: 'call_1',
        chunks,
        isValue: false,
        redacted: {},
      });
      expect([cut.name, cut.bytes]).toEqual([whole.name, whole.bytes]);
    }
    expect(whole.bytes).toBe(Buffer.byteLength(text));
  });

  test('differs for another text, also in its last character', async () => {
    const names = await Promise.all(
      ['', 'a', 'b', 'x'.repeat(70_000), `${'x'.repeat(70_000)}y`].map((text) => contentOf(text)),
    );
    expect(new Set(names.map(({ name }) => name)).size).toBe(5);
  });
});

describe('results that left a conversation', () => {
  test('are artifacts like others: listed, read by their random part, counted and deleted', async () => {
    const store = memoryStore();
    const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
    const [name = ''] = await saveAll(store, ['line 1\nline 2\n']);
    expect(await artifacts.info(name.slice(-20, -4))).toMatchObject({
      ...{ name, path: `tool-output/${name}`, tool: 'read-page', toolName: 'readPage', toolCallId: 'call_0' },
      ...{ bytes: 14, lines: 3, mediaType: 'text/plain' },
    });
    expect(await namesOf(artifacts)).toEqual([name]);
    expect(await artifacts.usage()).toEqual({ count: 1, bytes: 14 });
    expect(await artifacts.delete(name)).toBe(true);
    expect(await namesOf(artifacts)).toEqual([]);
  });

  test('are listed by the time of their write among all others, and a cursor continues between them', async () => {
    const store = memoryStore();
    const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
    const saved: string[] = [];
    for (let index = 0; index < 12; index++) {
      vi.advanceTimersByTime(1000);
      if (index % 3 === 0) {
        const { name } = await artifacts.save(`output ${index}`, { toolName: 'read', toolCallId: `call_${index}` });
        saved.unshift(name);
      } else saved.unshift(...(await saveAll(store, [`result ${index}`])));
    }
    expect(await namesOf(artifacts)).toEqual(saved);
    const seen: string[] = [];
    for await (const { name, cursor } of artifacts.list()) {
      seen.push(name);
      expect(await namesOf(artifacts, cursor)).toEqual(saved.slice(seen.length));
    }
  });

  test('are all listed, however many there are', async () => {
    const store = memoryStore();
    const texts = Array.from({ length: 2500 }, (_, index) => `result ${index}`);
    const names = await saveAll(store, texts);
    const listed = await namesOf(scopedArtifacts(store, { scope: 'chat-1' }));
    expect(listed).toHaveLength(2500);
    expect(new Set(listed)).toEqual(new Set(names));
  });

  test('need one listing for their existence, whatever their number', async () => {
    const noting = notingStore(memoryStore());
    const names = await saveAll(
      noting.store,
      Array.from({ length: 50 }, (_, index) => `result ${index}`),
    );
    const history = await openHistory({ store: noting.store, scope: 'chat-1' });
    noting.requests.length = 0;
    const found = await history.find([...names, 'history_a_b_0000000000000000.txt'], signal);
    expect([...found.keys()].sort()).toEqual([...names].sort());
    expect(noting.requests).toEqual(['list']);
  });

  test('are not found in the scope of another owner', async () => {
    const store = memoryStore();
    const names = await saveAll(store, ['secret']);
    const other = await openHistory({ store, scope: 'chat-2' });
    expect((await other.find(names, signal)).size).toBe(0);
  });

  test('are swept when they are older than the retention', async () => {
    const store = memoryStore();
    await saveAll(store, ['old']);
    vi.advanceTimersByTime(6.9 * DAY_MS);
    expect(await sweepArtifacts(store)).toMatchObject({ examined: 1, deletedArtifacts: 0 });
    vi.advanceTimersByTime(0.2 * DAY_MS);
    expect(await sweepArtifacts(store)).toMatchObject({ examined: 1, deletedArtifacts: 1 });
  });

  test('fail when the store says that a body was written which it did not read', async () => {
    const store = memoryStore();
    const history = await openHistory({ store: { ...store, put: async () => {} }, scope: 'chat-1' });
    await expect(history.save(await contentOf('text'), save)).rejects.toMatchObject({ code: 'INCOMPLETE_WRITE' });
  });

  test('fail when their key holds something else', async () => {
    const store = memoryStore();
    const content = await contentOf('text');
    await store.put(`chat-1/${content.name}`, once('another text'), { contentType: 'text/plain' });
    const history = await openHistory({ store, scope: 'chat-1' });
    await expect(history.save(content, save)).rejects.toMatchObject({ code: 'KEY_EXISTS' });
  });

  test('fail when they are larger than an artifact may be', async () => {
    const history = await openHistory({ store: memoryStore(), scope: 'chat-1', maxArtifactBytes: 3 });
    await expect(history.save(await contentOf('text'), save)).rejects.toMatchObject({ code: 'ARTIFACT_TOO_LARGE' });
  });
});

async function* once(text: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield new TextEncoder().encode(text);
}
