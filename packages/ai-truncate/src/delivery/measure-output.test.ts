import { describe, expect, it, test } from 'vitest';
import { resolveLimits, type TruncationLimits } from '../preview/limits.ts';
import { measureOutput } from './measure-output.ts';

const limits = resolveLimits({ maxBytes: 1024 });

/** An object whose members count how often they are read. */
function watched(members: Record<string, unknown>): { value: object; reads: () => number } {
  let reads = 0;
  const value = {};
  for (const [key, member] of Object.entries(members)) {
    Object.defineProperty(value, key, {
      enumerable: true,
      get() {
        reads++;
        return member;
      },
    });
  }
  return { value, reads: () => reads };
}

function nested(levels: number, innermost: unknown = {}): unknown {
  let value = innermost;
  for (let level = 0; level < levels; level++) value = { value };
  return value;
}

describe('an output within the limits', () => {
  const shared = { id: 1 };

  it.each<[string, unknown]>([
    ['a text', 'short'],
    ['a value', { id: 1, tags: ['a', 'b'], at: new Date(0) }],
    ['nothing', undefined],
    ['what stands in two places, which is no cycle', { first: shared, second: shared }],
    ['a value deeper than the quick way looks', nested(100)],
    ['a class with a JSON of its own', { at: { toJSON: () => 'noon' } }],
    ['a few bytes', { file: Buffer.from('abc') }],
    ['holes', new Array(10)],
  ])('can be sent as it is: %s', async (_, output) => {
    expect(await measureOutput(output, limits)).toEqual({ deliverable: output });
    expect(((await measureOutput(output, limits)) as { deliverable: unknown }).deliverable).toBe(output);
  });

  it('is read no more than twice where it is plain: to see that it is, and to write it', async () => {
    const { value, reads } = watched({ id: 1, name: 'Ada', city: 'Paris' });
    await measureOutput(value, limits);
    expect(reads()).toBe(2 * 3);
  });
});

describe('a value that is nested deeper than the walk goes', () => {
  it('can be sent as it is where its JSON is within the limits', async () => {
    const output = nested(600);
    expect(await measureOutput(output, resolveLimits({}))).toEqual({ deliverable: output });
  });

  it.each([
    ['its JSON is larger than that', nested(600, 'x'.repeat(60_000))],
    ['JSON cannot carry it', nested(600, 1n)],
    ['JSON cannot reach its end', nested(100_000)],
  ])('is over a limit where %s', async (_, output) => {
    expect(await measureOutput(output, resolveLimits({}))).toEqual({ reason: 'bytes' });
    expect(await measureOutput(output, resolveLimits({ maxChars: 1000 }))).toHaveProperty('reason');
  });
});

describe('what JSON cannot carry', () => {
  it('is sent as text: a cycle', async () => {
    const cycle: Record<string, unknown> = { name: 'a' };
    cycle.self = cycle;
    expect(await measureOutput(cycle, limits)).toEqual({ deliverable: '{"name":"a","self":"[Circular]"}' });
  });

  it('is sent as text: a BigInt', async () => {
    expect(await measureOutput({ size: 12n }, limits)).toEqual({ deliverable: expect.stringContaining('12') });
  });

  it('is sent as text: a member that cannot be read', async () => {
    const broken = {
      get name() {
        throw new Error('closed');
      },
    };
    expect(await measureOutput(broken, limits)).toEqual({ deliverable: '{"name":"[Unreadable: closed]"}' });
  });

  it('is sent as text: a member that can be read only once', async () => {
    let reads = 0;
    const once = {
      get name() {
        if (reads++ > 0) throw new Error('closed');
        return 'Ada';
      },
    };
    expect(await measureOutput(once, limits)).toEqual({ deliverable: '{"name":"[Unreadable: closed]"}' });
  });

  it('is sent as text: bytes, of which JSON makes eleven characters each', async () => {
    expect(await measureOutput({ file: Buffer.alloc(500) }, limits)).toEqual({ deliverable: expect.any(String) });
  });
});

