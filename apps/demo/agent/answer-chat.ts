import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  isStepCount,
  isToolUIPart,
  streamText,
  type ToolSet,
  toUIMessageStream,
  wrapLanguageModel,
} from 'ai';
import type { TruncationEvent } from 'ai-truncate';
import { answerRecorder } from '../lib/answer-recorder';
import { type ChatEvent, messagesOf, writtenFilesOf } from '../lib/chat-event';
import type { ChatLog } from '../lib/chat-log';
import { isDiskFull as hasNoRoom } from '../lib/disk-room';
import { RequestError } from '../lib/request-error';
import { costMeter } from './answer-cost';
import { chatInstructions, missingServerInstruction } from './chat-instructions';
import type { ChatMessage } from './chat-message';
import type { ChatModel } from './chat-model';
import { boundedMcpTools, type ChatToolsOptions, chatTools } from './chat-tools';
import { editApproval } from './edit-file';
import { failureWords, unsavedWords } from './failure-words';
import type { McpServer } from './mcp-tools';
import { isSharedOutput } from './read-server-logs';
import { suggestionsIn } from './scripted/scripted-model';
import { workspaceOf } from './workspace';

const MAX_STEPS = 12;
/** Reasoning counts as output: less would end some answers before their first word. */
const MAX_OUTPUT_TOKENS = 16_000;
/** A run that hangs somewhere would keep its chat busy. */
const MAX_RUN_MS = 5 * 60_000;

export interface AnswerOptions {
  chatKey: string;
  /** All of the chat so far; its last message is what is answered, or an answer that goes on after an approval. */
  events: readonly ChatEvent[];
  log: ChatLog;
  chatModel: ChatModel;
  mcp: McpServer | undefined;
  /** The visitor stopped, or went away. */
  signal: AbortSignal;
  /** Called with the size of each output that was saved for this chat alone. */
  onSavedBytes: (bytes: number) => void;
  /** Called when all of the answer is in the log, or it failed. */
  onEnd: () => void;
}

/** Answers a chat: a stream of the message for the page, whose every part goes into the log as it comes into being. */
export async function answerChat(options: AnswerOptions): Promise<Response> {
  const { chatKey, events, log, chatModel, signal } = options;
  const messages = messagesOf(events);
  const last = messages.at(-1);
  const unfinished = last?.role === 'assistant' ? last : undefined;
  const cost = costMeter(chatModel, unfinished?.metadata);
  const eventsOf = answerRecorder(unfinished);
  let isFinished = false;
  /** At least one output was not saved for that reason. The visitor sees it under the answer. */
  let isDiskFull = unfinished?.metadata?.isDiskFull === true;
  let unsaved: unknown;
  let recording = Promise.resolve();
  function record(message: ChatMessage): Promise<void> {
    recording = log.append(chatKey, eventsOf(message)).catch((error: unknown) => {
      if (!(error instanceof RequestError)) console.error(error);
      unsaved ??= error;
    });
    return recording;
  }

  let suggestions: string[] = [];
  const ending = () => ({
    isFinished,
    ...(isDiskFull && { isDiskFull }),
    ...(suggestions.length > 0 && { suggestions }),
  });

  function onTruncate({ toolName, path, bytes, error }: TruncationEvent): void {
    if (path === null) {
      if (hasNoRoom(error)) isDiskFull = true;
      else if (!signal.aborted) console.error(error);
    } else if (!isSharedOutput(toolName)) {
      options.onSavedBytes(bytes);
    }
  }

  const { tools, problem } = await toolsOf({ ...options, onTruncate });
  const modelMessages = await convertToModelMessages(withoutLooseEnds(messages), {
    tools,
    ignoreIncompleteToolCalls: true,
  });
  // `AbortSignal.timeout` would hold all of the request until its time is up, long after the answer.
  const timeLimit = new AbortController();
  const timer = setTimeout(
    () => timeLimit.abort(new DOMException('The answer took too long.', 'TimeoutError')),
    MAX_RUN_MS,
  );
  const result = streamText({
    model: wrapLanguageModel({ model: chatModel.model, middleware: cost.middleware }),
    instructions: problem ? `${chatInstructions}\n${missingServerInstruction(problem)}` : chatInstructions,
    messages: modelMessages,
    tools,
    toolApproval: ({ toolCall }) =>
      toolCall.toolName === 'editFile' ? editApproval(toolCall.input as { dryRun: boolean }) : 'not-applicable',
    stopWhen: isStepCount(MAX_STEPS),
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    abortSignal: AbortSignal.any([signal, timeLimit.signal]),
    onError: ({ error }) => console.error(error),
  });
  const stream = toUIMessageStream<ToolSet, ChatMessage>({
    stream: result.stream,
    tools,
    originalMessages: messages,
    generateMessageId: () => crypto.randomUUID(),
    messageMetadata({ part }) {
      if (part.type === 'finish') isFinished = part.finishReason !== 'error' && part.finishReason !== 'length';
      if (part.type === 'finish-step') suggestions = suggestionsIn(part.providerMetadata);
      const metadata = cost.onPart(part);
      return metadata && { ...metadata, ...ending() };
    },
    onError: failureWords,
    redactToolErrors: false,
    onStepEnd: ({ responseMessage }) => record(responseMessage),
    onEnd: ({ responseMessage }) => record({ ...responseMessage, metadata: { ...cost.metadata(), ...ending() } }),
  });
  const withLastWords = stream.pipeThrough(
    new TransformStream({
      // The SDK drops errors of `onStepEnd` and `onEnd`, so the page would never learn that the answer is not in the chat.
      async flush(controller) {
        await recording;
        if (unsaved !== undefined) controller.enqueue({ type: 'error', errorText: unsavedWords(unsaved) });
      },
    }),
  );
  // Two readers: the log is written to its end, whether or not the page stays.
  const [toPage, toEnd] = withLastWords.tee();
  void readToEnd(toEnd).finally(() => {
    clearTimeout(timer);
    options.onEnd();
  });
  return createUIMessageStreamResponse({ stream: toPage, headers: { 'cache-control': 'no-store' } });
}

async function toolsOf({
  chatKey,
  events,
  log,
  chatModel,
  mcp,
  onTruncate,
}: AnswerOptions & Pick<ChatToolsOptions, 'onTruncate'>): Promise<{ tools: ToolSet; problem?: string }> {
  const owner = { chatKey, ...(onTruncate && { onTruncate }) };
  const workspace = workspaceOf(writtenFilesOf(events), (file) => log.append(chatKey, [{ type: 'file', ...file }]));
  const own: ToolSet = chatTools({ ...owner, workspace, exploreModel: chatModel.exploreModel });
  const served = await mcp?.tools();
  if (!served) return { tools: own };
  if (!served.tools) return { tools: own, problem: served.problem };
  return { tools: { ...boundedMcpTools(served.tools, { ...owner, taken: own }), ...own } };
}

/** A call that was allowed and never ran (the visitor stopped, then asked something else) has no output for the model. */
function withoutLooseEnds(messages: ChatMessage[]): ChatMessage[] {
  return messages.map((message, index) =>
    index === messages.length - 1
      ? message
      : {
          ...message,
          parts: message.parts.filter(
            (part) => !(isToolUIPart(part) && part.state === 'approval-responded' && part.approval.approved),
          ),
        },
  );
}

async function readToEnd(stream: ReadableStream<unknown>): Promise<void> {
  try {
    for await (const _ of stream) {
      // Read only, so that the stream goes on.
    }
  } catch (error) {
    console.error(error);
  }
}
