import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { environment } from '../lib/environment';
import { scriptedModel } from './scripted/scripted-model';

/** The model that answers, the one that explores, and how the page names them. */
export interface ChatModel {
  id: string;
  /** Always shown with an answer. */
  label: string;
  isScripted: boolean;
  /** Tokens of one request, where they are known. */
  contextWindow?: number;
  model: LanguageModelV4;
  exploreModel: LanguageModelV4;
}

/** The sub-agent takes many short steps, and the visitor waits until the last one. */
const SUB_AGENT_THINKING_MS = 30;

/** Visitors must never mistake the script for an LLM. */
const scriptedLabel = 'No LLM runs here: the replies are scripted. Tools, truncation, storage and search are real.';

function scripted(notice?: string): ChatModel {
  return {
    id: 'scripted',
    label: scriptedLabel,
    isScripted: true,
    model: scriptedModel({ notice }),
    exploreModel: scriptedModel({ thinkingMs: SUB_AGENT_THINKING_MS }),
  };
}

/** Replaces a model that costs money when its limit is reached. Each answer says so. */
export function unpaidChatModel(): ChatModel {
  return scripted('This demo’s LLM budget is used up. For now, the replies are scripted.');
}

/** What OpenAI's model pages said in November 2026. */
const contextWindows: readonly [RegExp, number][] = [
  [/^gpt-5/, 400_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-4o/, 128_000],
];

/** The model of this process: an OpenAI model with a key, the scripted model without a key. */
export function chatModel(): ChatModel {
  const { openai } = environment();
  if (!openai) return scripted();
  const { apiKey, baseURL, modelId, exploreModelId } = openai;
  const provider = createOpenAI({ apiKey, ...(baseURL !== undefined && { baseURL }) });
  const contextWindow = contextWindows.find(([pattern]) => pattern.test(modelId))?.[1];
  return {
    id: modelId,
    label: `OpenAI ${modelId}`,
    isScripted: false,
    ...(contextWindow && { contextWindow }),
    model: provider(modelId),
    exploreModel: provider(exploreModelId),
  };
}
