import type { ArtifactInfo } from '../artifacts/artifacts.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { anySignal, startDeadline } from '../deadlines.ts';
import { InvalidOptionError } from '../errors.ts';
import { requireOption, requireOptionalFunction } from '../options.ts';
import { type ArtifactStore, requireStore } from '../stores/artifact-store.ts';
import { type ArtifactView, parseArtifactAddress, type ViewRequest } from './artifact-address.ts';
import { charsView } from './chars-view.ts';
import { grepView } from './grep-view.ts';
import { HttpRefusal, httpWords, internalError, notFound, refusalOf, tooSlow } from './http-refusal.ts';
import { linesView } from './lines-view.ts';
import { rawView } from './raw-view.ts';
import { guarded, type HttpAnswer, jsonAnswer, refusalAnswer, toResponse } from './response-headers.ts';

/** Who asks: the scope whose artifacts they may read, nothing for nobody's, or a response in place of any artifact. */
export type Authorized = string | null | undefined | Response;

export interface ArtifactHandlerOptions {
  /** Where the artifacts are. */
  store: ArtifactStore;
  /**
   * Finds out who asks, from the request alone: a session, a token. What it gives is the scope under which the artifacts were
   * saved, never something that the client only claims. Given nothing, the answer is that of an artifact that does not exist.
   * A `Response` of its own (401, 429, a redirect) is sent in place of every answer, whatever was asked for.
   */
  authorize: (request: Request) => Authorized | Promise<Authorized>;
  /** Told what went wrong on the server: clients are told only that. @default prints it with `console.error` */
  onError?: (error: unknown, request: Request) => void;
}

/** A web-standard handler: for the route handlers of Next.js, Hono, Deno, Bun, workers. */
export type ArtifactHandler = (request: Request) => Promise<Response>;

const views: Record<ArtifactView, (view: ViewRequest) => Promise<HttpAnswer>> = {
  info: infoView,
  raw: rawView,
  lines: linesView,
  chars: charsView,
  grep: grepView,
};

const METHODS = ['GET', 'HEAD'];
/** How long an answer may take to begin. */
const BEGIN_MS = 20_000;
/** Nobody reads it: the client went. */
const GONE: HttpAnswer = { status: 499, headers: {}, body: null };

/**
 * Serves artifacts to the pages of your application: `…/<name>`, `…/<name>/raw`, `/lines`, `/chars` and `/grep`, under any path.
 * `authorize` decides whose they are on every request, because a name that leaked must not be enough. Of any size, an artifact
 * needs constant memory.
 *
 * @example
 * const handler = createArtifactHandler({ store, authorize: (request) => sessionOf(request)?.userId });
 * export { handler as GET, handler as HEAD };
 */
export function createArtifactHandler(options: ArtifactHandlerOptions): ArtifactHandler {
  const { store, authorize, onError = logError } = options ?? {};
  requireStore(store);
  const expected = 'a function that returns the scope of the request, or nothing: it has no default';
  requireOption(typeof authorize === 'function', { option: 'authorize', value: authorize, expected });
  requireOptionalFunction('onError', onError);

  async function scopeOf(request: Request): Promise<string | Response> {
    let authorized: Authorized;
    try {
      authorized = await authorize(request);
    } catch (error) {
      // Whatever its code: it was not the artifact that failed.
      throw internalError(error);
    }
    if (authorized === undefined || authorized === null || authorized === '') throw notFound();
    if (typeof authorized === 'string' || isResponse(authorized)) return authorized;
    const expected = 'a function that gives a string, a `Response` or nothing';
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

/** By its tag: frameworks bring a class of their own. */
function isResponse(value: object): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]';
}

function logError(error: unknown): void {
  console.error('ai-truncate: an artifact could not be served.', error);
}

/** `none` is a person: an address that was typed, or a bookmark. */
const OWN_SITES = ['same-origin', 'same-site', 'none'];

/**
 * Whether a page of another site sent the request. It could not read the answer, but with the cookies of its visitor it could
 * learn from time and size what is there. Browsers say so themselves; where they do not (old ones, and `http:`), an `Origin`
 * that is not ours does: no page sends one to its own site to read.
 */
function isCrossSite({ headers, url }: Request): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return !OWN_SITES.includes(site);
  const origin = headers.get('origin');
  if (origin === null) return false;
  const host = headers.get('host') ?? new URL(url).host;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

/** The answer to `…/<name>`: what is known of the artifact, dates as ISO 8601. */
export type ArtifactInfoAnswer = Omit<ArtifactInfo, 'createdAt' | 'expiresAt'> & {
  createdAt: string;
  expiresAt: string;
};

async function infoView({ artifacts, name, signal: abortSignal }: ViewRequest): Promise<HttpAnswer> {
  // `JSON.stringify` writes dates as ISO 8601.
  return jsonAnswer(await artifacts.info(name, { abortSignal }));
}
