import { createArtifactHandler } from 'ai-truncate/http';
import { artifactStore, retentionDays } from '../../../../lib/artifact-store';
import { isChatId } from '../../../../lib/chat-id';
import { toChatKey } from '../../../../lib/chat-key';
import { RequestError, toErrorResponse } from '../../../../lib/request-error';
import { visitorOf } from '../../../../lib/visitor';
import { visitorLimits } from '../../../../lib/visitor-limits';

/** The same as in `/api/chat`, so that Vercel puts the three routes into one function with one disk. */
export const maxDuration = 300;

/** Full outputs of the visitor's chat that `?chat=` names: what is known of one, its bytes, lines, characters, and a search. */
async function answer(request: Request): Promise<Response> {
  // Made when somebody asks: while the demo is built, there is no store to look for.
  const response = await createArtifactHandler({ store: artifactStore(), authorize })(request);
  const visitor = await visitorOf(request);
  if (visitor && response.status < 400) {
    const bytes = response.body ? Number(response.headers.get('content-length') ?? 0) : 0;
    visitorLimits().tookReading({ request, visitor, isNew: false }, { isSearch: isSearch(request), bytes });
  }
  // The same for what never was: from a name, which has a date, a page can say whether its time is over.
  response.headers.set('Retention-Days', String(retentionDays()));
  return response;
}

export { answer as GET, answer as HEAD };

/** The scope of a chat. Whoever reads too much is told to wait, whether or not there is such an artifact. */
async function authorize(request: Request): Promise<string | Response | undefined> {
  const visitor = await visitorOf(request);
  if (!visitor) return undefined;
  try {
    visitorLimits().requireReading({ request, visitor, isNew: false }, { isSearch: isSearch(request) });
  } catch (error) {
    if (error instanceof RequestError) return toErrorResponse(error);
    throw error;
  }
  const chat = new URL(request.url).searchParams.get('chat');
  return isChatId(chat) ? toChatKey(visitor, chat) : undefined;
}

/** Finding a character in a giant line takes a search too. */
function isSearch({ url }: Request): boolean {
  return /\/(grep|chars)\/?$/.test(new URL(url).pathname);
}
