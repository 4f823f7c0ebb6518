import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Act, type ActRequest, actingModel } from '../../../fixtures/acting-model.ts';
import type { Artifacts } from '../../artifacts/artifacts.ts';
import { scopedArtifacts } from '../../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { isResult, type SubAgentProgress, type SubAgentResult } from '../task/sub-agent.ts';
import { exploreAgent } from './explore-agent.ts';
import type { ExploreAgentOptions } from './options.ts';

let artifacts: Artifacts;
let path = '';

beforeEach(async () => {
  artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
  const lines = Array.from({ length: 4000 }, (_, index) => `line ${index + 1} is ordinary`);
  lines[1999] = 'ERROR disk full on /dev/sda1';
  path = (await artifacts.save(lines.join('\n'), { toolName: 'readLog', toolCallId: 'call_1' })).path;
});

interface Ran {
  result: SubAgentResult;
  progress: SubAgentProgress[];
  requests: ActRequest[];
}

async function run(
  act: (request: ActRequest) => Act | PromiseLike<Act>,
  options: Omit<ExploreAgentOptions, 'model'> & { abortSignal?: AbortSignal; over?: Artifacts } = {},
): Promise<Ran> {
  const { abortSignal = new AbortController().signal, over = artifacts, ...settings } = options;
  const requests: ActRequest[] = [];
  const model = actingModel((request) => {
    requests.push(request);
    return act(request);
  });
  const agent = exploreAgent({ model, ...settings });
  const progress: SubAgentProgress[] = [];
  for await (const each of agent.run('Why did it fail?', { artifacts: over, abortSignal, depth: 1 })) {
    if (isResult(each)) return { result: each, progress, requests };
    progress.push(each);
  }
  throw new Error('no result');
}

const grep = { toolName: 'grepArtifacts', input: { pattern: 'ERROR' } };
const reportOf = (over: Record<string, unknown> = {}) => ({
  toolName: 'report',
  input: {
    conclusion: 'The disk was full.',
    evidence: [{ path, start_line: 2000, end_line: 2000, quote: 'ERROR disk full' }],
    ...over,
  },
});

describe('a search', () => {
  test('reads with the five readers and nothing else, reports, and its quotes are checked', async () => {
    const { result, requests } = await run(({ step }) => (step === 1 ? grep : reportOf()));
    expect(result).toMatchObject({
      conclusion: 'The disk was full.',
      evidence: [{ path, startLine: 2000, endLine: 2000, quote: 'ERROR disk full', verified: true }],
      steps: 2,
      usage: { inputTokens: 200, outputTokens: 40, inputTokenDetails: { cacheReadTokens: 80 } },
    });
    expect(result.incomplete).toBeUndefined();
    expect(result.error).toBeUndefined();
    expect(result.bytesRead).toBeGreaterThan(80_000);
    expect(requests[0]?.tools.sort()).toEqual(
      ['globArtifacts', 'grepArtifacts', 'listArtifacts', 'queryArtifact', 'readArtifact', 'report'].sort(),
    );
    expect(requests[1]?.results[0]).toContain('2000: ERROR disk full on /dev/sda1');
  });

  test('gets its instructions and the additions of the application', async () => {
    const { requests } = await run(() => reportOf(), { instructions: 'Our logs are in UTC.' });
    const system = requests[0]?.prompt[0];
    expect(system?.role).toBe('system');
    expect(system?.content).toMatch(/You may only read(.|\n)*Our logs are in UTC\.$/);
  });

  test('marks a quote that was not found', async () => {
    const evidence = [{ path, start_line: 2000, end_line: 2000, quote: 'ERROR disk empty' }];
    const { result } = await run(() => reportOf({ evidence }));
    expect(result.evidence).toMatchObject([{ verified: false }]);
  });

  test('gets another try when its report cannot be used', async () => {
    const { result, requests } = await run(({ step }) => (step === 1 ? reportOf({ conclusion: ' ' }) : reportOf()));
    expect(requests[1]?.results[0]).toContain('`conclusion` must be a text');
    expect(result).toMatchObject({ conclusion: 'The disk was full.', steps: 2 });
  });
});

