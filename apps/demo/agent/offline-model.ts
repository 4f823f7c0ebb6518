import type {
  LanguageModelV4,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { simulateReadableStream } from 'ai';
import { answerFromLog, whatTheOfflineModelCanDo } from './offline-answers';

/** What every reply of this model must be shown with. */
export const offlineModelLabel = 'Offline model: rules, no LLM.';

/**
 * A model without a key, a network or an LLM: it answers by plain rules, so that the demo runs anywhere.
 *
 * Everything around it is real: the SDK calls the tool it asks for, and it answers from the tool result it receives.
 */
export function offlineModel(): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'ai-truncate-demo',
    modelId: 'offline-rules',
    supportedUrls: {},
    doGenerate: async ({ prompt }) => {
      const reply = replyTo(prompt);
      return { content: [reply], finishReason: finishReasonOf(reply), usage: noUsage, warnings: [] };
    },
    doStream: async ({ prompt }) => ({
      stream: simulateReadableStream({
        chunks: toStreamParts(replyTo(prompt)),
        initialDelayInMs: 150,
        chunkDelayInMs: 15,
      }),
    }),
  };
}

type Reply = Extract<LanguageModelV4Content, { type: 'text' | 'tool-call' }>;

function replyTo(prompt: LanguageModelV4Prompt): Reply {
  const last = prompt.at(-1);
  if (last?.role === 'tool') {
    return { type: 'text', text: answerFromLog(textOfToolResult(last.content)) };
  }
  const question = last?.role === 'user' ? textOf(last.content) : '';
  if (/\b(logs?|errors?|fail\w*|crash\w*|checkout|wrong|happened)\b/i.test(question)) {
    return { type: 'tool-call', toolCallId: crypto.randomUUID(), toolName: 'readServerLogs', input: '{}' };
  }
  return { type: 'text', text: whatTheOfflineModelCanDo };
}

function textOf(content: { type: string; text?: string }[]): string {
  return content.map((part) => part.text ?? '').join('\n');
}

function textOfToolResult(content: Extract<LanguageModelV4Prompt[number], { role: 'tool' }>['content']): string {
  const result = content.find((part) => part.type === 'tool-result');
  return result && (result.output.type === 'text' || result.output.type === 'error-text') ? result.output.value : '';
}

function toStreamParts(reply: Reply): LanguageModelV4StreamPart[] {
  const start: LanguageModelV4StreamPart = { type: 'stream-start', warnings: [] };
  const finish: LanguageModelV4StreamPart = { type: 'finish', finishReason: finishReasonOf(reply), usage: noUsage };
  if (reply.type === 'tool-call') {
    return [start, reply, finish];
  }
  const words = reply.text.split(/(?<=\s)/);
  return [
    start,
    { type: 'text-start', id: 'answer' },
    ...words.map((delta): LanguageModelV4StreamPart => ({ type: 'text-delta', id: 'answer', delta })),
    { type: 'text-end', id: 'answer' },
    finish,
  ];
}

function finishReasonOf(reply: Reply): LanguageModelV4FinishReason {
  return { unified: reply.type === 'tool-call' ? 'tool-calls' : 'stop', raw: undefined };
}

/** Rules read no tokens. */
const noUsage: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
