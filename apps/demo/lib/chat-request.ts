import { z } from 'zod';
import { isChatId } from './chat-id';
import { RequestError } from './request-error';

/** What a page asks of a chat. Of its messages nothing is taken but what the visitor did: a text, or a word on a call. */
export type ChatRequest = { chatId: string } & (
  | { kind: 'message'; messageId: string; text: string; isNew: boolean }
  | { kind: 'approval'; responses: { approvalId: string; approved: boolean; reason?: string }[] }
  | { kind: 'retry' }
);

const maxBodyBytes = 64 * 1024;
const MAX_TEXT_CHARS = 8_000;
const MAX_PARTS = 200;

const id = z.string().min(1).max(100);
const userMessage = z.object({
  id,
  role: z.literal('user'),
  parts: z
    .array(z.object({ type: z.literal('text'), text: z.string() }))
    .min(1)
    .max(20),
});
const approval = z.object({ id, approved: z.boolean(), reason: z.string().max(500).optional() });
const answeredMessage = z.object({
  role: z.literal('assistant'),
  parts: z.array(z.looseObject({ state: z.unknown().optional(), approval: z.unknown().optional() })).max(MAX_PARTS),
});
const body = z.discriminatedUnion('trigger', [
  z.object({
    id: z.string().refine(isChatId),
    trigger: z.literal('submit-message'),
    isNew: z.boolean().default(false),
    message: z.discriminatedUnion('role', [userMessage, answeredMessage]),
  }),
  z.object({ id: z.string().refine(isChatId), trigger: z.literal('regenerate-message') }),
]);

/** Reads the body of a request, no more of it than is allowed. Throws a `RequestError` for one that cannot be answered. */
export async function readChatRequest(request: Request): Promise<ChatRequest> {
  const parsed = body.safeParse(parseJson(await readText(request)));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new RequestError(
      'bad_request',
      `This is no request of the chat (${issue?.path.join('.') || 'body'}). Reload the page.`,
    );
  }
  const { id: chatId, trigger } = parsed.data;
  if (trigger === 'regenerate-message') return { chatId, kind: 'retry' };
  const { message, isNew } = parsed.data;
  if (message.role === 'user') {
    const text = message.parts
      .map((part) => part.text)
      .join('\n')
      .trim();
    if (text === '') throw new RequestError('bad_request', 'The message is empty. Write something.');
    if (text.length > MAX_TEXT_CHARS) {
      throw new RequestError(
        'too_large',
        `The message has more than ${MAX_TEXT_CHARS.toLocaleString('en')} characters. Shorten it.`,
      );
    }
    return { chatId, kind: 'message', messageId: message.id, text, isNew };
  }
  const responses = message.parts.flatMap((part) => {
    const response = part.state === 'approval-responded' ? approval.safeParse(part.approval) : undefined;
    if (!response?.success) return [];
    const { id: approvalId, approved, reason } = response.data;
    return [{ approvalId, approved, ...(reason !== undefined && { reason }) }];
  });
  if (responses.length === 0)
    throw new RequestError('bad_request', 'The message answers no request for approval. Reload the page.');
  return { chatId, kind: 'approval', responses };
}

async function readText(request: Request): Promise<string> {
  const tooLarge = () => new RequestError('too_large', 'The request is larger than 64 KB. Shorten the message.');
  if (Number(request.headers.get('content-length')) > maxBodyBytes) throw tooLarge();
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBodyBytes) throw tooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestError('bad_request', 'The request is no JSON. Reload the page.');
  }
}
