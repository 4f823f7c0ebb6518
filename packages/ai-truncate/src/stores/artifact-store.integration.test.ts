import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { artifactStoreContract } from './artifact-store-contract.ts';

const sourceDirectory = join(import.meta.dirname, '..');
const page = join(sourceDirectory, '../../../docs/writing-a-store.md');
let directory = '';
let sqliteStore: (file: string) => ArtifactStore;
let code = '';

beforeAll(async () => {
  directory = await mkdtemp(join(sourceDirectory, '../node_modules/writing-a-store-'));
  const text = await readFile(page, 'utf8');
  code = /^```ts\n(.*?)^```$/ms.exec(text)?.[1] ?? '';
  const file = join(directory, 'sqlite-store.ts');
  await writeFile(file, code.replace("'ai-truncate/store'", JSON.stringify(join(sourceDirectory, 'store.ts'))));
  ({ sqliteStore } = await import(file));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

describe('the store of docs/writing-a-store.md', () => {
  const open = () => sqliteStore(join(directory, 'artifacts.sqlite'));
  for (const { name, run, skip } of artifactStoreContract({ open })) test.skipIf(skip)(name, run);

  test('has at most 40 lines of code', () => {
    expect(code.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(40);
  });

  test('saves artifacts', async () => {
    const artifacts = scopedArtifacts(open(), { scope: 'chat-1' });
    const { path } = await artifacts.save('one\ntwo', { toolName: 'read', toolCallId: 'call_1' });
    expect((await artifacts.readLines(path, { start: 2 })).lines).toMatchObject([{ number: 2, text: 'two' }]);
  });
});
