import { DefaultChatTransport } from 'ai';
import type { ChatMessage } from '../agent/chat-message';
import { ChatRequestError } from './chat-failure';
import { chatRequestBody } from './chat-request-body';

/** The way to the chat's route: what is sent is small, and what is refused says why. */
export function chatTransport(): DefaultChatTransport<ChatMessage> {
  return new DefaultChatTransport<ChatMessage>({
    api: '/api/chat',
    prepareSendMessagesRequest: ({ id, messages }) => ({ body: chatRequestBody(id, messages) }),
    fetch: fetchOrExplain,
  });
}

/** The SDK turns an answer that is no stream into an error without its status; what the page offers depends on that. */
async function fetchOrExplain(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  if (response.ok) return response;
  const said = await errorOf(response);
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new ChatRequestError({
    status: response.status,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    ...said,
  });
}

async function errorOf(response: Response): Promise<{ code?: string; message: string }> {
  const nothing = { message: `The server answered with status ${response.status}.` };
  // A proxy answers with HTML, a crashed server with nothing: both are no reason to hide the status.
  const body: unknown = await response.json().catch(() => undefined);
  if (typeof body !== 'object' || body === null || !('error' in body)) return nothing;
  const { error } = body;
  if (typeof error === 'string') return { message: error };
  if (typeof error !== 'object' || error === null) return nothing;
  const { code, message } = error as { code?: unknown; message?: unknown };
  return {
    ...(typeof code === 'string' && { code }),
    message: typeof message === 'string' ? message : nothing.message,
  };
}
