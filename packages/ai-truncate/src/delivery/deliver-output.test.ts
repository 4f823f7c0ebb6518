import { tool } from 'ai';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { deliveredOutput, wrapped } from '../../fixtures/delivered-output.ts';
import { countArtifacts, keptOf, runTool } from '../../fixtures/run-tool.ts';
import { sentThrough } from '../../fixtures/sent-results.ts';
import { truncateToolResultsMiddleware } from '../middleware/truncate-tool-results-middleware.ts';
import { memoryStore } from '../stores/memory-store.ts';

const inputSchema = z.object({});
/** Larger than every limit. */
const large = 'x'.repeat(5_000_000);
const BUDGET = 16_384;

function transferred(view: (buffer: ArrayBuffer) => object): object {
  const buffer = new ArrayBuffer(64);
  const output = view(buffer);
  structuredClone(buffer, { transfer: [buffer] });
  return output;
}

function claims(has: () => boolean): object {
  return new Proxy({ rows: 1 }, { has });
}

describe('a successful output is delivered as by the SDK alone, even with', () => {
  const odd: [string, () => unknown, unknown][] = [
    [
      'a member `Symbol.asyncIterator` that is not a function',
      () => ({ [Symbol.asyncIterator]: 1, rows: 1 }),
      { rows: 1 },
    ],
    ['a Proxy that claims to have every member', () => claims(() => true), { rows: 1 }],
    [
      'a Proxy that refuses to be asked for members',
      () =>
        claims(() => {
          throw new Error('no');
        }),
      { rows: 1 },
    ],
    ['a method `getReader`', () => ({ rows: 1, getReader() {} }), { rows: 1 }],
    ['all methods of a stream, and no stream', () => ({ rows: 1, getReader() {}, cancel() {}, tee() {} }), { rows: 1 }],
    [
      'methods `pipe` and an iterator that is not a function',
      () => ({ rows: 1, pipe() {}, [Symbol.asyncIterator]: {} }),
      { rows: 1 },
    ],
    ['bytes whose buffer was transferred', () => transferred((buffer) => new Uint8Array(buffer)), {}],
    ['a view whose buffer was transferred', () => transferred((buffer) => new DataView(buffer)), {}],
    ['a buffer that was transferred', () => transferred((buffer) => buffer), {}],
  ];

  test.each(odd)('%s', async (_, make, value) => {
    for (const execute of [async () => make(), () => make()]) {
      const { error, sent } = await runTool(wrapped({ Read: tool({ inputSchema, execute }) }));
      expect(error).toBeUndefined();
      expect(JSON.parse(JSON.stringify(sent))).toEqual({ type: 'json', value });
    }
  });

  test('a file whose buffer was transferred, with a large text', async () => {
    const image = {
      type: 'file',
      mediaType: 'image/png',
      data: { type: 'data', data: transferred((buffer) => buffer) },
    };
    const toModelOutput = () => ({ type: 'content', value: [{ type: 'text', text: large }, image] }) as never;
    const Read = tool({ inputSchema, execute: async () => 'x', toModelOutput });
    const { error, output } = await runTool(wrapped({ Read }));
    expect(error).toBeUndefined();
    expect(output).toMatchObject({ status: 'partial' });
  });
});

describe('an output over a limit whose preview would not be smaller', () => {
  const short = 'a\n'.repeat(2001);

  test.each<[string, () => unknown]>([
    ['a text', () => short],
    ['a stream', () => ReadableStream.from(short.split(/(?<=\n)/))],
    ['bytes', () => Buffer.from(short)],
  ])('passes unchanged, and nothing is saved: %s', async (_, make) => {
    const store = memoryStore();
    const onTruncate = vi.fn();
    const onOutput = vi.fn();
    const Read = tool({ inputSchema, execute: async () => make() });
    const { output, sent } = await runTool(wrapped({ Read }, { store, onTruncate, onOutput }));
    expect(output).toBe(short);
    expect(sent).toEqual({ type: 'text', value: short });
    expect(await countArtifacts(store)).toBe(0);
    expect(onTruncate).not.toHaveBeenCalled();
    expect(onOutput).toHaveBeenCalledTimes(1);
  });

  test('passes as an error, from a toModelOutput, and through the second guard', async () => {
    const failing = tool({
      inputSchema,
      execute: async (): Promise<string> => {
        throw short;
      },
    });
    expect((await runTool(wrapped({ failing }))).error).toBe(short);
    const toModelOutput = () => ({ type: 'text', value: short }) as never;
    const own = tool({ inputSchema, execute: async () => 'x', toModelOutput });
    const { sent } = await runTool(wrapped({ own }));
    expect(sent).toEqual({ type: 'text', value: short });
    const outputs = [{ type: 'text', value: short }];
    expect(await sentThrough(truncateToolResultsMiddleware(), outputs)).toEqual(outputs);
  });

  test('is truncated if it has one line more than fits into the budget', async () => {
    const { output } = await deliveredOutput('a\n'.repeat(9000));
    expect(output).toMatchObject({ status: 'partial', data: { truncation: { reason: 'lines' } } });
  });
});

