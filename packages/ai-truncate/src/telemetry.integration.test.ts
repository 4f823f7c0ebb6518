import { AsyncLocalStorage } from 'node:async_hooks';
import { pathToFileURL } from 'node:url';
import { OpenTelemetry } from '@ai-sdk/otel';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { generateText, isStepCount, streamText, tool } from 'ai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { docExample } from '../fixtures/doc-example.ts';
import { log } from '../fixtures/one-megabyte.ts';
import { scriptedModel } from '../fixtures/scripted-model.ts';
import { telemetryApi } from '../fixtures/telemetry-api.ts';
import type { TruncationEvent } from './delivery/events.ts';
import { memoryStore } from './stores/memory-store.ts';
import { truncateToolOutputs } from './tools/truncate-tool-outputs.ts';

const exporter = new InMemorySpanExporter();
let tracer: unknown;
let onTruncate: (event: TruncationEvent) => void;
let api: {
  trace: { disable(): void };
  context: { setGlobalContextManager(manager: unknown): boolean; disable(): void };
  ROOT_CONTEXT: unknown;
};

beforeAll(async () => {
  api = await import(pathToFileURL(telemetryApi()).href);
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  tracer = provider.getTracer('test');
  api.context.setGlobalContextManager(contextManager());
  await using example = await docExample('logging.md', 'getActiveSpan');
  ({ onTruncate } = await import(pathToFileURL(example.file).href));
});

afterAll(() => api.context.disable());
beforeEach(() => exporter.reset());

/** Like the context manager of `@opentelemetry/context-async-hooks`. */
function contextManager() {
  const storage = new AsyncLocalStorage<unknown>();
  const manager = {
    active: () => storage.getStore() ?? api.ROOT_CONTEXT,
    with: (context: unknown, run: (...parameters: unknown[]) => unknown, self: unknown, ...parameters: unknown[]) =>
      storage.run(context, () => run.call(self, ...parameters)),
    bind: (context: unknown, target: unknown) =>
      typeof target === 'function'
        ? (...parameters: unknown[]) => storage.run(context, () => target(...parameters))
        : target,
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
}

async function toolSpanOf(run: 'generates' | 'streams', options: object = {}): Promise<ReadableSpan | undefined> {
  const tools = truncateToolOutputs(
    { readLogs: tool({ inputSchema: z.object({}), execute: async () => log }) },
    { store: memoryStore(), scope: 'chat-1', onTruncate, ...options },
  );
  const telemetry = { integrations: [new OpenTelemetry({ tracer: tracer as never })] };
  const settings = {
    model: scriptedModel({ toolName: 'readLogs' }),
    tools,
    prompt: 'Look.',
    stopWhen: isStepCount(3),
    telemetry,
  };
  if (run === 'generates') await generateText(settings);
  else await streamText(settings).text;
  return exporter.getFinishedSpans().find(({ name }) => name.startsWith('execute_tool'));
}

describe.each(['generates', 'streams'] as const)('the recipe for traces, in a run that %s', (run) => {
  test('records the truncation on the span of the tool', async () => {
    const span = await toolSpanOf(run);
    expect(span?.name).toBe('execute_tool readLogs');
    expect(span?.attributes).toMatchObject({
      'ai_truncate.entrance': 'tool',
      'ai_truncate.reason': 'bytes',
      'ai_truncate.original_bytes': Buffer.byteLength(log),
      'ai_truncate.sent_bytes': expect.any(Number),
      'ai_truncate.reduction': expect.closeTo(0.985, 3),
      'ai_truncate.duration_ms': expect.any(Number),
      'ai_truncate.full_output_path': expect.stringMatching(/^tool-output\/tool_/),
    });
  });

  test('records there why the output was not saved', async () => {
    const store = { ...memoryStore(), put: () => Promise.reject(new Error('disk full')) };
    const span = await toolSpanOf(run, { store });
    expect(span?.events).toMatchObject([{ name: 'exception', attributes: { 'exception.message': 'disk full' } }]);
    expect(span?.attributes).not.toHaveProperty('ai_truncate.full_output_path');
  });

  test('leaves the bounded output in the telemetry', async () => {
    const span = await toolSpanOf(run);
    const recorded = String(span?.attributes['gen_ai.tool.call.result']);
    expect(recorded).toContain('its output is incomplete');
    expect(recorded.length).toBeLessThan(64 * 1024);
  });
});
