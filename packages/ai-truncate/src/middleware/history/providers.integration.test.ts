import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, isStepCount, type LanguageModel, type ModelMessage, type ToolSet, tool } from 'ai';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type AnsweringServer, startAnsweringServer } from '../../../fixtures/answering-server.ts';
import { page } from '../../../fixtures/long-conversation.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { boundMessages } from './bound-messages.ts';
import { isHistoryReference } from './history-words.ts';

/** Steps with a call. The last step answers with text. */
const STEPS = 12;
const readPage = tool({
  inputSchema: z.object({ page: z.number() }),
  execute: ({ page: number }) => page(number),
});

interface Provider {
  /** The answer of the provider to a request, after so many results. */
  answer(done: number): unknown;
  /** How many results of `readPage` a request contains. */
  resultsIn(body: never): number;
  model(url: string): LanguageModel;
  tools: ToolSet;
  providerOptions?: Parameters<typeof generateText>[0]['providerOptions'];
}

const usage = { input_tokens: 10, output_tokens: 5 };
const called = (id: number) => `call_${id}abcdef`;

type Item = { type?: string; [key: string]: unknown };

const openAi: Provider = {
  answer: (done) => ({
    ...{ id: `resp_${done}`, created_at: 1_750_000_000, model: 'gpt-5-mini', usage },
    output: [
      {
        ...{ type: 'reasoning', id: `rs_${done}`, encrypted_content: `secret-${done}` },
        summary: [{ type: 'summary_text', text: `I think about page ${done}.` }],
      },
      ...(done === 2
        ? [{ type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'fox' } }]
        : []),
      done < STEPS
        ? {
            ...{
              type: 'function_call',
              id: `fc_${done}`,
              call_id: called(done),
              name: 'readPage',
              status: 'completed',
            },
            arguments: JSON.stringify({ page: done }),
          }
        : {
            ...{ type: 'message', id: 'msg_1', role: 'assistant' },
            content: [{ type: 'output_text', text: 'All read.', annotations: [] }],
          },
    ],
  }),
  resultsIn: ({ input }: { input: Item[] }) => input.filter(({ type }) => type === 'function_call_output').length,
  model: (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'key' })('gpt-5-mini'),
  tools: { readPage, web_search: createOpenAI({ apiKey: 'key' }).tools.webSearch() },
};

const anthropic: Provider = {
  answer: (done) => ({
    ...{ type: 'message', id: `msg_${done}`, role: 'assistant', model: 'claude-sonnet-4-5', usage },
    content: [
      { type: 'thinking', thinking: `I think about page ${done}.`, signature: `signature-${done}` },
      ...(done === 2
        ? [
            { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'fox' } },
            {
              ...{ type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1' },
              content: [
                {
                  ...{ type: 'web_search_result', url: 'https://example.com', title: 'Fox' },
                  ...{ encrypted_content: 'secret', page_age: null },
                },
              ],
            },
          ]
        : []),
      done < STEPS
        ? { type: 'tool_use', id: called(done), name: 'readPage', input: { page: done } }
        : { type: 'text', text: 'All read.' },
    ],
    stop_reason: done < STEPS ? 'tool_use' : 'end_turn',
  }),
  resultsIn: ({ messages }: { messages: { content: Item[] | string }[] }) =>
    messages
      .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
      .filter(({ type }) => type === 'tool_result').length,
  model: (url) => createAnthropic({ baseURL: url, apiKey: 'key' })('claude-sonnet-4-5'),
  tools: { readPage, web_search: createAnthropic({ apiKey: 'key' }).tools.webSearch_20250305({ maxUses: 1 }) },
  providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 2000 } } },
};

const google: Provider = {
  answer: (done) => ({
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            { text: `I think about page ${done}.`, thought: true },
            done < STEPS
              ? {
                  functionCall: { id: called(done), name: 'readPage', args: { page: done } },
                  thoughtSignature: `signature-${done}`,
                }
              : { text: 'All read.', thoughtSignature: 'signature' },
          ],
        },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  }),
  resultsIn: ({ contents }: { contents: { parts: object[] }[] }) =>
    contents.flatMap(({ parts }) => parts).filter((part) => 'functionResponse' in part).length,
  model: (url) => createGoogle({ baseURL: url, apiKey: 'key' })('gemini-2.5-flash'),
  tools: { readPage },
};

let server: AnsweringServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** All requests of a run of an agent. */
async function requestsOf(
  provider: Provider,
  run: { isBounded: boolean; messages?: ModelMessage[] },
): Promise<unknown[]> {
  const { bodies, url, close } = await startAnsweringServer((body) => provider.answer(provider.resultsIn(body)));
  server = { bodies, url, close };
  const store = memoryStore();
  const { model, tools, providerOptions } = provider;
  const result = await generateText({
    ...{ model: model(url), tools, stopWhen: isStepCount(STEPS + 1), ...(providerOptions && { providerOptions }) },
    messages: run.messages ?? [{ role: 'user', content: 'Read all pages.' }],
    ...(run.isBounded && {
      prepareStep: async ({ messages }) => ({
        messages: await boundMessages(messages, { store, scope: 'chat-1', maxTokens: 8000 }),
      }),
    }),
  });
  expect(result.text).toBe('All read.');
  await close();
  return bodies;
}

