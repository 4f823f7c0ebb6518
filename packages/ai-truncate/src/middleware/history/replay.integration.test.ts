import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ModelMessage } from 'ai';
import { expect, test } from 'vitest';
import { inTemporaryDirectory } from '../../../fixtures/in-temporary-directory.ts';
import { stepOf } from '../../../fixtures/long-conversation.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { boundMessages } from './bound-messages.ts';

const script = join(import.meta.dirname, '../../../fixtures/bound-in-process.ts');
const MAX_TOKENS = 6000;
const STEPS = 10;

/** The messages as a new process bounds them. Only the directory of the store is shared with other processes. */
async function boundInProcess(messages: readonly ModelMessage[], home: string): Promise<string> {
  const args = ['--disable-warning=ExperimentalWarning', script, 'outputs', String(MAX_TOKENS)];
  const child = spawn(process.execPath, args, { cwd: home });
  child.stdin.end(JSON.stringify(messages));
  const [bounded, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(complaints).toBe('');
  return bounded;
}

/** Replaces folders, so that bytes of different stores can be compared. */
const anywhere = (bounded: string) => bounded.replaceAll('outputs/chat-1/', 'tool-output/');

test('each step in a new process leads to the same bytes as one process that carries its messages forward', async () => {
  await inTemporaryDirectory(async (home) => {
    const store = memoryStore();
    const untouched: ModelMessage[] = [{ role: 'user', content: 'Read all pages.' }];
    let carried: ModelMessage[] = [...untouched];
    let evictions = 0;
    for (let step = 0; step < STEPS; step++) {
      untouched.push(...stepOf(step));
      const before = JSON.stringify(carried);
      carried = await boundMessages([...carried, ...stepOf(step)], { store, scope: 'chat-1', maxTokens: MAX_TOKENS });
      if (!JSON.stringify(carried).startsWith(before.slice(0, -1))) evictions++;
      expect(anywhere(await boundInProcess(untouched, home))).toBe(JSON.stringify(carried));
    }
    expect(evictions).toBeGreaterThan(1);
  });
});

test('two servers with one store send the same bytes, and save each result once', async () => {
  await inTemporaryDirectory(async (home) => {
    const messages = Array.from({ length: STEPS }, (_, step) => stepOf(step)).flat();
    const [one = '', other = '', third = ''] = await Promise.all([1, 2, 3].map(() => boundInProcess(messages, home)));
    expect(other).toBe(one);
    expect(third).toBe(one);
    const references = [...one.matchAll(/saved to: outputs\/chat-1\/(\S+)/g)].map(([, name]) => name ?? '');
    expect(references.length).toBeGreaterThan(4);
    const saved = await readdir(join(home, 'outputs/chat-1'));
    expect(saved.sort()).toEqual(references.flatMap((name) => [name, `${name}.info.json`]).sort());
  });
});
