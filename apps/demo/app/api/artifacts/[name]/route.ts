import { ArtifactNotFoundError, artifactName } from 'ai-truncate';
import { artifactsOf } from '../../../../lib/artifact-store';
import { isChatId } from '../../../../lib/chat-id';
import { answerErrors, RequestError } from '../../../../lib/request-error';
import { visitorOf } from '../../../../lib/visitor';

/** Whatever an artifact holds, no browser may take it for a page or a script. */
const safeHeaders = {
  'content-type': 'text/plain; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'self'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-store',
};

/** Downloads a whole artifact of the chat that `?chat=` names. */
export function GET(request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  return answerErrors(async () => {
    visitorOf(request);
    const { name } = await params;
    const chatId = new URL(request.url).searchParams.get('chat');
    if (!isChatId(chatId)) throw unknownArtifact();
    const artifacts = artifactsOf(chatId);
    try {
      const info = await artifacts.info(name);
      const stream = await artifacts.readStream(info.path, { abortSignal: request.signal });
      // The name is ours: neither a tool nor a visitor has a word in it.
      const fileName = `${(artifactName(info.path) ?? 'artifact').replace(/\.[a-z]+$/, '')}.txt`;
      return new Response(stream, {
        headers: {
          ...safeHeaders,
          'content-length': String(info.bytes),
          'content-disposition': `attachment; filename="${fileName}"`,
        },
      });
    } catch (error) {
      if (ArtifactNotFoundError.isInstance(error)) throw unknownArtifact();
      throw error;
    }
  });
}

const unknownArtifact = () =>
  new RequestError('unknown_artifact', 'There is no such tool output in this chat, or it has expired.');
