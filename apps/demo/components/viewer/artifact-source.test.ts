import { afterEach, expect, test, vi } from 'vitest';
import { artifactSource } from './artifact-source';

vi.mock('./search-events', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});
afterEach(() => void vi.unstubAllGlobals());

test('a search whose script cannot load sends no request, and says that the server cannot be reached', async () => {
  const fetch = vi.fn(async () => new Response());
  vi.stubGlobal('fetch', fetch);
  const request = { text: 'x', isRegex: false, ignoreCase: true, from: '1' };
  const events = artifactSource({ name: 'a', chat: 'b' }).search(request, new AbortController().signal);
  await expect(events.next()).rejects.toMatchObject({ name: 'ArtifactFailure', kind: 'offline' });
  expect(fetch).not.toHaveBeenCalled();
});
