import { beforeEach, expect, test, vi } from 'vitest';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { createArtifactTools } from './create-artifact-tools.ts';
import { type ArtifactMatch, type ScopedArtifacts, searchableArtifacts } from './searchable-artifacts.ts';

let store: ArtifactStore;
let artifacts: ScopedArtifacts;
beforeEach(() => {
  store = memoryStore();
  artifacts = searchableArtifacts(store, { scope: 'chat-1' });
});

let calls = 0;
async function save(content: string | Uint8Array, mediaType = 'text/plain'): Promise<string> {
  const saved = { toolName: 'readLogs', toolCallId: `call_${calls++}`, mediaType };
  return (await artifacts.save(content as string, saved)).path;
}

async function all(matches: AsyncIterable<ArtifactMatch>): Promise<ArtifactMatch[]> {
  const found: ArtifactMatch[] = [];
  for await (const match of matches) found.push(match);
  return found;
}

const log = (lines: number, every: number) =>
  Array.from({ length: lines }, (_, index) => (index % every === 0 ? `ERROR ${index}` : `ok ${index}`)).join('\n');

test('grep yields every match of an artifact, with the lines around it', async () => {
  const path = await save('a\nERROR disk full\nb\nc');
  expect(await all(artifacts.grep('ERROR', { path, before: 1, after: 1 }))).toEqual([
    { path, line: 2, text: 'ERROR disk full', before: ['a'], after: ['b'] },
  ]);
  expect(await all(artifacts.grep('DISK.', { path }))).toEqual([]);
  expect(await all(artifacts.grep('DISK', { path, ignoreCase: true }))).toHaveLength(1);
  expect(await all(artifacts.grep('.', { path, literal: true }))).toEqual([]);
});

test('grep continues beyond the page of one search', async () => {
  const path = await save(log(30_000, 10));
  const found = await all(artifacts.grep('^ERROR', { path }));
  expect(found.map(({ line }) => line)).toEqual(Array.from({ length: 3000 }, (_, index) => index * 10 + 1));
});

test('grep without a path reaches every artifact of the scope and no other, beyond the newest 100', async () => {
  const paths: string[] = [];
  for (let index = 0; index < 250; index++) paths.push(await save(`needle ${index}`));
  await searchableArtifacts(store, { scope: 'chat-2' }).save('needle of another owner', {
    toolName: 't',
    toolCallId: 'c',
  });
  const found = await all(artifacts.grep('needle'));
  expect(found.map(({ path }) => path).sort()).toEqual(paths.sort());
});

test('grep reads no further than its loop', async () => {
  for (let index = 0; index < 250; index++) await save('needle');
  const get = vi.spyOn(store, 'get');
  for await (const _ of artifacts.grep('needle')) break;
  expect(get.mock.calls.length).toBeLessThanOrEqual(300);
});

test('grep skips artifacts that are not text unless they are named, and never mistakes a failure for "no matches"', async () => {
  const binary = await save(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]), 'image/png');
  const text = await save('needle');
  expect((await all(artifacts.grep('needle'))).map(({ path }) => path)).toEqual([text]);
  await expect(all(artifacts.grep('needle', { path: binary }))).rejects.toMatchObject({ code: 'ARTIFACT_UNREADABLE' });
  await artifacts.delete(text);
  await expect(all(artifacts.grep('needle', { path: text }))).rejects.toMatchObject({ code: 'ARTIFACT_NOT_FOUND' });
  await save('needle');
  vi.spyOn(store, 'get').mockRejectedValue(Object.assign(new Error('EIO'), { code: 'EIO' }));
  await expect(all(artifacts.grep('needle'))).rejects.toThrow('EIO');
});

test('grep refuses a wrong pattern and a misspelt option', async () => {
  await expect(all(artifacts.grep('(?=a)'))).rejects.toMatchObject({ code: 'INVALID_OPTION', option: 'pattern' });
  await expect(all(artifacts.grep('a', { before: 21, path: await save('a') }))).rejects.toThrow('`before`');
  expect(() => artifacts.grep('a', { ignorecase: true } as never)).toThrow('Did you mean `ignoreCase`?');
});

test('grep ends with the reason of its signal', async () => {
  await save(log(1000, 2));
  const controller = new AbortController();
  const search = async () => {
    for await (const _ of artifacts.grep('ERROR', { abortSignal: controller.signal }))
      controller.abort(new Error('enough'));
    await all(artifacts.grep('ERROR', { abortSignal: controller.signal }));
  };
  await expect(search()).rejects.toThrow('enough');
});

test('query answers like the reader, in camelCase and without an envelope', async () => {
  const orders = Array.from({ length: 30 }, (_, id) => ({ id, status: id % 3 === 0 ? 'refunded' : 'paid' }));
  const path = await save(JSON.stringify(orders), 'application/json');
  const where = [{ field: 'status', op: 'eq', value: 'refunded' }] as const;
  const answer = await artifacts.query(path, { where: [...where], limit: 2 });
  expect(answer).toMatchObject({ rows: [{ id: 0 }, { id: 3 }], matched: 10, scanned: 30, next: { offset: 2 } });
  expect(answer).not.toHaveProperty('status');
  expect(await artifacts.query(path, { at: undefined, where: undefined, sort: undefined })).toMatchObject({
    matched: 30,
  });
  const { queryArtifact } = createArtifactTools(artifacts);
  const call = { toolCallId: 'call_1', messages: [], context: {} };
  const read = await queryArtifact.execute({ path, where: [...where], limit: 2 }, call);
  expect(read).toMatchObject({ status: 'partial', data: { rows: answer.rows } });
});

test('query rejects a question that cannot be answered, with the text of the reader', async () => {
  const path = await save('[{"id":1}]', 'application/json');
  await expect(artifacts.query(path, { select: ['name'] })).rejects.toMatchObject({
    code: 'INVALID_OPTION',
    message: expect.stringContaining('"name"'),
  });
  await expect(artifacts.query(path, { wher: [] } as never)).rejects.toThrow('Did you mean `where`?');
  await expect(artifacts.query('nothing')).rejects.toMatchObject({ code: 'ARTIFACT_NOT_FOUND' });
  const binary = await save(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]), 'image/png');
  await expect(artifacts.query(binary)).rejects.toMatchObject({ code: 'ARTIFACT_UNREADABLE' });
});