/** The places where two values differ, each with the text of the second. */
function differences(one: unknown, other: unknown, path = ''): Record<string, unknown> {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return one === other ? {} : { [path]: other };
  }
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  const at = (value: object, key: string) => (value as Record<string, unknown>)[key];
  return Object.assign({}, ...[...keys].map((key) => differences(at(one, key), at(other, key), `${path}/${key}`)));
}

describe.each<[string, Provider, { places: RegExp; marks: string[] }]>([
  [
    'OpenAI Responses, which refers to its items by id',
    openAi,
    { places: /^\/input\/\d+\/output$/, marks: ['rs_0', 'ws_1', 'call_0abcdef'] },
  ],
  [
    'OpenAI Responses without storage, with encrypted reasoning',
    { ...openAi, providerOptions: { openai: { store: false, include: ['reasoning.encrypted_content'] } } },
    { places: /^\/input\/\d+\/output$/, marks: ['rs_0', 'secret-0', 'think about page 0'] },
  ],
  [
    'Anthropic, with signed thinking and its own web search',
    anthropic,
    {
      places: /^\/messages\/\d+\/content\/\d+\/content(\/0\/text)?$/,
      marks: ['signature-0', 'think about page 0', 'srvtoolu_1', 'web_search_tool_result'],
    },
  ],
  [
    'Google, with signatures of thoughts',
    google,
    {
      places: /^\/contents\/\d+\/parts\/\d+\/functionResponse\/response\/content$/,
      marks: ['signature-0', 'think about page 0'],
    },
  ],
])('%s', (_, provider, { places, marks }) => {
  test('receives the same requests, except for references in place of old results', async () => {
    const untouched = await requestsOf(provider, { isBounded: false });
    const bounded = await requestsOf(provider, { isBounded: true });
    expect(bounded).toHaveLength(untouched.length);
    for (const [step, body] of bounded.entries()) {
      for (const [path, text] of Object.entries(differences(untouched[step], body))) {
        expect(path).toMatch(places);
        expect(isHistoryReference(String(text))).toBe(true);
      }
    }
    const last = differences(untouched.at(-1), bounded.at(-1));
    expect(Object.keys(last).length).toBeGreaterThan(4);
    const sent = JSON.stringify(bounded.at(-1));
    for (const mark of marks) expect(sent).toContain(mark);
  });

  test('receives requests that begin like the previous request, except when results leave', async () => {
    const bounded = await requestsOf(provider, { isBounded: true });
    const list = (body: unknown) =>
      Object.values(body as object).find(
        (value) => Array.isArray(value) && value.length > 0 && JSON.stringify(value).includes('Read all pages'),
      ) as unknown[];
    let rewrites = 0;
    for (let step = 1; step < bounded.length; step++) {
      const before = list(bounded[step - 1]).map((item) => JSON.stringify(item));
      const now = list(bounded[step]).map((item) => JSON.stringify(item));
      if (!before.every((item, index) => item === now[index])) rewrites++;
    }
    expect(rewrites).toBeGreaterThan(0);
    expect(rewrites).toBeLessThanOrEqual(3);
  });
});

test('an approval and the result that follows it in the same message stay together', async () => {
  const approval = (id: number): ModelMessage[] => [
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: called(id), toolName: 'readPage', input: { page: id } },
        { type: 'tool-approval-request', approvalId: `approval_${id}`, toolCallId: called(id) },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-approval-response', approvalId: `approval_${id}`, approved: true },
        {
          type: 'tool-result',
          toolCallId: called(id),
          toolName: 'readPage',
          output: { type: 'text', value: page(id) },
        },
      ],
    },
  ];
  const messages: ModelMessage[] = [
    { role: 'user', content: 'Read all pages.' },
    ...Array.from({ length: 9 }, (_, id) => approval(id)).flat(),
  ];
  const bounded = await boundMessages(messages, { store: memoryStore(), scope: 'chat-1', maxTokens: 8000 });
  for (const path of Object.keys(differences(messages, bounded)))
    expect(path).toMatch(/^\/\d+\/content\/1\/output\/value$/);
  const untouched = await requestsOf(openAi, { isBounded: false, messages });
  const sent = await requestsOf(openAi, { isBounded: true, messages });
  const changes = differences(untouched[0], sent[0]);
  expect(Object.keys(changes).length).toBeGreaterThan(3);
  for (const path of Object.keys(changes)) expect(path).toMatch(/^\/input\/\d+\/output$/);
});
