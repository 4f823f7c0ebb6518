import { setTimeout as pause } from 'node:timers/promises';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { simulateReadableStream } from 'ai';
import { answerWords } from './answer-words';
import { callRule } from './call-rule';
import { docsRule } from './docs-rule';
import { exploreReply } from './explore-reply';
import { fixRule } from './fix-rule';
import { logsRule } from './logs-rule';
import { ordersRule } from './orders-rule';
import type { Rule } from './rule';
import { searchRule } from './search-rule';
import { testsRule } from './tests-rule';
import { type Reply, turnOf } from './turn';

/** In this order: the first whose words are in the question answers it. */
const rules: readonly Rule[] = [callRule, searchRule, fixRule, testsRule, ordersRule, logsRule, docsRule];

/** As long as a fast model takes; an answer of any length is said within the third. */
const THINKING_MS = 120;
const WORD_MS = 15;
const MAX_SPEAKING_MS = 1_500;

export interface ScriptedModelOptions {
  /** Said once, before the answer to each question. */
  notice?: string | undefined;
}

/**
 * A model without a key, a network or an LLM: it answers by plain rules, so that the demo runs anywhere.
 *
 * Everything around it is real: the SDK calls the tools it asks for, it sees what an LLM would be sent of their outputs, and its
 * answers are made of that. The same model plays the explore agent, which it knows by the tool `report`.
 */
export function scriptedModel({ notice }: ScriptedModelOptions = {}): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'ai-truncate-demo',
    modelId: 'offline-rules',
    supportedUrls: {},
    doGenerate: async (options) => {
      await pause(THINKING_MS, undefined, { signal: options.abortSignal });
      const reply = withNotice(replyTo(options), { options, notice });
      return {
        content: contentOf(reply),
        finishReason: finishReasonOf(reply),
        usage: usageOf(options, reply),
        warnings: [],
      };
    },
    doStream: async (options) => {
      const reply = withNotice(replyTo(options), { options, notice });
      const chunks = toStreamParts(reply, usageOf(options, reply));
      const chunkDelayInMs = Math.min(WORD_MS, MAX_SPEAKING_MS / chunks.length);
      return { stream: simulateReadableStream({ chunks, initialDelayInMs: THINKING_MS, chunkDelayInMs }) };
    },
  };
}

function replyTo(options: LanguageModelV4CallOptions): Reply {
  const turn = turnOf(options);
  if (turn.tools.has('report')) return exploreReply(turn);
  return rules.find((rule) => rule.matches(turn))?.next(turn) ?? { text: answerWords.unknown(turn) };
}

interface Noticed {
  options: LanguageModelV4CallOptions;
  notice: string | undefined;
}

function withNotice(reply: Reply, { options: { prompt }, notice }: Noticed): Reply {
  if (notice === undefined || prompt.at(-1)?.role !== 'user') return reply;
  return { ...reply, text: reply.text === undefined ? notice : `${notice}\n\n${reply.text}` };
}

function contentOf({ text, call }: Reply): LanguageModelV4Content[] {
  return [
    ...(text === undefined ? [] : [{ type: 'text', text } as const]),
    ...(call === undefined
      ? []
      : [
          {
            type: 'tool-call',
            toolCallId: crypto.randomUUID(),
            toolName: call.toolName,
            input: JSON.stringify(call.input),
          } as const,
        ]),
  ];
}

function toStreamParts(reply: Reply, usage: LanguageModelV4Usage): LanguageModelV4StreamPart[] {
  const parts = contentOf(reply).flatMap((content): LanguageModelV4StreamPart[] => {
    if (content.type !== 'text') return [content as Extract<LanguageModelV4Content, { type: 'tool-call' }>];
    const words = content.text.split(/(?<=\s)(?=\S)/);
    return [
      { type: 'text-start', id: 'answer' },
      ...words.map((delta) => ({ type: 'text-delta', id: 'answer', delta }) as const),
      { type: 'text-end', id: 'answer' },
    ];
  });
  return [
    { type: 'stream-start', warnings: [] },
    ...parts,
    { type: 'finish', finishReason: finishReasonOf(reply), usage },
  ];
}

function finishReasonOf({ call }: Reply): LanguageModelV4FinishReason {
  return { unified: call ? 'tool-calls' : 'stop', raw: undefined };
}

const CHARS_PER_TOKEN = 4;

/** Rules read no tokens: this is about what an LLM would have read and written here, and the page says that it is estimated. */
function usageOf({ prompt, tools }: LanguageModelV4CallOptions, reply: Reply): LanguageModelV4Usage {
  const input = Math.ceil((JSON.stringify(prompt).length + JSON.stringify(tools ?? []).length) / CHARS_PER_TOKEN);
  const output = Math.ceil(JSON.stringify(reply).length / CHARS_PER_TOKEN);
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  };
}
