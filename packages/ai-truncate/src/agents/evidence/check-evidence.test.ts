import { beforeAll, describe, expect, test } from 'vitest';
import type { Artifacts } from '../../artifacts/artifacts.ts';
import { scopedArtifacts } from '../../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { checkEvidence } from './check-evidence.ts';

const lines = Array.from(
  { length: 5000 },
  (_, index) => `2026-11-18T10:00:00Z INFO request ${index + 1} served in 12 ms`,
);
lines[2499] = '2026-11-18T10:41:40Z ERROR pool exhausted: 50 of 50 connections in use';
lines[2500] = '    at acquire (pool.ts:88:11)';
lines[2501] = '    at query (db.ts:12:3)';
lines[3999] = '\u001b[31mFAIL\u001b[39m \u001b[1msrc/cart.test.ts\u001b[22m > adds \u001b[32ma coupon\u001b[39m twice';
lines[4499] = `${'x'.repeat(300_000)} needle-4711 is in the middle ${'y'.repeat(300_000)}`;

const store = memoryStore();
const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
let log = '';
let orders = '';

beforeAll(async () => {
  log = (await artifacts.save(lines.join('\n'), { toolName: 'readLog', toolCallId: 'call_1' })).path;
  const rows = Array.from({ length: 3000 }, (_, id) => ({ id, customer: `c-${id % 7}`, total: id * 1.5 }));
  const saved = { toolName: 'orders', toolCallId: 'call_2', mediaType: 'application/json' };
  orders = (await artifacts.save(JSON.stringify(rows, null, 2), saved)).path;
});

async function check(quote: string, [start, end]: [number, number] = [2500, 2500], path = log) {
  const [evidence] = await checkEvidence(artifacts, [{ path, startLine: start, endLine: end, quote }]);
  return evidence && { verified: evidence.verified, lines: [evidence.startLine, evidence.endLine] };
}

describe('a quote that is in its artifact is verified', () => {
  test('at the lines that were named', async () => {
    expect(await check('ERROR pool exhausted: 50 of 50')).toEqual({ verified: true, lines: [2500, 2500] });
  });

  test('over several lines, and the evidence names only these lines', async () => {
    const quote = '50 of 50 connections in use\n    at acquire (pool.ts:88:11)';
    expect(await check(quote, [2480, 2520])).toEqual({ verified: true, lines: [2500, 2501] });
  });

  test('in another layout', async () => {
    const quote = 'ERROR  pool exhausted:\t50 of 50 connections in use at acquire (pool.ts:88:11)';
    expect(await check(quote)).toEqual({ verified: true, lines: [2500, 2501] });
  });

  test('with the line numbers that a reader shows', async () => {
    const quote =
      '2500: 2026-11-18T10:41:40Z ERROR pool exhausted: 50 of 50 connections in use\n2501:     at acquire (pool.ts:88:11)';
    expect(await check(quote)).toEqual({ verified: true, lines: [2500, 2501] });
  });

  test('without the colors that a reader leaves out', async () => {
    expect(await check('FAIL src/cart.test.ts > adds a coupon twice', [4000, 4000])).toEqual({
      verified: true,
      lines: [4000, 4000],
    });
  });

  test('in a list of JSON, as one compact row', async () => {
    expect(await check('{"id":2000,"customer":"c-5","total":3000}', [1, 1], orders)).toEqual({
      verified: true,
      lines: [10_002, 10_006],
    });
  });

  test('named by the file name or the end of it', async () => {
    const name = log.slice(log.lastIndexOf('/') + 1);
    for (const path of [name, name.slice(-20, -4)]) {
      const [evidence] = await checkEvidence(artifacts, [
        { path, startLine: 2500, endLine: 2500, quote: 'pool exhausted' },
      ]);
      expect(evidence).toMatchObject({ path: log, verified: true });
    }
  });
});

