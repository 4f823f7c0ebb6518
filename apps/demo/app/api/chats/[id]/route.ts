import { artifactsOf } from '../../../../lib/artifact-store';
import { chatKeyOf } from '../../../../lib/chat-key';
import { chatLog } from '../../../../lib/chat-log';
import { chatTurns } from '../../../../lib/chat-turns';
import { loadChat } from '../../../../lib/load-chat';
import { answerErrors, RequestError } from '../../../../lib/request-error';
import { requireSameSite } from '../../../../lib/same-site';

/** The same as in `/api/chat`, so that Vercel puts the three routes into one function with one disk. */
export const maxDuration = 300;

interface Context {
  params: Promise<{ id: string }>;
}

/** The messages of a chat and whether more come, for a page that was reloaded. */
export function GET(request: Request, { params }: Context): Promise<Response> {
  return answerErrors(async () => {
    const { id } = await params;
    const chat = await loadChat(request, id);
    if (!chat) throw unknownChat();
    return Response.json({ id, ...chat }, { headers: { 'cache-control': 'no-store' } });
  });
}

/** Deletes a chat of the visitor, and all that its tools gave. */
export function DELETE(request: Request, { params }: Context): Promise<Response> {
  return answerErrors(async () => {
    requireSameSite(request);
    const chatKey = await chatKeyOf(request, (await params).id);
    const log = chatLog();
    if (chatKey === undefined || !(await log.read(chatKey))) throw unknownChat();
    // An answer that goes on would write into what was deleted.
    const leave = await chatTurns().enter(chatKey);
    if (!leave) throw new RequestError('busy', 'This chat is still answering. Wait for it, or stop it.');
    try {
      // The log last: while it is there, a delete that failed half-way can be asked for again.
      await artifactsOf(chatKey).deleteAll();
      await log.delete(chatKey);
    } finally {
      leave();
    }
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
  });
}

const unknownChat = () => new RequestError('unknown_chat', 'This chat is no longer here. Start again with a new one.');
