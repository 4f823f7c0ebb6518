import { errorOfMember, toolErrorOf } from './error-codes.ts';
import { isRecord, isText } from './guards.ts';
import { failure, partial, type ResponseFacts, responseFacts, responseText, success } from './response-builders.ts';
import { happenedByDefault, nextAfter, nextAfterPartial, stateOf } from './response-words.ts';
import { discountsOf, isToolResponse, requireJson, requireRules } from './rules.ts';
import type { ToolAnswer, ToolFailure } from './tool-response.ts';

/** What is told where the value says nothing. It cannot skip truncation: what a tool relays is not ours to believe. */
export interface ToToolResponseOptions extends Omit<ResponseFacts, 'truncationSkip'> {
  /** What was done. @default 'The tool succeeded.', or the message of the error */
  happened?: string | undefined;
  /** What the model should do now. @default a step that suits the status and the code */
  next?: string | undefined;
}

/**
 * What an older tool returns, as an envelope of the protocol:
 *
 * - an envelope stays as it is; `error: null` is taken for absent, missing `stats` and `context` are filled in;
 * - any other `error` but `undefined`, `''` and `false`, an `Error`, a text that begins with `Error: ` and a status `error`
 *   without one become status `error` with a code, and a next step that suits it;
 * - a success whose `data` is marked as not whole becomes a partial answer;
 * - anything else becomes the `data` of a success, or of a partial answer where it is marked so (`truncated: true` …).
 *
 * Throws an `InvalidOptionError` that names the rule when an envelope breaks one that cannot be mended here, and the field
 * where JSON cannot carry what is in it.
 */
export function toToolResponse(value: unknown, options: ToToolResponseOptions): ToolAnswer {
  // The type says it, and a caller without types is told the same.
  const answer = converted(value, { ...options, truncationSkip: undefined } as ToToolResponseOptions);
  requireJson(answer);
  return answer;
}

/** `Error: …`, `TypeError: …`: how old tools begin a text that tells of a failure. */
const ERROR_TEXT = /^\w{0,60}(?:Error|Exception): /;

const BARE_FIELDS: ReadonlySet<string> = new Set(['status', 'text', 'message', 'code', 'error', 'stats', 'context']);

function converted(value: unknown, options: ToToolResponseOptions): ToolAnswer {
  if (value instanceof Error) return failed({ ...toolErrorOf(value), data: {} }, options);
  // One with `error: null` keeps the rules too, but it is never written so.
  if (isToolResponse(value) && (value as { error?: unknown }).error !== null) return value as ToolAnswer;
  if (typeof value === 'string' && ERROR_TEXT.test(value)) return fromError(value, { rest: {}, options });
  if (!isRecord(value)) return answered(typeof value === 'string' ? { content: value } : { result: value }, options);
  const { error, ...rest } = value;
  if (!isNoError(error)) return fromError(error, { rest, options });
  const without = 'error' in value ? rest : value;
  if (isBareError(value)) return fromError(undefined, { rest, options });
  return isEnvelope(without) ? mended(withoutPretence(without, options), options) : answered(without, options);
}

function isNoError(error: unknown): boolean {
  return error === undefined || error === null || error === false || (typeof error === 'string' && !isText(error));
}

/** Status `error` beside nothing but fields of an envelope: the state of a job (`{ status: 'error', job: 7 }`) is a result. */
function isBareError(value: Record<string, unknown>): boolean {
  return value.status === 'error' && (isEnvelope(value) || Object.keys(value).every((name) => BARE_FIELDS.has(name)));
}

function isEnvelope({ status, data }: Record<string, unknown>): boolean {
  return ['success', 'partial', 'error'].includes(status as string) && isRecord(data);
}

function fromError(
  given: unknown,
  { rest, options }: { rest: Record<string, unknown>; options: ToToolResponseOptions },
): ToolAnswer {
  const { error, lost } = errorOfMember(given, rest);
  if (!isEnvelope(rest)) return failed({ ...error, data: { ...rest, ...lost } }, options);
  const composed = failed({ ...error, data: { ...(rest.data as object), ...lost } }, options);
  const { text } = rest;
  // A text that told of an error already is left alone; one that told of a result says neither what failed nor what to do.
  const isTold = rest.status === 'error' && isText(text) && text !== error.message;
  return mended(
    { ...rest, ...composed, text: isTold ? text : composed.text, stats: rest.stats, context: rest.context },
    options,
  );
}

/** A success that its own marks contradict is a partial answer. */
function withoutPretence(envelope: Record<string, unknown>, options: ToToolResponseOptions): Record<string, unknown> {
  const { text } = envelope;
  const isWhole = envelope.status !== 'success' || discountsOf(envelope.data as Record<string, unknown>).length === 0;
  if (isWhole || !isText(text)) return envelope;
  const { next = nextAfterPartial } = options;
  const state = stateOf(envelope.data);
  return { ...envelope, status: 'partial', text: responseText({ status: 'partial', happened: text, state, next }) };
}

/** An envelope with what it lacks: the cost and the place are ours to tell, the rest is not. */
function mended(envelope: Record<string, unknown>, options: ToToolResponseOptions): ToolAnswer {
  const facts = responseFacts(options);
  const { time_ms } = facts.stats;
  const { cwd, params_input } = facts.context;
  const { stats, context } = envelope;
  const whole = {
    ...envelope,
    stats: isRecord(stats) ? { time_ms, ...stats } : facts.stats,
    context: isRecord(context) ? { cwd, params_input, ...context } : facts.context,
  };
  requireRules(whole);
  return whole as unknown as ToolAnswer;
}

function failed(
  error: { code: string; message: string; data: Record<string, unknown> },
  { happened, next = nextAfter(error.code), ...facts }: ToToolResponseOptions,
): ToolFailure {
  return failure({ ...facts, ...error, happened, next });
}

function answered(data: Record<string, unknown>, { happened, next, ...facts }: ToToolResponseOptions): ToolAnswer {
  const shared = { ...facts, data };
  return discountsOf(data).length > 0
    ? partial({ ...shared, happened: happened ?? happenedByDefault.partial, next: next ?? nextAfterPartial })
    : success({ ...shared, happened: happened ?? happenedByDefault.success, next });
}
