import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { answerOf, people, where } from '../../fixtures/ask-records.ts';
import { collectGarbage } from '../../fixtures/longest-turn.ts';
import { readRecords } from '../records/record-source.ts';
import { type QueryAnswer, queryRecords } from './query-records.ts';

describe('ending early', () => {
  const endless = async function* (): AsyncGenerator<Uint8Array> {
    const line = new TextEncoder().encode('{"a":1}\n'.repeat(1000));
    while (true) yield line;
  };

  test('answers from what was read when time is up, and says so', async () => {
    const answer = (await queryRecords(
      readRecords(endless()),
      { aggregate: [{ op: 'count' }] },
      { deadlineMs: 30 },
    )) as QueryAnswer;
    expect(answer).toMatchObject({ status: 'ok', incomplete: 'deadline', rows: [{ count: answer.scanned }] });
    expect(answer.notes?.[0]).toContain('Time was up');
  });

  test('refuses when time is up before a record was read, also of a store that stands still', async () => {
    const hung = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    expect(await queryRecords(readRecords(hung), {}, { deadlineMs: 10 })).toMatchObject({
      status: 'refused',
      code: 'TIMEOUT',
    });
  });

  test('refuses a wrong question in time too', async () => {
    const hung = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    const refusal = await queryRecords(readRecords(hung), where('a', 'like', 1), { deadlineMs: 10 });
    expect(refusal).toMatchObject({ status: 'refused', code: 'INVALID_PARAM' });
  });

  test('throws the reason when it is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    setImmediate(() => setImmediate(() => controller.abort(reason)));
    await expect(queryRecords(readRecords(endless()), {}, { abortSignal: controller.signal })).rejects.toBe(reason);
  });

  test('passes on what the store throws', async () => {
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode('[1,');
      throw new Error('disk');
    };
    await expect(queryRecords(readRecords(broken()), {})).rejects.toThrow('disk');
  });

  test('never opens the source of a question that is refused for its arguments', async () => {
    const opened = vi.fn();
    const source = async function* (): AsyncGenerator<Uint8Array> {
      opened();
      yield* endless();
    };
    await queryRecords(readRecords(source()), { where: [{ field: 'a', op: 'like', value: 1 }] });
    expect(opened).not.toHaveBeenCalled();
  });
});

test('holds nothing of the request that it was asked in, once it has answered', async () => {
  const requests = new AsyncLocalStorage<object>();
  async function askInRequest(): Promise<WeakRef<object>> {
    const request = { body: 'large' };
    await requests.run(request, () => answerOf(people, {}, { deadlineMs: 60_000 }));
    return new WeakRef(request);
  }
  const request = await askInRequest();
  await nextTurn();
  collectGarbage();
  expect(request.deref()).toBeUndefined();
});