describe('an output over a limit', () => {
  // `"…"` is two bytes more than the text.
  it.each([
    ['as text', (bytes: number) => 'x'.repeat(bytes)],
    ['as a value', (bytes: number) => [`${'x'.repeat(bytes - 4)}`]],
    [
      'in characters of several bytes',
      (bytes: number) => `${'é'.repeat(Math.floor(bytes / 2))}${bytes % 2 ? 'x' : ''}`,
    ],
  ])('is over from the first byte too many on: %s', async (_, output) => {
    expect(await measureOutput(output(1024), limits)).toHaveProperty('deliverable');
    expect(await measureOutput(output(1025), limits)).toEqual({ reason: 'bytes' });
  });

  it('has lines when it is text, and none when it is a value', async () => {
    const lines = 'a\n'.repeat(1000);
    const twoLines = resolveLimits({ maxLines: 2 });
    expect(await measureOutput(lines, twoLines)).toEqual({ reason: 'lines' });
    expect(await measureOutput({ lines }, twoLines)).toHaveProperty('deliverable');
  });

  it.each<[string, unknown]>([
    ['a plain value', { text: 'x'.repeat(2000) }],
    ['a value that is walked', { text: 'x'.repeat(2000), size: 1n }],
  ])('is named by its characters when it has too many of them alone: %s', async (_, output) => {
    expect(await measureOutput(output, resolveLimits({ maxChars: 256 }))).toEqual({ reason: 'chars' });
  });

  it('is named by its bytes when it has too many of both, however long its parts are', async () => {
    const output = [1n, ...Array.from({ length: 200 }, () => 'x'.repeat(10_000))];
    const both = resolveLimits({ maxBytes: 1_000_000, maxChars: 256 });
    expect(await measureOutput(output, both)).toEqual({ reason: 'bytes' });
  });

  test.each<[string, unknown, TruncationLimits]>([
    ['many short lines', 'a\n'.repeat(2001), {}],
    ['no more than notice and hint weigh', 'x'.repeat(600), { maxChars: 256 }],
    ['a plain value', { text: 'x'.repeat(600) }, { maxChars: 256 }],
    ['a value that is walked', { text: 'x'.repeat(600), at: { toJSON: () => 'noon' } }, { maxChars: 256 }],
    ['any preview', 'a\n'.repeat(2001), { keep: 'head' }],
    ['a function', 'a\n'.repeat(2001), { keep: () => 'never asked' }],
    ['both ends', '\n'.repeat(550), { maxLines: 3, keep: 'ends' }],
  ])('is none where a preview would not be smaller: %s', async (_, output, given) => {
    expect(((await measureOutput(output, resolveLimits(given))) as { deliverable: unknown }).deliverable).toBe(output);
  });

  test('is one wherever it is larger than a preview may be', async () => {
    expect(await measureOutput('a\n'.repeat(2001), resolveLimits({ previewBytes: 4001 }))).toEqual({ reason: 'lines' });
    expect(await measureOutput('x'.repeat(1025), resolveLimits({ maxBytes: 1024 }))).toEqual({ reason: 'bytes' });
  });

  test('is sent as text where JSON cannot carry it and a preview would not be smaller', async () => {
    const output = { text: 'x'.repeat(600), size: 1n };
    expect(await measureOutput(output, resolveLimits({ maxChars: 256 }))).toEqual({
      deliverable: `{"text":"${'x'.repeat(600)}","size":"1"}`,
    });
  });

  it('is not read to its end', async () => {
    let reads = 0;
    const rows = Array.from({ length: 100_000 }, () => ({
      get text() {
        reads++;
        return 'x'.repeat(100);
      },
    }));
    await measureOutput(rows, limits);
    expect(reads).toBeLessThan(5000);
  });
});
