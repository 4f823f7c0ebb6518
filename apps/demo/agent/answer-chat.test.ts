import { randomUUID } from 'node:crypto';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { APICallError, simulateReadableStream } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { memoryStore } from 'ai-truncate';
import { expect, test, vi } from 'vitest';
import { type ChatEvent, messagesOf } from '../lib/chat-event';
import { chatLogInStore } from '../lib/chat-log-in-store';
import { answerChat } from './answer-chat';
import type { ChatModel } from './chat-model';

const usage = {
  inputTokens: { total: 100, noCache: 100, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 7, text: 7, reasoning: undefined },
};
const streaming = (...chunks: LanguageModelV4StreamPart[]) =>
  new MockLanguageModelV4({
    doStream: async () => ({
      stream: simulateReadableStream({
        initialDelayInMs: null,
        chunkDelayInMs: null,
        chunks: [{ type: 'stream-start', warnings: [] }, { type: 'text-start', id: 't' }, ...chunks],
      }),
    }),
  });
const saying = (delta: string) =>
  streaming(
    { type: 'text-delta', id: 't', delta },
    { type: 'text-end', id: 't' },
    { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage },
  );
const failing = (error: unknown) => new MockLanguageModelV4({ doStream: () => Promise.reject(error) });
const refused = (statusCode: number) =>
  new APICallError({
    message: 'secret details',
    url: 'http://localhost',
    requestBodyValues: {},
    statusCode,
    isRetryable: false,
  });

/** Says something to a chat and waits until all of the answer is in its log. */
async function converse(model: MockLanguageModelV4, before: readonly ChatEvent[] = []) {
  const [chatKey, log] = [randomUUID(), chatLogInStore(memoryStore())];
  const chatModel: ChatModel = {
    id: 'mock',
    label: 'mock',
    isScripted: false,
    contextWindow: 1_000,
    model,
    exploreModel: model,
  };
  const said: ChatEvent = {
    type: 'message',
    message: { id: randomUUID(), role: 'user', parts: [{ type: 'text', text: 'hello' }] },
  };
  await log.append(chatKey, [...before, said]);
  const events = (await log.read(chatKey)) ?? [];
  const onEnd = vi.fn();
  const response = await answerChat({
    chatKey,
    events,
    log,
    chatModel,
    mcp: undefined,
    signal: new AbortController().signal,
    onSavedBytes: () => {},
    onEnd,
  });
  const body = await response.text();
  await vi.waitFor(() => expect(onEnd).toHaveBeenCalledOnce());
  const logged = (await log.read(chatKey)) ?? [];
  return { body, events: logged, messages: messagesOf(logged) };
}

test('a finished answer is in the log with its costs', async () => {
  const { messages } = await converse(saying('hi there'));
  expect(messages).toHaveLength(2);
  expect(messages[1]).toMatchObject({
    role: 'assistant',
    parts: [{ type: 'step-start' }, { type: 'text', text: 'hi there' }],
    metadata: {
      contextWindow: 1_000,
      model: { id: 'mock', isScripted: false },
      steps: [{ inputTokens: 100, outputTokens: 7, isEstimated: false }],
    },
  });
});

test.each([
  [401, 'OPENAI_API_KEY'],
  [429, 'has too many requests'],
  [500, 'answered with an error (500)'],
])('an error %i of the model is explained in words, and its own message stays on the server', async (status, words) => {
  const report = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { body, messages } = await converse(failing(refused(status)));
  expect(body).toContain(words);
  expect(body).not.toContain('secret details');
  expect(report).toHaveBeenCalled();
  report.mockRestore();
  // Nothing was said: nothing stands in the history that a model could not be sent.
  expect(messages.map(({ role }) => role)).toEqual(['user']);
});

test('an approved call that never ran is not sent to the model', async () => {
  const input = { path: 'README.md', patch: '@@ -1 +1 @@\n-a\n+b', dryRun: false };
  const part = {
    type: 'tool-editFile',
    toolCallId: 'c',
    state: 'approval-responded',
    input,
    approval: { id: 'a', approved: true },
  } as const;
  const model = saying('on we go');
  const { messages } = await converse(model, [
    { type: 'message', message: { id: '1', role: 'user', parts: [{ type: 'text', text: 'fix it' }] } },
    { type: 'part', messageId: 'answer', index: 0, part: { type: 'text', text: 'I try.' } },
    { type: 'part', messageId: 'answer', index: 1, part },
  ]);
  expect(messages.at(-1)?.parts).toMatchObject([{ type: 'step-start' }, { text: 'on we go' }]);
  expect(JSON.stringify(model.doStreamCalls[0]?.prompt)).not.toContain('editFile');
});

test('an error in the middle of an answer keeps its first part', async () => {
  const model = streaming(
    { type: 'text-delta', id: 't', delta: 'half an ans' },
    { type: 'error', error: new Error('cut') },
  );
  const report = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { body, messages } = await converse(model);
  report.mockRestore();
  expect(body).toContain('The answer failed. Try again.');
  expect(messages[1]?.parts).toMatchObject([{ type: 'step-start' }, { text: 'half an ans' }]);
});

test('an answer leaves no timer when it has ended, because a timer would hold its request for minutes', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const ofPlatform = vi.spyOn(AbortSignal, 'timeout');
  await converse(saying('done'));
  expect(timers()).toBe(before);
  // That of the platform is not told among those, and cannot be cleared.
  expect(ofPlatform).not.toHaveBeenCalled();
  ofPlatform.mockRestore();
});
