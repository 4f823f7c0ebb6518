import { createArtifactHandler } from 'ai-truncate/http';
import { artifactStore } from '../../../../lib/artifact-store';
import { chatKeyOf } from '../../../../lib/chat-key';

/** Full outputs of the visitor's chat that `?chat=` names: what is known of one, its bytes, lines, characters, and a search. */
function answer(request: Request): Promise<Response> {
  // Made when somebody asks: while the demo is built, there is no store to look for.
  return createArtifactHandler({ store: artifactStore(), authorize: scopeOf })(request);
}

export { answer as GET, answer as HEAD };

function scopeOf(request: Request): Promise<string | undefined> {
  return chatKeyOf(request, new URL(request.url).searchParams.get('chat'));
}