describe('a value over the limits', () => {
  const rows = Array.from({ length: 5000 }, (_, id) => ({ id, name: `row ${id}` }));
  const hidden = {
    users: new Map([['token', 'Bearer SECRET-1']]),
    seen: new Set(['Bearer SECRET-2']),
    error: new Error('Bearer SECRET-3', { cause: new Error('Bearer SECRET-4') }),
  };
  const cycle: Record<string, unknown> = { ...hidden, rows };
  cycle.self = cycle;

  test.each<[string, object]>([
    ['next to it, without a `toJSON`', { ...hidden, rows }],
    ['deep inside it', { rows: rows.map((row, index) => (index % 1000 === 0 ? { ...row, hidden } : row)) }],
    ['a BigInt next to it', { ...hidden, rows, size: 1n }],
    ['a cycle', cycle],
  ])('shows nothing that its JSON omits: %s', async (_, value) => {
    const store = memoryStore();
    const { output, sent } = await deliveredOutput(value, { store });
    expect(output).toMatchObject({ status: 'partial' });
    expect(JSON.stringify([output, sent, await keptOf(output, { store })])).not.toContain('SECRET');
  });
});

describe('the budget applies to', () => {
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '');

  test.each<[string, () => unknown]>([
    ['a promise', () => Promise.resolve(large)],
    ['a promise of a value', () => Promise.resolve({ rows: Array(100_000).fill('row') })],
    // biome-ignore lint/suspicious/noThenProperty: this is the attack.
    ['an object that only behaves like one', () => ({ then: (resolve: (value: string) => void) => resolve(large) })],
  ])('an iterator whose items are %s', async (_, make) => {
    const iterator = () => ({
      [Symbol.asyncIterator]() {
        let isDone = false;
        return {
          next: async () => {
            // Not awaited, as an iterator with its own source may ignore it.
            const item = { done: isDone, value: isDone ? undefined : make() };
            isDone = true;
            return item;
          },
        };
      },
    });
    const { output, sent } = await runTool(wrapped({ Read: tool({ inputSchema, execute: iterator as never }) }));
    expect(output).toMatchObject({ status: 'partial' });
    expect(bytesOf(output)).toBeLessThan(2 * BUDGET + 8192);
    expect(bytesOf(sent)).toBeLessThan(2 * BUDGET);
  });

  const custom = { type: 'custom', providerOptions: { own: { note: large } } };
  const asText = Buffer.from(large).toString('base64');
  const parts: [string, unknown][] = [
    ['parts of one provider', custom],
    [
      'many parts of one provider',
      Array.from({ length: 5000 }, () => ({ type: 'custom', providerOptions: { own: { note: 'x'.repeat(1000) } } })),
    ],
    [
      'text in a `data:` address',
      {
        type: 'file',
        mediaType: 'text/plain',
        data: { type: 'url', url: new URL(`data:text/plain;base64,${asText}`) },
      },
    ],
    [
      'text in a `data:` address that a part calls a picture',
      { type: 'file', mediaType: 'image/png', data: { type: 'url', url: `data:text/html,${large}` } },
    ],
    ['text in an address without a type', { type: 'file-url', url: `data:,${large}` }],
    ['text in an address after white space', { type: 'file-url', url: ` \n data:text/plain,${large}` }],
    [
      'text in an address with line breaks in its scheme',
      { type: 'image-url', url: `da\nta\t:te\r\nxt/plain,${large}` },
    ],
    [
      'text in an address with a thousand parameters',
      { type: 'file-url', url: `data:text/plain${';a=b'.repeat(1000)},${large}` },
    ],
    [
      'text in an address that is given as data',
      {
        type: 'file',
        mediaType: 'application/json',
        data: { type: 'data', data: `data:application/json;base64,${asText}` },
      },
    ],
  ];

  test.each(parts)('%s', async (_, part) => {
    const toModelOutput = () => ({ type: 'content', value: [part].flat() }) as never;
    const { output, sent } = await runTool(
      wrapped({ Read: tool({ inputSchema, execute: async () => 'x', toModelOutput }) }),
    );
    expect(output).toMatchObject({ status: 'partial' });
    expect(bytesOf(sent)).toBeLessThan(2 * BUDGET);
  });

  test.each<[string, (calls: number) => unknown]>([
    ['rejects once', (calls) => (calls === 1 ? Promise.reject(new Error('not yet')) : { type: 'text', value: large })],
    [
      'throws once, and then returns parts',
      (calls) => {
        if (calls === 1) throw new Error('not yet');
        return { type: 'content', value: [{ type: 'text', text: large }, custom] };
      },
    ],
    ['is small once', (calls) => ({ type: 'json', value: calls === 1 ? 'small' : { large } })],
  ])('a toModelOutput that %s', async (_, answer) => {
    let calls = 0;
    const toModelOutput = () => answer(++calls) as never;
    const { sent } = await runTool(wrapped({ Read: tool({ inputSchema, execute: async () => 'x', toModelOutput }) }));
    expect(calls).toBe(2);
    expect(JSON.stringify(sent)).toContain('its output is incomplete');
    expect(bytesOf(sent)).toBeLessThan(2 * BUDGET);
  });

  test.each([
    ['hidden', '\u202e'],
    ['astral', '\u{e0041}'],
    ['broken', '\ud800'],
    ['control', '\u0001'],
  ])('an envelope with %s characters in its error', async (_, character) => {
    for (const previewBytes of [1024, 2048, 4096]) {
      const error = { code: character.repeat(5000), message: character.repeat(5000) };
      const context = { note: 'x'.repeat(1900) };
      const envelope = { status: 'error', data: {}, text: character.repeat(100_000), stats: {}, context, error };
      const input = { note: '"'.repeat(1000) };
      const { output } = await deliveredOutput(envelope, { previewBytes, input });
      expect(output).toMatchObject({ status: 'error' });
      expect(bytesOf(output)).toBeLessThanOrEqual(2 * previewBytes + 8192);
    }
  });
});
