import type { ArtifactGrepEvent } from 'ai-truncate/http';
import { ArtifactFailure, failureOfFetch } from './artifact-failure';

/** The events of a search, which are written line by line, in the portions in which they arrive. */
export async function* searchEvents(response: Response): AsyncGenerator<ArtifactGrepEvent[]> {
  if (!response.body) throw new ArtifactFailure('server', 'The search gave no answer.');
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  try {
    for (let rest = ''; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield lines.map((line) => JSON.parse(line) as ArtifactGrepEvent);
    }
  } catch (error) {
    throw failureOfFetch(error);
  } finally {
    // Whoever stops reading also stops the search on the server.
    await reader.cancel().catch(() => undefined);
  }
}
