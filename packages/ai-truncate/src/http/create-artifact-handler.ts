import type { ArtifactInfo } from '../artifacts/artifacts.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { anySignal, startDeadline } from '../deadlines.ts';
import { InvalidOptionError } from '../errors.ts';
import { requireOption, requireOptionalFunction, requireOptions } from '../options.ts';
import { type ArtifactStore, requireStore } from '../stores/artifact-store.ts';
import { type ArtifactView, parseArtifactAddress, type ViewRequest } from './artifact-address.ts';
import { charsView } from './chars-view.ts';
import { grepView } from './grep-view.ts';
import { HttpRefusal, httpWords, internalError, notFound, refusalOf, tooSlow } from './http-refusal.ts';
import { linesView } from './lines-view.ts';
import { rawView } from './raw-view.ts';
import { guarded, type HttpAnswer, jsonAnswer, refusalAnswer, toResponse } from './response-headers.ts';

/** The scope whose artifacts the request may read, an empty value for none, or a response that replaces the answer. */
export type Authorized = string | null | undefined | Response;

export interface ArtifactHandlerOptions {
  /** The store of the artifacts. */
  store: ArtifactStore;
  /**
   * Finds the owner of a request from the request alone, for example by a session or a token. Return the scope under which the
   * artifacts were saved, and never a value that the client could choose. If it returns an empty value, the answer is the same
   * as for a missing artifact. A `Response` (401, 429, a redirect) replaces every answer, whatever was requested.
   */
  authorize: (request: Request) => Authorized | Promise<Authorized>;
  /**
   * Called with failures of the server. Clients only learn that the request failed. @default prints the error with
   * `console.error`
   */
  onError?: ((error: unknown, request: Request) => void) | undefined;
}

/** A web-standard handler for Next.js route handlers, Hono, Deno, Bun and workers. */
export type ArtifactHandler = (request: Request) => Promise<Response>;

const views: Record<ArtifactView, (view: ViewRequest) => Promise<HttpAnswer>> = {
  info: infoView,
  raw: rawView,
  lines: linesView,
  chars: charsView,
  grep: grepView,
};

const OPTIONS: readonly (keyof ArtifactHandlerOptions)[] = ['store', 'authorize', 'onError'];
const METHODS = ['GET', 'HEAD'];
/** How long it may take until an answer starts. */
const BEGIN_MS = 20_000;
/** The client has disconnected, so this answer is never read. */
const GONE: HttpAnswer = { status: 499, headers: {}, body: null };

/**
 * Serves artifacts to the UI of your application: `…/<name>`, `…/<name>/raw`, `/lines`, `/chars` and `/grep`, under any path.
 * `authorize` finds the owner of every request, because knowing a name must not be enough. Artifacts of any size need constant
 * memory.
 *
 * @example
 * const handler = createArtifactHandler({ store, authorize: (request) => sessionOf(request)?.userId });
 * export { handler as GET, handler as HEAD };
 */
export function createArtifactHandler(options: ArtifactHandlerOptions): ArtifactHandler {
  requireOptions(options, { known: OPTIONS, expected: 'an object with `store` and `authorize`' });
  const { store, authorize, onError = logError } = options;
  requireStore(store);
  const expected = 'a function that returns the scope of the request, or an empty value; there is no default';
  requireOption(typeof authorize === 'function', { option: 'authorize', value: authorize, expected });
  requireOptionalFunction('onError', onError);

  async function scopeOf(request: Request): Promise<string | Response> {
    let authorized: Authorized;
    try {
      authorized = await authorize(request);
    } catch (error) {
      // An internal error whatever its code, because the artifact did not fail.
      throw internalError(error);
    }
    if (authorized === undefined || authorized === null || authorized === '') throw notFound();
    if (typeof authorized === 'string' || isResponse(authorized)) return authorized;
    const expected = 'a function that returns a string, a `Response` or an empty value';
    throw internalError(new InvalidOptionError({ option: 'authorize', value: authorized, expected }));
  }

  async function answer(request: Request): Promise<Response> {
    if (!METHODS.includes(request.method)) {
      const headers = { Allow: METHODS.join(', ') };
      throw new HttpRefusal('METHOD_NOT_ALLOWED', { message: httpWords.methodNotAllowed, headers });
    }
    if (isCrossSite(request)) throw new HttpRefusal('ACCESS_DENIED', { message: httpWords.crossSite });
    const scope = await scopeOf(request);
    if (typeof scope !== 'string') return guarded(scope, request);
    const { view, name, parameters } = parseArtifactAddress(request.url);
    const artifacts = scopedArtifacts(store, { scope });
    const deadline = startDeadline(BEGIN_MS);
    const signal = anySignal([request.signal, deadline.signal]);
    const reportLater = (error: unknown): void => report(error, request);
    try {
      const found = await views[view]({ artifacts, name, parameters, request, signal, report: reportLater });
      return await toResponse(found, request);
    } catch (error) {
      if (request.signal.aborted) return toResponse(GONE, request);
      throw deadline.signal.aborted ? tooSlow(error) : error;
    } finally {
      deadline.clear();
    }
  }

  function report(error: unknown, request: Request): void {
    try {
      onError(error, request);
    } catch (errorOfOnError) {
      logError(error);
      logError(errorOfOnError);
    }
  }

  return async (request) => {
    try {
      return await answer(request);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.status >= 500) report(refusal.cause, request);
      return toResponse(refusalAnswer(refusal), request);
    }
  };
}

/** Checks the tag, because frameworks have their own class. */
function isResponse(value: object): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]';
}

function logError(error: unknown): void {
  console.error('ai-truncate: an artifact could not be served.', error);
}

/** `none` means that a person typed the address or used a bookmark. */
const OWN_SITES = ['same-origin', 'same-site', 'none'];

/**
 * Whether a page of another site sent the request. That page could not read the answer, but with the cookies of the user it
 * could learn from its time and size which artifacts exist. Browsers send `Sec-Fetch-Site`. Without it (old browsers, and
 * `http:`), a foreign `Origin` reveals another site, because no page sends an `Origin` for a read from its own site.
 */
function isCrossSite({ headers, url }: Request): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return !OWN_SITES.includes(site);
  const origin = headers.get('origin');
  if (origin === null) return false;
  const host = headers.get('host') ?? new URL(url).host;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

/** The answer to `…/<name>`: the metadata of the artifact, with dates as ISO 8601. */
export type ArtifactInfoAnswer = Omit<ArtifactInfo, 'createdAt' | 'expiresAt'> & {
  createdAt: string;
  expiresAt: string;
};

async function infoView({ artifacts, name, signal: abortSignal }: ViewRequest): Promise<HttpAnswer> {
  // `JSON.stringify` writes dates as ISO 8601.
  return jsonAnswer(await artifacts.info(name, { abortSignal }));
}
