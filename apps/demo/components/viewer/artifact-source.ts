import type { ArtifactCharsAnswer, ArtifactGrepEvent, ArtifactInfoAnswer, ArtifactLinesAnswer } from 'ai-truncate/http';
import { failureOf, failureOfFetch } from './artifact-failure';

/** What the viewer needs to know of an artifact. */
export type ArtifactSummary = Pick<
  ArtifactInfoAnswer,
  'name' | 'mediaType' | 'bytes' | 'lines' | 'hasTextView' | 'expiresAt'
>;

/** Whether there are lines to show; what is not text can be downloaded. */
export function isShownAsText({ name, bytes }: Pick<ArtifactSummary, 'name' | 'bytes'>): boolean {
  return !name.endsWith('.bin') && bytes > 0;
}

/** What is searched for. */
export interface SearchText {
  text: string;
  isRegex: boolean;
  ignoreCase: boolean;
}

/** And from where on: a line, or where a search before ended. */
export type SearchRequest = SearchText & { from: string };

/** One artifact, behind the routes of the server. What fails, fails with an `ArtifactFailure` or an abort. */
export interface ArtifactSource {
  name: string;
  info(signal?: AbortSignal): Promise<ArtifactSummary>;
  lines(window: { start: number; count: number; signal?: AbortSignal }): Promise<ArtifactLinesAnswer>;
  /** Bytes `start` to `end`, exclusive, as they are kept. */
  bytes(range: { start: number; end: number; signal?: AbortSignal }): Promise<Blob>;
  characters(place: { line: number; start: number; at?: string; signal?: AbortSignal }): Promise<ArtifactCharsAnswer>;
  search(request: SearchRequest, signal: AbortSignal): AsyncGenerator<ArtifactGrepEvent[]>;
  downloadHref: string;
  pageHref: string;
}

/** How many characters of a giant line are shown at once. */
export const charactersPerWindow = 4000;

/** The artifact `name` of a chat. */
export function artifactSource({ name, chat }: { name: string; chat: string }): ArtifactSource {
  const address = (view: string, parameters: Record<string, string | number> = {}) => {
    const query = new URLSearchParams({ chat });
    for (const [key, value] of Object.entries(parameters)) query.set(key, String(value));
    return `/api/artifacts/${encodeURIComponent(name)}${view}?${query}`;
  };
  const json = async <ANSWER>(url: string, signal: AbortSignal | undefined): Promise<ANSWER> =>
    (await request(url, { name, signal })).json() as Promise<ANSWER>;

  return {
    name,
    downloadHref: address('/raw'),
    pageHref: `/a/${encodeURIComponent(name)}?${new URLSearchParams({ chat })}`,
    info: (signal) => json(address(''), signal),
    lines: ({ start, count, signal }) => json(address('/lines', { start, count }), signal),
    characters: ({ line, start, at, signal }) =>
      json(address('/chars', { ...(at ? { at } : { line, start }), count: charactersPerWindow }), signal),
    async bytes({ start, end, signal }) {
      if (end <= start) return new Blob();
      const response = await request(address('/raw'), {
        name,
        signal,
        headers: { range: `bytes=${start}-${end - 1}` },
      });
      return response.blob();
    },
    async *search({ text, isRegex, ignoreCase, from }, signal) {
      // Most visitors never search. Fetched before the server begins: without it nobody would read what it finds, or end it.
      const { searchEvents } = await import('./search-events').catch((error) => {
        throw failureOfFetch(error);
      });
      const words = { mode: isRegex ? 'regex' : 'literal', case: ignoreCase ? 'ignore' : 'sensitive' };
      const response = await request(address('/grep', { q: text, from, ...words }), { name, signal });
      yield* searchEvents(response);
    },
  };
}

interface RequestOptions {
  name: string;
  signal: AbortSignal | undefined;
  headers?: Record<string, string>;
}

async function request(url: string, { name, signal, headers = {} }: RequestOptions) {
  try {
    const response = await fetch(url, { headers, signal: signal ?? null });
    if (!response.ok) throw await failureOf(response, name);
    return response;
  } catch (error) {
    throw failureOfFetch(error);
  }
}
