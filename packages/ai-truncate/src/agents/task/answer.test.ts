import { beforeEach, expect, test } from 'vitest';
import type { Artifacts } from '../../artifacts/artifacts.ts';
import { scopedArtifacts } from '../../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { finalAnswer, runningAnswer, type TaskCall } from './answer.ts';

let controller = new AbortController();
let artifacts: Artifacts;

beforeEach(() => {
  controller = new AbortController();
  artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
});

function callOf(over: Partial<Artifacts>): TaskCall {
  return {
    agent: 'helper',
    input: {},
    startedAt: 0,
    artifacts: { ...artifacts, ...over },
    toolCallId: 'call_1',
    abortSignal: controller.signal,
    saveTimeoutMs: 600_000,
  };
}

const hung = () => new Promise<never>(() => {});
const long = { conclusion: 'x'.repeat(6001) };

test('a conclusion of exactly 6,000 characters is not cut', async () => {
  const whole = await finalAnswer({ conclusion: 'x'.repeat(6000) }, callOf({ save: hung }));
  expect(whole).toMatchObject({ status: 'success', data: { conclusion: 'x'.repeat(6000) } });
  const cut = await finalAnswer(long, callOf({}));
  expect(cut).toMatchObject({ status: 'partial', data: { truncated: true } });
});

test('a call that is aborted while its conclusion is saved has no answer', async () => {
  const answer = finalAnswer(long, callOf({ save: hung }));
  controller.abort(new Error('gone'));
  await expect(answer).rejects.toThrow('gone');
});

test('a save that fails because of the abort is no answer without a path', async () => {
  const save = () => {
    controller.abort(new Error('gone'));
    return Promise.reject(new Error('EIO'));
  };
  await expect(finalAnswer(long, callOf({ save }))).rejects.toThrow('gone');
});

test('a call that is aborted while its quotes are looked up has no answer', async () => {
  const evidence = [{ path: 'a.txt', start_line: 1, end_line: 1, quote: 'some words' }];
  const answer = finalAnswer({ conclusion: 'Done.', evidence }, callOf({ info: hung }));
  controller.abort(new Error('gone'));
  await expect(answer).rejects.toThrow('gone');
});

test('progress shows the last three quotes, and 80 characters of each', () => {
  const evidence = [1, 2, 3, 4, 5].map((line) => {
    return { path: 'a.txt', start_line: line, end_line: line, quote: `${line}${'x'.repeat(400)}`, verified: true };
  });
  const { data } = runningAnswer({ phase: 'checking', evidence }, { agent: 'helper', startedAt: 0 });
  expect(data.evidence.map(({ quote }) => [quote.length, quote[0]])).toEqual([
    [80, '3'],
    [80, '4'],
    [80, '5'],
  ]);
});
