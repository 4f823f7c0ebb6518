import { setTimeout as pause } from 'node:timers/promises';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import { simulateReadableStream } from 'ai';
import { conversationScript } from './conversation';
import { exploreScript } from './explore-script';
import { type Answer, play, type Steps } from './play';
import { type Reply, turnOf } from './turn';

/** The name under which the parts of a response contain data for this demo only. */
export const SCRIPTED_PROVIDER = 'ai-truncate-demo';

/** As long as a fast model takes; an answer of any length is said within the third. */
const THINKING_MS = 120;
const WORD_MS = 15;
const MAX_SPEAKING_MS = 1_500;

export interface ScriptedModelOptions {
  /** A sentence before the answer to each question. */
  notice?: string | undefined;
  /** The time before each step. @default 120 */
  thinkingMs?: number | undefined;
}

/**
 * A model without a key, a network or an LLM: it answers by plain rules, so that the demo runs anywhere.
 *
 * Everything around it is real: the SDK calls the tools it asks for, it sees what an LLM would be sent of their outputs, and its
 * answers are made of that. The same model plays the explore agent, which it knows by the tool `report`.
 */
export function scriptedModel({ notice, thinkingMs = THINKING_MS }: ScriptedModelOptions = {}): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: SCRIPTED_PROVIDER,
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: async (options) => {
      await pause(thinkingMs, undefined, { signal: options.abortSignal });
      const reply = withNotice(replyTo(options), { options, notice });
      return {
        content: contentOf(reply),
        finishReason: finishReasonOf(reply),
        usage: usageOf(options, reply),
        ...metadataOf(reply),
        warnings: [],
      };
    },
    doStream: async (options) => {
      const reply = withNotice(replyTo(options), { options, notice });
      const chunks = toStreamParts(reply, usageOf(options, reply));
      const chunkDelayInMs = Math.min(WORD_MS, MAX_SPEAKING_MS / chunks.length);
      return { stream: simulateReadableStream({ chunks, initialDelayInMs: thinkingMs, chunkDelayInMs }) };
    },
  };
}

function replyTo(options: LanguageModelV4CallOptions): Reply {
  const turn = turnOf(options);
  return play(turn.tools.has('report') ? reported(turn.question) : conversationScript(turn), turn.results);
}

/** The sub-agent ends with a call of its tool `report`. */
function* reported(prompt: string): Steps<Answer> {
  const { conclusion, evidence } = yield* exploreScript(prompt);
  yield { toolName: 'report', input: { conclusion, evidence } };
  return { text: conclusion };
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
    { type: 'finish', finishReason: finishReasonOf(reply), usage, ...metadataOf(reply) },
  ];
}

function finishReasonOf({ call }: Reply): LanguageModelV4FinishReason {
  return { unified: call ? 'tool-calls' : 'stop', raw: undefined };
}

/** The data that the UI shows in addition to the text of an answer. */
function metadataOf({ suggestions, isUnclear }: Reply): { providerMetadata?: SharedV4ProviderMetadata } {
  if (suggestions === undefined) return {};
  const data = { suggestions: [...suggestions], isUnclear: isUnclear === true };
  return { providerMetadata: { [SCRIPTED_PROVIDER]: data } };
}

/** The follow-up questions of an answer. */
export function suggestionsIn(metadata: SharedV4ProviderMetadata | undefined): string[] {
  const suggestions = metadata?.[SCRIPTED_PROVIDER]?.suggestions;
  return Array.isArray(suggestions) ? suggestions.filter((each) => typeof each === 'string') : [];
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
