import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inTemporaryDirectory } from '../fixtures/in-temporary-directory.ts';
import { processAnswer } from './process-answer.ts';

const waits = 'setInterval(() => {}, 1000);';

test.concurrent.each([
  ['gives no answer', waits, 'SIGTERM'],
  ['ignores the signal to end', `process.on('SIGTERM', () => {}); ${waits}`, 'SIGKILL'],
])('a process that %s is killed, and the answer says so', async (_, code, signal) => {
  const told = await inTemporaryDirectory(async (directory) => {
    const script = join(directory, 'script.js');
    await writeFile(script, code);
    return processAnswer({ script, args: [], mostMs: 3000 });
  });
  expect(told).toEqual({ ended: `no answer in 3 s, ${signal}`, errors: '' });
});

test('an answer is returned unchanged', async () => {
  const told = await inTemporaryDirectory(async (directory) => {
    const script = join(directory, 'script.js');
    await writeFile(script, 'process.send({ status: "met" }, () => process.exit());');
    return processAnswer({ script, args: [], mostMs: 60_000 });
  });
  expect(told).toEqual({ answer: { status: 'met' } });
});
