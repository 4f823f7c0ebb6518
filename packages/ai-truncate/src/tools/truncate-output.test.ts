import { Readable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { keptOf } from '../../fixtures/run-tool.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import type { KeepInput } from '../preview/limits.ts';
import { isTruncatedOutput, type TruncatedOutput } from '../protocol/truncated-output.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { modelText } from '../text/frame.ts';
import { type TruncateOutputOptions, truncateOutput } from './truncate-output.ts';

const log = Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}: nothing to see`).join('\n');
const rows = Array.from({ length: 5000 }, (_, id) => ({ id, name: `row ${id}`, tags: ['a', 'b'] }));

async function bound(output: unknown, options: Partial<TruncateOutputOptions> = {}): Promise<unknown> {
  const store = options.store ?? memoryStore();
  return truncateOutput(output, { store, scope: 'chat-1', toolName: 'read', toolCallId: 'call_1', ...options });
}

async function truncated(output: unknown, options: Partial<TruncateOutputOptions> = {}): Promise<TruncatedOutput> {
  const result = await bound(output, options);
  if (!isTruncatedOutput(result)) throw new Error(`not truncated: ${String(result).slice(0, 100)}`);
  return result;
}

async function stored(store: ArtifactStore, { data }: TruncatedOutput, scope = 'chat-1'): Promise<string> {
  const path = data.truncation.full_output_path;
  if (path === null) throw new Error('not stored');
  return new Response(await scopedArtifacts(store, { scope }).readStream(path)).text();
}

async function keysOf(store: ArtifactStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list('')) keys.push(key);
  return keys;
}

function weight(result: TruncatedOutput): number {
  return Buffer.byteLength(modelText({ text: result.text, preview: result.data.preview }));
}

describe('an output within the limits', () => {
  test.each([
    ['text', 'short'],
    ['a value', { rows: [1, 2, 3] }],
    ['a number', 5],
    ['nothing', undefined],
    ['null', null],
    ['an empty text', ''],
  ])('is returned unchanged: %s', async (_, output) => {
    const store = memoryStore();
    const put = vi.spyOn(store, 'put');
    expect(await bound(output, { store })).toBe(output);
    expect(put).not.toHaveBeenCalled();
  });

  test('becomes text if JSON cannot carry it', async () => {
    const cycle: Record<string, unknown> = { name: 'a' };
    cycle.self = cycle;
    expect(await bound(cycle)).toBe('{"name":"a","self":"[Circular]"}');
    expect(await bound({ size: 12n })).toContain('12');
  });

  test.each([
    ['a web stream', () => ReadableStream.from(['one ', 'two 🙂'])],
    ['a web stream of bytes', () => new Blob(['one two 🙂']).stream()],
    ['a Node stream', () => Readable.from([Buffer.from('one two 🙂')])],
  ])('is the text of %s', async (_, stream) => expect(await bound(stream())).toBe('one two 🙂'));
});

test('a value with shared parts that never ends is read until it is too large for any store', async () => {
  let laughs: unknown = 'laugh';
  for (let level = 0; level < 50; level++) laughs = [laughs, laughs];
  const { text, data } = await truncated(laughs, { maxArtifactBytes: 1024 });
  expect(text).toMatch(/ of more than [\d,]+ lines shown\. It became too large to save, /);
  expect(data.truncation).toMatchObject({ full_output_path: null, original_bytes: 64 * 1024 ** 2 });
});

describe('a value whose JSON differs from its measured form', () => {
  test.each<[string, unknown]>([
    ['a Buffer', { file: Buffer.alloc(37_000) }],
    ['bytes', new Uint8Array(37_000)],
    ['numbers', { pixels: new Float32Array(9000) }],
    ['a sparse array', new Array(5e6)],
    ['large numbers of any kind', [1n, ...new Array(20_000).fill(1)]],
  ])('never reaches the model above the limits: %s', async (_, output) => {
    const result = await bound(output);
    const text = isTruncatedOutput(result) ? result.data.preview : String(result);
    expect(typeof result === 'string' || isTruncatedOutput(result)).toBe(true);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(51_200);
    expect(text.split('\n').length).toBeLessThanOrEqual(2000);
  });

  test('is returned as the same reference if both are small', async () => {
    for (const output of [{ at: new Date() }, { file: Buffer.from('abc') }, new Array(2), new Map([['a', 1]])]) {
      expect(await bound(output)).toBe(output);
    }
  });
});

describe('an output over a limit', () => {
  test('is saved completely, and replaced by a bounded preview that says how much is missing', async () => {
    const store = memoryStore();
    const result = await truncated(log, {
      store,
      hint: { grep: 'grepArtifacts', read: 'readArtifact' },
      input: { service: 'api' },
    });
    expect(await stored(store, result)).toBe(log);
    expect(weight(result)).toBeLessThanOrEqual(16_384);
    expect(result).toMatchObject({
      status: 'partial',
      data: {
        truncation: {
          direction: 'auto',
          reason: 'bytes',
          max_lines: 2000,
          max_bytes: 51_200,
          original_lines: 20_000,
          original_bytes: Buffer.byteLength(log),
          original_chars: log.length,
          media_type: 'text/plain',
          expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        },
      },
      context: { cwd: '.', params_input: { service: 'api' }, tool_name: 'read', tool_call_id: 'call_1' },
    });
    const [notice, hint] = result.text.split('\n');
    expect(notice).toMatch(
      /^read succeeded, but its output is incomplete: [\d,]+ of 20,000 lines shown\. Full output saved to: tool-output\//,
    );
    expect(hint).toMatch(/^Use grepArtifacts to search/);
  });

  test('is also saved if it is over the limit in lines', async () => {
    const result = await truncated('x\n'.repeat(3000));
    expect(result.data.truncation).toMatchObject({ reason: 'lines', original_lines: 3001 });
  });

  test('is measured compact, saved indented, and shown as a smaller document if it is a value', async () => {
    const store = memoryStore();
    const result = await truncated(rows, { store });
    expect(await stored(store, result)).toBe(JSON.stringify(rows, null, 2));
    expect(result.data.truncation).toMatchObject({ reason: 'bytes', media_type: 'application/json' });
    expect(result.data.truncation.full_output_path).toMatch(/\.json$/);
    expect(() => JSON.parse(result.data.preview)).not.toThrow();
    const numbers = Array.from({ length: 2500 }, (_, index) => index);
    expect(await bound(numbers)).toBe(numbers);
  });

  test('is saved while it flows if it is a stream, byte for byte, with constant memory', async () => {
    const store = memoryStore();
    const bytes = new Uint8Array(300_000).map((_, index) => (index % 80 === 79 ? 10 : 128 + (index % 100)));
    const result = await truncated(ReadableStream.from([bytes.slice(0, 100), bytes.slice(100)]), { store });
    const path = result.data.truncation.full_output_path ?? '';
    const kept = await new Response(await scopedArtifacts(store, { scope: 'chat-1' }).readStream(path)).bytes();
    expect(Buffer.compare(kept, bytes)).toBe(0);
  });

  test('has the same preview for the same content, however its stream is cut', async () => {
    const whole = await truncated(log);
    const cut = await truncated(Readable.from(log.match(/[\s\S]{1,7000}/g) ?? []));
    expect(cut.data.preview).toBe(whole.data.preview);
    expect(cut.data.truncation.kept_lines).toBe(whole.data.truncation.kept_lines);
  });

  test('names the same limit however its stream is cut', async () => {
    const text = 'x\n'.repeat(60_000);
    const chunks = text.match(/[\s\S]{1,1000}/g) ?? [];
    const reasons = await Promise.all(
      [text, ReadableStream.from([text]), ReadableStream.from(chunks)].map((output) => truncated(output)),
    );
    expect(reasons.map(({ data }) => data.truncation.reason)).toEqual(['bytes', 'bytes', 'bytes']);
  });

  test('ends a stream that is larger than an artifact may be, because it may be endless', async () => {
    const onCancel = vi.fn();
    const endless = new ReadableStream<string>({ pull: (stream) => stream.enqueue(log), cancel: onCancel });
    const result = await truncated(endless, { maxArtifactBytes: 2_000_000 });
    expect(result.data.truncation.full_output_path).toBeNull();
    expect(onCancel).toHaveBeenCalledOnce();
  });

  test('has an envelope of plain JSON with bounded size, for any input of the tool', async () => {
    const inputs = [new Uint8Array(1500), new Array(1e6), new Map([['a', 1]]), '\u0001'.repeat(5000), { big: 1n }];
    for (const input of inputs) {
      const toolName = '\u0001'.repeat(1000);
      const result = await truncated(log, {
        input,
        toolName,
        toolCallId: toolName,
        maxBytes: 1024,
        previewBytes: 1024,
      });
      expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(2 * 1024 + 8192);
      expect(JSON.parse(JSON.stringify(result))).toEqual(result);
    }
  });

  test("is shown by the application's function, and by both ends if that fails", async () => {
    const own = await truncated(log, { keep: ({ lines }) => `all ${lines} lines were boring` });
    expect(own.data).toMatchObject({ preview: 'all 20000 lines were boring', truncation: { direction: 'custom' } });
    const failing = await truncated(log, { keep: () => Promise.reject(new Error('no model')) });
    expect(failing.data.truncation.direction).toBe('ends');
    expect(failing.data.preview).toContain('line 20000');
  });

  test('shows both ends if a function returns nothing, and passes it as much of each end as it requests', async () => {
    const keep = vi.fn((_: KeepInput) => undefined);
    const shown = await truncated(log, { keep: Object.assign(keep, { windowChars: 100_000 }) });
    expect(shown.data.truncation.direction).toBe('ends');
    expect(keep).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ head: log.slice(0, 100_000), tail: log.slice(-100_000), chars: log.length }),
    );
  });

  test('contains only the beginning of a large input', async () => {
    const { context } = await truncated(log, { input: { text: 'x'.repeat(5_000_000) } });
    expect(JSON.stringify(context).length).toBeLessThan(1000);
  });
});

describe('a stream that fails', () => {
  test('is the error of the tool, and none of it is saved', async () => {
    const store = memoryStore();
    const failure = new Error('tool broke');
    async function* lines() {
      yield log;
      throw failure;
    }
    await expect(bound(Readable.from(lines()), { store })).rejects.toBe(failure);
    await vi.waitFor(async () => expect(await keysOf(store)).toEqual([]));
  });

  test('ends with the signal, even without new chunks', async () => {
    const store = memoryStore();
    const onCancel = vi.fn();
    const silent = new ReadableStream<string>({ start: (controller) => controller.enqueue(log), cancel: onCancel });
    const abortSignal = AbortSignal.timeout(30);
    await expect(bound(silent, { store, abortSignal })).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(onCancel).toHaveBeenCalledOnce();
    await vi.waitFor(async () => expect(await keysOf(store)).toEqual([]));
  });
});

describe('a store that does not save', () => {
  const faults: [string, Partial<ArtifactStore>][] = [
    ['rejects', { put: () => Promise.reject(new Error('no space left')) }],
    ['hangs', { put: () => new Promise(() => {}) }],
  ];

  test.each(faults)('costs the path, not the output, when it %s', async (_, fault) => {
    const onTruncate = vi.fn();
    const store = { ...memoryStore(), ...fault };
    for (const output of [log, rows, Readable.from([log, log])]) {
      const result = await truncated(output, { store, saveTimeoutMs: 30, onTruncate, hint: { read: 'readArtifact' } });
      expect(result.data.truncation.full_output_path).toBeNull();
      expect(result.text).toContain('The rest was not saved and cannot be retrieved.');
      expect(result.text).not.toContain('readArtifact');
    }
    expect(onTruncate.mock.calls.map(([event]) => event.error)).toHaveLength(3);
    expect(onTruncate).toHaveBeenCalledWith(expect.objectContaining({ path: null, error: expect.any(Error) }));
  });

  test('is not used again for a while', async () => {
    const put = vi.fn(() => Promise.reject(new Error('no space left')));
    const store = { ...memoryStore(), put };
    const onTruncate = vi.fn();
    for (let count = 0; count < 5; count++) await truncated(log, { store, onTruncate });
    expect(put).toHaveBeenCalledTimes(3);
    expect(onTruncate.mock.lastCall?.[0].error).toMatchObject({
      code: 'STORE_RESTING',
      cause: { message: 'no space left' },
    });
  });

  test('is used again for others if it failed once, for one tenant', async () => {
    const inner = memoryStore();
    const store: ArtifactStore = {
      ...inner,
      put: (key, body, options) =>
        key.startsWith('poor') ? Promise.reject(new Error('over quota')) : inner.put(key, body, options),
    };
    for (let count = 0; count < 5; count++) {
      expect((await truncated(log, { store, scope: 'poor' })).data.truncation.full_output_path).toBeNull();
      expect((await truncated(log, { store, scope: 'rich' })).data.truncation.full_output_path).not.toBeNull();
    }
  });

  test('is used again after an output that was too large for an artifact', async () => {
    const store = memoryStore();
    const large = await truncated(log, { store, maxArtifactBytes: 1000 });
    expect(large.data.truncation.full_output_path).toBeNull();
    expect((await truncated(log, { store })).data.truncation.full_output_path).not.toBeNull();
  });

  test.each<[string, TruncateOutputOptions['scope']]>([
    ['is found to be empty', () => ''],
    ['finds nobody', () => undefined as never],
    [
      'throws',
      () => {
        throw new Error('no session');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no session'))],
  ])('is not used for a scope that %s', async (_, scope) => {
    const store = memoryStore();
    expect((await truncated(log, { store, scope })).data.truncation.full_output_path).toBeNull();
    expect(await keysOf(store)).toEqual([]);
  });

  test('belongs to the scope that its function finds', async () => {
    const store = memoryStore();
    const result = await truncated(log, { store, scope: async () => 'chat-2' });
    expect(await stored(store, result, 'chat-2')).toBe(log);
  });

  test('and a scope that hangs only cost the path', async () => {
    const result = await truncated(log, { scope: () => new Promise(() => {}), saveTimeoutMs: 20 });
    expect(result.data.truncation.full_output_path).toBeNull();
  });

  test('is not called if the signal was aborted before', async () => {
    const store = memoryStore();
    const result = await truncated(log, { store, abortSignal: AbortSignal.abort() });
    expect(result.data.truncation.full_output_path).toBeNull();
    expect(await keysOf(store)).toEqual([]);
  });

  test('does not delay the abort of a stream', async () => {
    const endless = new ReadableStream<string>({ pull: (stream) => stream.enqueue(log) });
    const store = { ...memoryStore(), put: () => new Promise<void>(() => {}) };
    // A call that waits for the store would exceed the time of a test.
    const options = { store, saveTimeoutMs: 3_600_000, abortSignal: AbortSignal.timeout(30) };
    await expect(bound(endless, options)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('an abort after the tool has ended only costs the path', async () => {
    const result = await truncated(log, {
      store: { ...memoryStore(), put: () => new Promise(() => {}) },
      abortSignal: AbortSignal.timeout(20),
    });
    expect(result.data.truncation.full_output_path).toBeNull();
  });

  test('an error of a listener is ignored', async () => {
    const onTruncate = () => {
      throw new Error('broken listener');
    };
    expect((await truncated(log, { onTruncate })).status).toBe('partial');
    const rejecting = () => Promise.reject(new Error('broken listener'));
    expect((await truncated(log, { onTruncate: rejecting })).status).toBe('partial');
    await new Promise((resolve) => setImmediate(resolve));
  });
});

test('an invalid option is reported before the output is touched', async () => {
  await expect(bound('x', { store: {} as never })).rejects.toThrow('`store` must be an artifact store');
  await expect(bound('x', { maxBytes: 5 })).rejects.toThrow('`maxBytes` must be');
  await expect(bound('x', { saveTimeoutMs: 0 })).rejects.toThrow('`saveTimeoutMs` must be');
  await expect(bound('x', { maxArtifactBytes: -1 })).rejects.toThrow('`maxArtifactBytes` must be');
  await expect(bound('x', { retentionDays: 99_999 })).rejects.toThrow('`retentionDays` must be');
  await expect(bound('x', { toolName: undefined as never })).rejects.toThrow('`toolName` must be');
  await expect(bound('x', { hint: { grep: 5 } as never })).rejects.toThrow('`hint.grep` must be');
  await expect(bound('x', { scope: 5 as never })).rejects.toThrow('`scope` must be');
  await expect(bound(Readable.from([{ line: 1 }]))).rejects.toThrow('`output` must be a stream of text or bytes');
  const used = Readable.from(['x']);
  for await (const _ of used);
  await expect(bound(used)).rejects.toThrow('a stream that nothing else reads');
});

describe('bytes', () => {
  const text = 'zeile ü\n'.repeat(200_000);

  test.each<[string, unknown]>([
    ['numbers', new Uint8Array([7, 12, 5])],
    ['half a character', new Uint8Array([0x50, 0xc3])],
    ['text followed by something else', Buffer.concat([Buffer.from('a'.repeat(70_000)), Buffer.alloc(1000, 0xff)])],
  ])('is returned as the same bytes if they are not text and small: %s', async (_, bytes) => {
    expect(await bound(bytes, { maxBytes: 1_000_000 })).toBe(bytes);
  });

  test('with all its bytes there is truncated after an abort too, but not saved', async () => {
    const abortSignal = AbortSignal.abort(new Error('the user left'));
    expect(await bound(Buffer.from('hi'), { abortSignal })).toBe('hi');
    expect((await truncated(Buffer.from(text), { abortSignal })).data.truncation.full_output_path).toBeNull();
  });

  test('that may not be saved is still counted and shown completely', async () => {
    const { data, text: notice } = await truncated(Buffer.from(text), { maxArtifactBytes: 200_000 });
    expect(data.truncation).toMatchObject({ original_lines: 200_001, original_bytes: Buffer.byteLength(text) });
    expect(notice).toContain('of 200,001 lines shown. The rest was not saved');
  });

  test('may be of another class', async () => {
    class Strict extends Uint8Array {
      override subarray(): never {
        throw new Error('not allowed');
      }
    }
    expect(await bound(new Strict(Buffer.from('hi')))).toBe('hi');
  });
});

describe('content that artifacts.save reads piece by piece', () => {
  const text = 'a line of text\n'.repeat(10_000);
  async function* lines() {
    for (const line of text.split(/(?<=\n)/)) yield line;
  }
  const options = () => ({ store: memoryStore(), scope: 'chat-1', toolName: 'read', toolCallId: 'call_1' });

  test.each<[string, () => unknown]>([
    ['a Blob', () => new Blob([text])],
    ['a File', () => new File([text], 'a.txt')],
    ['a Response', () => new Response(text)],
    ['an async generator', lines],
    ['an iterable of bytes', () => ReadableStream.from([Buffer.from(text)]).values()],
    ['an ArrayBuffer', () => new TextEncoder().encode(text).buffer],
  ])('is bounded and saved like a stream: %s', async (_, make) => {
    const given = options();
    const output = await truncateOutput(make(), given);
    expect((await keptOf(output, given)) === text).toBe(true);
  });

  test('becomes its text if it is small', async () => {
    expect(await truncateOutput(new Blob(['short']), options())).toBe('short');
    expect(await truncateOutput(new Response('short'), options())).toBe('short');
    expect(await truncateOutput(new Response(null), options())).toBe('');
  });

  test('is an error if it was already read, or consists of neither text nor bytes', async () => {
    const read = new Response('short');
    await read.text();
    await expect(truncateOutput(read, options())).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    const rows = (async function* () {
      yield { id: 1 };
    })();
    await expect(truncateOutput(rows, options())).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });
});

describe('a promise', () => {
  const given = () => ({ store: memoryStore(), scope: 'chat-1', toolName: 'read', toolCallId: 'call_1' });

  test.each<[string, () => unknown]>([
    ['of a text', () => Promise.resolve(log)],
    ['of a Response', () => Promise.resolve(new Response(log))],
    // biome-ignore lint/suspicious/noThenProperty: some libraries return such objects.
    ['that is not a Promise of the language', () => ({ then: (resolve: (text: string) => void) => resolve(log) })],
  ])('is bounded like the value that it resolves to: %s', async (_, make) => {
    const options = given();
    const output = await truncateOutput(make(), options);
    expect((await keptOf(output, options)) === log).toBe(true);
  });

  test('rejects with its own reason', async () => {
    await expect(truncateOutput(Promise.reject(new Error('no log')), given())).rejects.toThrow('no log');
  });
});

test.each<[string, () => unknown]>([
  [
    'revoked',
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    },
  ],
  [
    'without a readable prototype',
    () =>
      new Proxy(
        { id: 1 },
        {
          getPrototypeOf() {
            throw new Error('refused');
          },
        },
      ),
  ],
  [
    'without a readable `then`',
    () => ({
      // biome-ignore lint/suspicious/noThenProperty: this is the attack.
      get then() {
        throw new Error('refused');
      },
      log,
    }),
  ],
])('a value that refuses to be inspected is still delivered: %s', async (_, make) => {
  await expect(bound(make())).resolves.toBeDefined();
});

test('a runtime needs neither `Blob` nor `Response`', async () => {
  vi.stubGlobal('Blob', undefined);
  vi.stubGlobal('Response', undefined);
  try {
    expect(await bound('short')).toBe('short');
    expect(await bound({ id: 1 })).toEqual({ id: 1 });
  } finally {
    vi.unstubAllGlobals();
  }
});

test('a list that is emptied right after the call is saved with its items', async () => {
  const store = memoryStore();
  const list = structuredClone(rows);
  // The check of the list ends early if much time passes, as on a busy machine.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const pending = truncated(list, { store });
  clock.mockRestore();
  list.length = 0;
  expect(JSON.parse(await stored(store, await pending))).toEqual(rows);
});
