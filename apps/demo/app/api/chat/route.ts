import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  isStepCount,
  safeValidateUIMessages,
  streamText,
  toUIMessageStream,
} from 'ai';
import { toolErrorMessage } from 'ai-truncate';
import { type ChatMessage, chatModel, instructions, tools } from '../../../agent/chat-agent';

export async function POST(request: Request): Promise<Response> {
  const body = await request.json().catch(() => undefined);
  const messages = await safeValidateUIMessages<ChatMessage>({ messages: body?.messages, tools });
  if (!messages.success) {
    return Response.json({ error: 'The request holds no messages of this chat.' }, { status: 400 });
  }

  const result = streamText({
    model: chatModel().model,
    instructions,
    messages: await convertToModelMessages(messages.data, { tools }),
    tools,
    stopWhen: isStepCount(5),
    abortSignal: request.signal,
  });
  return createUIMessageStreamResponse({
    stream: toUIMessageStream({
      stream: result.stream,
      tools,
      originalMessages: messages.data,
      onError: toolErrorMessage,
      redactToolErrors: false,
    }),
  });
}