describe('the last step', () => {
  test('is forced to report when the steps are used up', async () => {
    const { result, requests } = await run(({ toolChoice }) => (toolChoice?.type === 'tool' ? reportOf() : grep), {
      maxSteps: 4,
    });
    expect(requests).toHaveLength(4);
    expect(requests.map(({ toolChoice }) => toolChoice?.type)).toEqual(['auto', 'auto', 'auto', 'tool']);
    expect(requests[3]?.tools, 'the same tools, so that the cached prompt stays').toEqual(requests[0]?.tools);
    expect(result).toMatchObject({
      conclusion: 'The disk was full.',
      steps: 4,
      incomplete: 'It used all of its 4 steps.',
    });
  });

  test('is at most the twelfth', async () => {
    const { result, requests } = await run(({ toolChoice }) => (toolChoice?.type === 'tool' ? reportOf() : grep));
    expect(requests).toHaveLength(12);
    expect(result.steps).toBe(12);
  });

  test('is forced to report when the model only writes text, and the answer is complete', async () => {
    const { result, requests } = await run(({ step }) => (step === 1 ? 'It was the disk.' : reportOf()));
    expect(requests[1]?.prompt.at(-1)).toMatchObject({
      role: 'user',
      content: [{ text: expect.stringContaining('report') }],
    });
    expect(result).toMatchObject({ conclusion: 'The disk was full.', steps: 2 });
    expect(result.incomplete).toBeUndefined();
  });

  test('is only asked for when a tool choice cannot be forced', async () => {
    const { result, requests } = await run(({ step, toolChoice }) => {
      if (toolChoice?.type === 'tool') throw new Error('tool_choice is not supported while thinking');
      return step === 1 ? 'It was the disk.' : reportOf();
    });
    expect(requests.at(-1)).toMatchObject({ tools: ['report'], toolChoice: { type: 'auto' } });
    expect(result.conclusion).toBe('The disk was full.');
  });

  test('counts as an answer without evidence when the model never reports', async () => {
    const { result } = await run(() => 'It was the disk.');
    expect(result).toMatchObject({ conclusion: 'It was the disk.', incomplete: 'It gave no evidence.' });
  });

  test('is an error when there is no text', async () => {
    const { result } = await run(() => '');
    expect(result).toMatchObject({ conclusion: '', error: { code: 'AGENT_NO_ANSWER' } });
    expect(result.steps).toBeGreaterThan(0);
  });
});

