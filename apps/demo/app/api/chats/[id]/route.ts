import { loadChat } from '../../../../lib/chat-log';
import { chatTurns } from '../../../../lib/chat-turns';
import { answerErrors, RequestError } from '../../../../lib/request-error';
import { visitorOf } from '../../../../lib/visitor';

/** The messages of a chat and whether more come, for a page that was reloaded. */
export function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answerErrors(async () => {
    visitorOf(request);
    const { id } = await params;
    const isAnswering = chatTurns().isAnswering(id);
    const messages = await loadChat(id);
    if (!messages) throw new RequestError('unknown_chat', 'This chat is no longer here. Start again with a new one.');
    return Response.json({ id, messages, isAnswering }, { headers: { 'cache-control': 'no-store' } });
  });
}
