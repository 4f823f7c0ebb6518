import { answerChat } from '../../../agent/answer-chat';
import { type ChatModel, chatModel, unpaidChatModel } from '../../../agent/chat-model';
import { mcpServer } from '../../../agent/mcp-tools';
import { changesFor } from '../../../lib/chat-changes';
import { toChatKey } from '../../../lib/chat-key';
import { chatLog } from '../../../lib/chat-log';
import { readChatRequest } from '../../../lib/chat-request';
import { chatTurns } from '../../../lib/chat-turns';
import { answerErrors, RequestError } from '../../../lib/request-error';
import { requireSameSite } from '../../../lib/same-site';
import { newVisitor, visitorOf } from '../../../lib/visitor';
import { type Asker, visitorLimits } from '../../../lib/visitor-limits';

export const maxDuration = 300;

/** Takes what the visitor said or decided, and streams the answer. The rest of the chat comes from the log. */
export function POST(request: Request): Promise<Response> {
  return answerErrors(async () => {
    requireSameSite(request);
    const asked = await readChatRequest(request);
    const known = await visitorOf(request);
    const { visitor, setCookie } = known ? { visitor: known } : await newVisitor(request);
    const asker = { request, visitor, isNew: known === undefined };
    // Takes from limits of the sender only. The shared ones follow below, once the request turned out to be valid.
    visitorLimits().requireAttempt(asker);
    const chatKey = toChatKey(visitor, asked.chatId);
    const log = chatLog();
    // Asked before the turn as well: a second click need not wait for the answer to the first.
    if (asked.kind === 'approval') changesFor(asked, await log.read(chatKey));

    const leave = await chatTurns().enter(chatKey);
    if (!leave) throw new RequestError('busy', 'This chat is still answering. Wait for it, or stop it.');
    try {
      const events = await log.read(chatKey);
      const changes = changesFor(asked, events);
      visitorLimits().requireAnswer(asker, { isNewChat: events === undefined });
      await log.append(chatKey, changes);
      const response = await answerChat({
        chatKey,
        events: [...(events ?? []), ...changes],
        log,
        chatModel: modelFor(asker),
        mcp: mcpServer(),
        signal: request.signal,
        onSavedBytes: (bytes) => visitorLimits().tookSavedBytes(asker, bytes),
        onEnd: leave,
      });
      if (setCookie) response.headers.append('set-cookie', setCookie);
      return response;
    } catch (error) {
      leave();
      throw error;
    }
  });
}

/** Whatever goes wrong while it is asked, nothing is spent. */
function modelFor(asker: Asker): ChatModel {
  const model = chatModel();
  return model.isScripted || visitorLimits().mayPay(asker) ? model : unpaidChatModel();
}
