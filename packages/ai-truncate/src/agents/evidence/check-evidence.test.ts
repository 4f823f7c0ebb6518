import { beforeAll, describe, expect, it } from 'vitest';
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
  const [evidence] = await checkEvidence(artifacts, [{ path, start_line: start, end_line: end, quote }]);
  return evidence && { verified: evidence.verified, lines: [evidence.start_line, evidence.end_line] };
}

describe('a quote that stands in its artifact is verified', () => {
  it('at the lines that were named', async () => {
    expect(await check('ERROR pool exhausted: 50 of 50')).toEqual({ verified: true, lines: [2500, 2500] });
  });

  it('over several lines, and the evidence names those alone', async () => {
    const quote = '50 of 50 connections in use\n    at acquire (pool.ts:88:11)';
    expect(await check(quote, [2480, 2520])).toEqual({ verified: true, lines: [2500, 2501] });
  });

  it('in another layout', async () => {
    const quote = 'ERROR  pool exhausted:\t50 of 50 connections in use at acquire (pool.ts:88:11)';
    expect(await check(quote)).toEqual({ verified: true, lines: [2500, 2501] });
  });

  it('with the line numbers that a reader shows', async () => {
    const quote =
      '2500: 2026-11-18T10:41:40Z ERROR pool exhausted: 50 of 50 connections in use\n2501:     at acquire (pool.ts:88:11)';
    expect(await check(quote)).toEqual({ verified: true, lines: [2500, 2501] });
  });

  it('without the colours that a reader leaves out', async () => {
    expect(await check('FAIL src/cart.test.ts > adds a coupon twice', [4000, 4000])).toEqual({
      verified: true,
      lines: [4000, 4000],
    });
  });

  it('in a list of JSON, as one compact row', async () => {
    expect(await check('{"id":2000,"customer":"c-5","total":3000}', [1, 1], orders)).toEqual({
      verified: true,
      lines: [10_002, 10_006],
    });
  });

  it('named by the file name or the end of it', async () => {
    const name = log.slice(log.lastIndexOf('/') + 1);
    for (const path of [name, name.slice(-20, -4)]) {
      const [evidence] = await checkEvidence(artifacts, [
        { path, start_line: 2500, end_line: 2500, quote: 'pool exhausted' },
      ]);
      expect(evidence).toMatchObject({ path: log, verified: true });
    }
  });
});

describe('a quote that stands elsewhere is moved to where it stands', () => {
  it('whatever lines were named', async () => {
    for (const named of [
      [1, 1],
      [4900, 4950],
      [999_999, 999_999],
    ] as [number, number][]) {
      expect(await check('ERROR pool exhausted: 50 of 50', named)).toEqual({ verified: true, lines: [2500, 2500] });
    }
  });

  it('the nearest one, when it stands in many', async () => {
    expect(await check('INFO request 4321 served in 12 ms', [4300, 4310])).toEqual({
      verified: true,
      lines: [4321, 4321],
    });
  });

  it('with other spaces, and colours in between', async () => {
    expect(await check('FAIL  src/cart.test.ts  > adds a coupon twice', [7, 7])).toEqual({
      verified: true,
      lines: [4000, 4000],
    });
  });

  it('in the middle of a line of 600,000 characters', async () => {
    expect(await check('needle-4711 is in the middle', [12, 12])).toEqual({ verified: true, lines: [4500, 4500] });
    expect(await check('needle-4711 is in the middle', [4500, 4500])).toEqual({ verified: true, lines: [4500, 4500] });
  });
});

describe('a quote is not verified', () => {
  it.each([
    ['that is made up', 'ERROR pool exhausted: 51 of 50'],
    ['that joins what is apart', 'ERROR pool exhausted: 50 of 50 connections in use at query (db.ts:12:3)'],
    ['that leaves out the middle', 'ERROR pool … connections in use'],
    ['in which one letter differs in case', 'error pool exhausted: 50 of 50'],
  ])('%s', async (_, quote) => {
    expect(await check(quote)).toMatchObject({ verified: false, lines: [2500, 2500] });
  });

  it('that is so short that it stands everywhere, unless it stands where it was said to', async () => {
    expect(await check('pool.ts', [7, 7])).toMatchObject({ verified: false });
    expect(await check('pool.ts', [2501, 2501])).toEqual({ verified: true, lines: [2501, 2501] });
  });

  it('of an artifact that is not there, or belongs to somebody else', async () => {
    const others = scopedArtifacts(store, { scope: 'chat-2' });
    const { path } = await others.save('a secret of somebody else', { toolName: 'readLog', toolCallId: 'call_1' });
    for (const each of [path, '../chat-2/x', '/etc/passwd', 'nothing']) {
      expect(await check('a secret of somebody else', [1, 1], each)).toMatchObject({ verified: false });
    }
  });
});

describe('what a model gives is taken as far as it can be used', () => {
  it('leaves out what is no evidence', async () => {
    const claims = [null, 7, 'text', [], {}, { path: log }, { path: log, quote: '  ' }, { path: '', quote: 'x' }];
    expect(await checkEvidence(artifacts, claims)).toEqual([]);
  });

  it('reads lines that are texts, swapped, missing or impossible', async () => {
    const quote = 'pool exhausted';
    const named = [
      { start_line: '2500', end_line: '2501' },
      { start_line: 2502, end_line: 2499 },
      { start_line: 2500 },
      { start_line: Number.NaN, end_line: -3 },
      { start_line: 2 ** 60, end_line: 1e308 },
    ];
    const evidence = await checkEvidence(
      artifacts,
      named.map((each) => ({ path: log, quote, ...each })),
    );
    expect(evidence.map(({ verified, start_line }) => [verified, start_line])).toEqual(named.map(() => [true, 2500]));
  });

  it('looks at the first 20 claims, and at 500 characters of each', async () => {
    const quote = `${lines[2499]}${'z'.repeat(1_000_000)}`;
    const evidence = await checkEvidence(
      artifacts,
      Array(100_000).fill({ path: log, start_line: 1, end_line: 1, quote }),
    );
    expect(evidence).toHaveLength(20);
    expect(Math.max(...evidence.map((each) => each.quote.length))).toBe(500);
  });
});

it('tells how far it is after each one', async () => {
  const told: number[] = [];
  const claim = { path: log, start_line: 2500, end_line: 2500, quote: 'pool exhausted' };
  await checkEvidence(artifacts, [claim, claim, claim], { onChecked: (so) => told.push(so.length) });
  expect(told).toEqual([1, 2, 3]);
});

it('ends at once when its caller goes', async () => {
  const controller = new AbortController();
  const hung: Artifacts = { ...artifacts, info: () => new Promise(() => {}) };
  const claim = { path: log, start_line: 1, end_line: 1, quote: 'pool exhausted' };
  const checking = checkEvidence(hung, [claim], { abortSignal: controller.signal });
  controller.abort(new Error('gone'));
  await expect(checking).rejects.toThrow('gone');
});