describe('a budget ends a search with a report', () => {
  test('when its bytes are read', async () => {
    const { result, requests } = await run(({ toolChoice }) => (toolChoice?.type === 'tool' ? reportOf() : grep), {
      maxScanBytes: 100_000,
    });
    expect(requests).toHaveLength(3);
    expect(result).toMatchObject({ conclusion: 'The disk was full.', incomplete: 'It read all of its 100,000 bytes.' });
  });

  test('when a step has many calls: six are answered, and the others must wait', async () => {
    const { requests } = await run(({ step }) => (step === 1 ? Array(200).fill(grep) : reportOf()));
    const answered = requests[1]?.results ?? [];
    expect(answered.filter((result) => result.includes('disk full'))).toHaveLength(6);
    expect(answered[199]).toContain('At most 6 calls are answered in one step.');
    expect(answered.join('').length).toBeLessThan(60_000);
  });

  test('when the readers of one step have read its bytes together', async () => {
    const five = [grep, grep, grep, grep, grep];
    const { result, requests } = await run(({ toolChoice }) => (toolChoice?.type === 'tool' ? reportOf() : five), {
      maxScanBytes: 1,
    });
    expect(requests).toHaveLength(2);
    expect(result.incomplete).toContain('bytes');
    expect(result.bytesRead, 'each has the chunk that it began').toBeLessThan(6 * 100_000);
  });

  test('when its tokens are written', async () => {
    const { result, requests } = await run(({ toolChoice }) => (toolChoice?.type === 'tool' ? reportOf() : grep), {
      maxOutputTokens: 256,
      maxSteps: 50,
    });
    expect(requests).toHaveLength(14);
    expect(result.incomplete).toBe('It wrote all of its 256 tokens.');
  });

  test('when its time is up', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    try {
      const { result, requests } = await run(
        ({ toolChoice }) => {
          now += 3000;
          return toolChoice?.type === 'tool' ? reportOf() : grep;
        },
        { timeoutMs: 10_000 },
      );
      expect(requests).toHaveLength(4);
      expect(result.incomplete).toBe('It used all of its time (10 s).');
    } finally {
      vi.restoreAllMocks();
    }
  });

  test('sends the limit of tokens only when the application set it', async () => {
    const told: unknown[] = [];
    for (const maxOutputTokens of [undefined, 4000]) {
      const model = actingModel(() => reportOf());
      const agent = exploreAgent({ model, ...(maxOutputTokens && { maxOutputTokens }) });
      const call = { artifacts, abortSignal: new AbortController().signal, depth: 1 };
      for await (const _ of agent.run('Why?', call));
      told.push(model.doGenerateCalls[0]?.maxOutputTokens);
    }
    expect(told).toEqual([undefined, 4000]);
  });
});

describe('a failure is a result with its cost:', () => {
  test('the provider fails', async () => {
    const failure = new Error('out of credit');
    const { result } = await run(({ step }) => {
      if (step > 1) throw failure;
      return grep;
    });
    expect(result).toMatchObject({ conclusion: '', steps: 1, usage: { inputTokens: 100 } });
    expect(result.error).toBe(failure);
  });

  test('the model hangs and ignores its signal until the time is up', async () => {
    const { result } = await run(() => new Promise(() => {}), { timeoutMs: 200 });
    expect(result).toMatchObject({ conclusion: '', error: { code: 'AGENT_TIMEOUT' } });
    expect(String(result.error)).toContain('after 0.2 seconds');
  });

  test('the last results are too large for the model, and earlier results are still reported', async () => {
    const { result, requests } = await run(({ step, toolChoice }) => {
      if (toolChoice?.type === 'tool') return reportOf();
      if (step === 3) throw Object.assign(new Error('too long'), { name: 'AI_APICallError', statusCode: 400 });
      return grep;
    });
    expect(requests).toHaveLength(4);
    expect(requests[3]?.prompt.filter(({ role }) => role === 'tool')).toHaveLength(2);
    expect(result).toMatchObject({
      conclusion: 'The disk was full.',
      evidence: [{ verified: true }],
      incomplete: 'It was ended by an error: AI_APICallError, status 400.',
      steps: 3,
    });
  });

  test('a step hangs, and earlier results are reported in time', async () => {
    const { result, requests } = await run(
      ({ step, toolChoice }) => (toolChoice?.type === 'tool' ? reportOf() : step === 1 ? grep : new Promise(() => {})),
      { timeoutMs: 1000 },
    );
    expect(requests).toHaveLength(3);
    expect(result).toMatchObject({ conclusion: 'The disk was full.', incomplete: 'It used all of its time (1 s).' });
  });

  test('the check of the quotes hangs, and the report is not lost', async () => {
    const over: Artifacts = { ...artifacts, readStream: () => new Promise(() => {}) };
    const { result } = await run(
      () => reportOf({ evidence: [{ path, start_line: 3, end_line: 3, quote: 'ERROR disk full' }] }),
      { timeoutMs: 300, over },
    );
    expect(result).toMatchObject({
      conclusion: 'The disk was full.',
      evidence: [{ verified: false, unchecked: true }],
    });
  });

  test('a reader hangs in the same step, and the report is not lost', async () => {
    const over: Artifacts = { ...artifacts, readStream: () => new Promise(() => {}) };
    const { result } = await run(
      ({ toolChoice }) => (toolChoice?.type === 'tool' ? [reportOf(), grep] : 'It is over.'),
      {
        timeoutMs: 300,
        over,
      },
    );
    expect(result).toMatchObject({ conclusion: 'The disk was full.' });
  });

  test('the model does not obey, and the sum includes that call', async () => {
    const { result, requests } = await run(() => 'It was the disk.');
    expect(requests).toHaveLength(3);
    expect(result).toMatchObject({ steps: 3, usage: { inputTokens: 300, outputTokens: 60 } });
  });

  test('the report fails, and the earlier text of the model is not lost', async () => {
    const { result, requests } = await run(({ step }) => {
      if (step > 1) throw Object.assign(new Error('no credit'), { statusCode: 402 });
      return 'It was the disk.';
    });
    expect(result).toMatchObject({ conclusion: 'It was the disk.', incomplete: 'It gave no evidence.', steps: 1 });
    expect(requests, 'a provider that refuses is not asked again').toHaveLength(2);
  });

  test('the model hangs until the time is up', async () => {
    const { result } = await run(
      ({ abortSignal }) =>
        new Promise((_, reject) => abortSignal?.addEventListener('abort', () => reject(abortSignal.reason))),
      { timeoutMs: 50 },
    );
    expect(result).toMatchObject({ conclusion: '', error: { code: 'AGENT_TIMEOUT' } });
  });

  test('the store fails, and only that reader has no answer', async () => {
    const over: Artifacts = { ...artifacts, readStream: () => Promise.reject(new Error('EIO at /srv/secret')) };
    const { result, requests } = await run(({ step }) => (step === 1 ? grep : reportOf()), { over });
    expect(requests[1]?.results[0]).toContain('could not be searched');
    expect(requests[1]?.results[0]).not.toContain('/srv/secret');
    expect(result.conclusion).toBe('The disk was full.');
  });
});