describe('a quote that is elsewhere gets its true lines', () => {
  test('for any named lines', async () => {
    for (const named of [
      [1, 1],
      [4900, 4950],
      [999_999, 999_999],
    ] as [number, number][]) {
      expect(await check('ERROR pool exhausted: 50 of 50', named)).toEqual({ verified: true, lines: [2500, 2500] });
    }
  });

  test('the nearest lines, when it is in many', async () => {
    expect(await check('INFO request 4321 served in 12 ms', [4300, 4310])).toEqual({
      verified: true,
      lines: [4321, 4321],
    });
  });

  test('with other spaces, and colors in between', async () => {
    expect(await check('FAIL  src/cart.test.ts  > adds a coupon twice', [7, 7])).toEqual({
      verified: true,
      lines: [4000, 4000],
    });
  });

  test('in the middle of a line of 600,000 characters', async () => {
    expect(await check('needle-4711 is in the middle', [12, 12])).toEqual({ verified: true, lines: [4500, 4500] });
    expect(await check('needle-4711 is in the middle', [4500, 4500])).toEqual({ verified: true, lines: [4500, 4500] });
  });
});

describe('a quote is not verified', () => {
  test.each([
    ['that is made up', 'ERROR pool exhausted: 51 of 50'],
    ['that joins separate parts', 'ERROR pool exhausted: 50 of 50 connections in use at query (db.ts:12:3)'],
    ['that leaves out the middle', 'ERROR pool … connections in use'],
    ['in which one letter differs in case', 'error pool exhausted: 50 of 50'],
  ])('%s', async (_, quote) => {
    expect(await check(quote)).toMatchObject({ verified: false, lines: [2500, 2500] });
  });

  test('if it is so short that it occurs everywhere, unless it is at the named lines', async () => {
    expect(await check('pool.ts', [7, 7])).toMatchObject({ verified: false });
    expect(await check('pool.ts', [2501, 2501])).toEqual({ verified: true, lines: [2501, 2501] });
  });

  test('when its artifact is missing or belongs to another owner', async () => {
    const others = scopedArtifacts(store, { scope: 'chat-2' });
    const { path } = await others.save('a secret of somebody else', { toolName: 'readLog', toolCallId: 'call_1' });
    for (const each of [path, '../chat-2/x', '/etc/passwd', 'nothing']) {
      expect(await check('a secret of somebody else', [1, 1], each)).toMatchObject({ verified: false });
    }
  });
});

describe('claims of a model are used as far as possible', () => {
  test('values that are not claims are left out', async () => {
    const claims = [null, 7, 'text', [], {}, { path: log }, { path: log, quote: '  ' }, { path: '', quote: 'x' }];
    expect(await checkEvidence(artifacts, claims)).toEqual([]);
  });

  test('lines may be texts, swapped, missing or impossible', async () => {
    const quote = 'pool exhausted';
    const named = [
      { startLine: '2500', endLine: '2501' },
      { startLine: 2502, endLine: 2499 },
      { startLine: 2500 },
      { startLine: Number.NaN, endLine: -3 },
      { startLine: 2 ** 60, endLine: 1e308 },
    ];
    const evidence = await checkEvidence(
      artifacts,
      named.map((each) => ({ path: log, quote, ...each })),
    );
    expect(evidence.map(({ verified, startLine }) => [verified, startLine])).toEqual(named.map(() => [true, 2500]));
  });

  test('the first 20 claims are checked, and 500 characters of each', async () => {
    const quote = `${lines[2499]}${'z'.repeat(1_000_000)}`;
    const evidence = await checkEvidence(
      artifacts,
      Array(100_000).fill({ path: log, startLine: 1, endLine: 1, quote }),
    );
    expect(evidence).toHaveLength(20);
    expect(Math.max(...evidence.map((each) => each.quote.length))).toBe(500);
  });
});

test('progress is reported after each claim', async () => {
  const told: number[] = [];
  const claim = { path: log, startLine: 2500, endLine: 2500, quote: 'pool exhausted' };
  await checkEvidence(artifacts, [claim, claim, claim], { onChecked: (so) => told.push(so.length) });
  expect(told).toEqual([1, 2, 3]);
});

test('a check ends at once when the caller leaves', async () => {
  const controller = new AbortController();
  const hung: Artifacts = { ...artifacts, info: () => new Promise(() => {}) };
  const claim = { path: log, startLine: 1, endLine: 1, quote: 'pool exhausted' };
  const checking = checkEvidence(hung, [claim], { abortSignal: controller.signal });
  controller.abort(new Error('gone'));
  await expect(checking).rejects.toThrow('gone');
});
