import { openai } from '@ai-sdk/openai';
import type { InferUITools, LanguageModel, UIDataTypes, UIMessage } from 'ai';
import { truncateToolOutputs } from 'ai-truncate';
import { filesystemStore } from 'ai-truncate/filesystem';
import { offlineModel, offlineModelLabel } from './offline-model';
import { readServerLogs } from './read-server-logs';

/** All chats of this demo share what they keep: it has no visitors to tell apart. */
export const tools = truncateToolOutputs(
  { readServerLogs },
  { store: filesystemStore({ directory: '.data/tool-output' }), scope: 'demo' },
);

export const instructions =
  'You help the team of an online shop. Read the server logs before you say what failed, and quote the line that shows it.';

/** A message of this chat, with the inputs and outputs of its tools. */
export type ChatMessage = UIMessage<unknown, UIDataTypes, InferUITools<typeof tools>>;

/** The model that answers, and how the page names it. */
export function chatModel(): { model: LanguageModel; label: string } {
  if (!process.env.OPENAI_API_KEY) {
    return { model: offlineModel(), label: offlineModelLabel };
  }
  const modelId = process.env.OPENAI_MODEL || 'gpt-5-mini';
  return { model: openai(modelId), label: `OpenAI ${modelId}` };
}
