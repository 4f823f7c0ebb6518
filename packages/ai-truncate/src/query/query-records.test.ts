import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { answerOf, people, refusalOf, where } from '../../fixtures/ask-records.ts';
import { collectGarbage } from '../../fixtures/longest-turn.ts';
import { readRecords } from '../records/record-source.ts';
import { type QueryAnswer, queryRecords } from './query-records.ts';

describe('ending early', () => {
  const endless = async function* (): AsyncGenerator<Uint8Array> {
    const line = new TextEncoder().encode('{"a":1}\n'.repeat(1000));
    while (true) yield line;
  };

  test('answers from the records read before the deadline, and says so', async () => {
    const answer = (await queryRecords(
      readRecords(endless),
      { aggregate: [{ op: 'count' }] },
      { deadlineMs: 30 },
    )) as QueryAnswer;
    expect(answer).toMatchObject({ status: 'ok', incomplete: 'deadline', rows: [{ count: answer.scanned }] });
    expect(answer.notes?.[0]).toContain('The time limit was reached');
  });

  test('refuses if the deadline passes before any record is read, even with a store that hangs', async () => {
    const hung = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    expect(
      await queryRecords(
        readRecords(() => hung),
        {},
        { deadlineMs: 10 },
      ),
    ).toMatchObject({
      status: 'refused',
      code: 'TIMEOUT',
    });
  });

  test('refuses a wrong question at the deadline too', async () => {
    const hung = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    const refusal = await queryRecords(
      readRecords(() => hung),
      where('a', 'like', 1),
      { deadlineMs: 10 },
    );
    expect(refusal).toMatchObject({ status: 'refused', code: 'INVALID_PARAM' });
  });

  test('throws the reason if it is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    setImmediate(() => setImmediate(() => controller.abort(reason)));
    await expect(queryRecords(readRecords(endless), {}, { abortSignal: controller.signal })).rejects.toBe(reason);
  });

  test('throws the error of the store', async () => {
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode('[1,');
      throw new Error('disk');
    };
    await expect(queryRecords(readRecords(broken), {})).rejects.toThrow('disk');
  });

  test('never opens the source of a question with invalid arguments', async () => {
    const opened = vi.fn();
    const source = async function* (): AsyncGenerator<Uint8Array> {
      opened();
      yield* endless();
    };
    await queryRecords(readRecords(source), { where: [{ field: 'a', op: 'soundsLike', value: 1 }] });
    expect(opened).not.toHaveBeenCalled();
  });
});

test('releases the request after the answer', async () => {
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

describe('records found in a second pass', () => {
  const columns = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`c${at}`, [at, at + 1, at + 2]]));
  const text = JSON.stringify({ latitude: 5, hourly: columns });

  test('have as many columns as can be read at once', async () => {
    const { rows, scanned, place, notes } = await answerOf(text, {});
    expect([Object.keys(rows[0] ?? {}).length, scanned, place]).toEqual([16, 3, '`hourly`']);
    expect(notes).toEqual(['Rows show 16 of 20 columns; name others with `select`.']);
    expect((await answerOf(text, { select: ['c19'] })).rows).toEqual([{ c19: 19 }, { c19: 20 }, { c19: 21 }]);
    const select = Array.from({ length: 17 }, (_, at) => `c${at}`);
    expect((await refusalOf(text, { select })).message).toContain(
      'needs 17 columns at once, but at most 16 can be read',
    );
    expect((await refusalOf(text, { select: ['c21'] })).message).toContain('No record has the field "c21".');
  });

  test.each([0, 2])(
    'come from the whole document, even if its beginning looks different (indent %i)',
    async (indent) => {
      const members = Object.fromEntries(
        Array.from({ length: 30_000 }, (_, at) => [`k${at}`, { id: at, name: `n${at}` }]),
      );
      const dictionary = JSON.stringify(members, null, indent);
      const count = { aggregate: [{ op: 'count' }] };
      expect(await answerOf(dictionary, count)).toMatchObject({ scanned: 30_000, rows: [{ count: 30_000 }] });
      const mixed = JSON.stringify({ ...members, total: 30_000, rows: [{ id: 1 }, { id: 2 }] }, null, indent);
      expect(await answerOf(mixed, count)).toMatchObject({ scanned: 2, rows: [{ count: 2 }], place: '`rows`' });
    },
  );

  test.each([0, 2])('are found below many keys (indent %i)', async (indent) => {
    const edges = Array.from({ length: 30 }, (_, id) => ({ node: { id } }));
    const graph = JSON.stringify({ data: { viewer: { repositories: { edges } } } }, null, indent);
    expect(await answerOf(graph, { select: ['node.id'], limit: 1 })).toMatchObject({
      ...{ scanned: 30, rows: [{ 'node.id': 0 }], place: '`data.viewer.repositories.edges`' },
    });
  });
});