test('leaves no timer, whether it reports or fails', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await run(() => reportOf());
  await run(() => Promise.reject(Object.assign(new Error('no right'), { statusCode: 401 })));
  expect(vi.getTimerCount()).toBe(0);
});

describe('an abort', () => {
  test('reaches a reader at once, and ends the search with its reason', async () => {
    const controller = new AbortController();
    let reached: AbortSignal | undefined;
    const over: Artifacts = {
      ...artifacts,
      readStream: (_, options) =>
        new Promise((_resolve, reject) => {
          reached = options?.abortSignal;
          reached?.addEventListener('abort', () => reject(reached?.reason));
          controller.abort(new Error('the caller left'));
        }),
    };
    const running = run(() => grep, { over, abortSignal: controller.signal });
    await expect(running).rejects.toThrow('the caller left');
    expect(reached?.aborted).toBe(true);
  });
});

describe('progress', () => {
  test('reports the phase, the step, the tool and its purpose, then the evidence as it is checked', async () => {
    const { progress } = await run(async ({ step }) => {
      await new Promise((resolve) => setImmediate(resolve));
      return step === 1 ? grep : reportOf();
    });
    expect(progress[0]).toMatchObject({ phase: 'thinking', step: 1, maxSteps: 12 });
    expect(progress).toContainEqual(
      expect.objectContaining({ phase: 'reading', step: 1, maxSteps: 12, tool: 'grepArtifacts', label: 'ERROR' }),
    );
    expect(progress.at(-1)).toMatchObject({ phase: 'checking', step: 2, evidence: [{ verified: true }] });
  });

  test('never contains answers of readers', async () => {
    const { progress } = await run(({ step }) =>
      step === 1 ? { toolName: 'readArtifact', input: { path, offset: 100, limit: 20 } } : reportOf(),
    );
    expect(JSON.stringify(progress)).not.toContain('is ordinary');
    expect(progress).toContainEqual(expect.objectContaining({ tool: 'readArtifact', label: 'lines 100-119' }));
  });
});
