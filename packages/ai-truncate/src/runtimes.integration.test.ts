import { EdgeRuntime } from 'edge-runtime';
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bundledWorker } from '../fixtures/bundled-worker.ts';
import { runtimeChecks } from '../fixtures/runtime-checks.ts';
import { serveWorker } from '../fixtures/serve-worker.ts';
import type { TruncationEvent } from './delivery/events.ts';
import { isTruncatedOutput } from './protocol/truncated-output.ts';
import { memoryStore } from './stores/memory-store.ts';
import { truncateOutput } from './tools/truncate-output.ts';

// The replacements by Next.js for functions that its edge runtime does not have.
const throwingStubs = `
for (const name of ['setImmediate', 'MessageChannel']) {
  globalThis[name] = function () {
    throw new Error('A Node.js API is used (' + name + ') which is not supported in the Edge Runtime.');
  };
}`;

let module = '';
let script = '';
beforeAll(async () => {
  module = await bundledWorker('es');
  script = await bundledWorker('iife');
});

const PATH = /^tool-output\/\S+\.txt$/;
const workers = [[[]], [['nodejs_compat']]];

async function startWorker(flags: readonly string[]): Promise<{ origin: string }> {
  const worker = await serveWorker(module, flags);
  onTestFinished(worker.stop);
  return worker;
}

describe('the use of the library by an application', () => {
  test.each(Object.entries(runtimeChecks))('works in Node: %s', async (_, check) => {
    await check();
  });

  test.each([
    ['edge-runtime', ''],
    ['edge-runtime with the stubs of Next.js', throwingStubs],
  ])('works in %s', async (_, globals) => {
    const runtime = new EdgeRuntime();
    runtime.evaluate(`${globals};${script}`);
    runtime.evaluate("addEventListener('fetch', (event) => event.respondWith(bundled.fetch(event.request)))");
    const response = await runtime.dispatchFetch('https://example.com/checks');
    expect(await response.json()).toEqual([]);
  });

  test.each(workers)('works in workerd with the flags %j', async (flags) => {
    const { origin } = await startWorker(flags);
    expect(await (await fetch(`${origin}/checks`)).json()).toEqual([]);
  });
});

describe.each(workers)('in workerd with the flags %j, a request whose client disconnects', (flags) => {
  test('does not disturb other requests at the same time and after it', async () => {
    const { origin } = await startWorker(flags);
    // A request that hangs must fail here, before the time limit of the test.
    const answer = async () => (await fetch(origin, { signal: AbortSignal.timeout(20_000) })).text();
    for (let round = 0; round < 20; round++) {
      const left = Array.from({ length: 4 }, () => fetch(`${origin}/leave`).then((response) => response.text()));
      const clients = Array.from({ length: 4 }, () => new AbortController());
      const aborted = clients.map(({ signal }) => fetch(origin, { signal }).catch(() => {}));
      const beside = answer();
      for (const [index, client] of clients.entries()) {
        await left[index];
        client.abort();
      }
      await Promise.all(aborted);
      expect(await Promise.all([beside, answer()])).toEqual([expect.stringMatching(PATH), expect.stringMatching(PATH)]);
    }
  });
});

describe('in a durable workflow, which has neither timers nor `performance`', () => {
  afterEach(() => vi.unstubAllGlobals());

  const unsupported = (): never => {
    throw new Error('Timeout functions are not supported in workflow functions.');
  };
  const timers = { setTimeout: unsupported, clearTimeout: unsupported, setImmediate: unsupported };
  const large = 'a line of a log\n'.repeat(20_000);

  async function deliver(output: unknown, globals: object): Promise<{ output: unknown; error: unknown }> {
    for (const [name, value] of Object.entries({ performance: undefined, ...globals })) vi.stubGlobal(name, value);
    let error: unknown;
    const given = { store: memoryStore(), scope: 'me', toolName: 't', toolCallId: 'c' };
    const onTruncate = (event: TruncationEvent): void => {
      error = event.error;
    };
    return { output: await truncateOutput(output, { ...given, onTruncate }), error };
  }

  test.each([['text'], [{ rows: [1, 2] }], [{ size: 12n }]])('a small output passes unchanged: %o', async (output) => {
    expect(isTruncatedOutput((await deliver(output, timers)).output)).toBe(false);
  });

  test.each([
    ['without `AbortController`', { AbortController: undefined }],
    ['with `AbortController`', {}],
  ])('a large output has a preview, and the event says why it is not saved: %s', async (_, globals) => {
    const { output, error } = await deliver(large, { ...timers, ...globals });
    expect(output).toMatchObject({ status: 'partial', data: { truncation: { full_output_path: null } } });
    expect(error).toMatchObject({ message: expect.stringContaining('In a workflow, truncate inside a step.') });
  });

  test('a large value has a preview too', async () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id }));
    expect((await deliver(rows, timers)).output).toMatchObject({ status: 'partial' });
  });
});
