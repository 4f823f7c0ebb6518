import { errorOfMember, toolErrorOf } from './error-codes.ts';
import { isRecord, isText } from './guards.ts';
import { failure, partial, type ResponseFacts, responseFacts, responseText, success } from './response-builders.ts';
import { happenedByDefault, nextAfter, nextAfterPartial, stateOf } from './response-words.ts';
import { discountsOf, isToolResponse, requireJson, requireRules } from './rules.ts';
import type { ToolFailure, ToolResponse } from './tool-response.ts';

/** Facts for values that do not contain them. They cannot skip truncation, because the relayed text is not trusted. */
export interface ToToolResponseOptions extends Omit<ResponseFacts, 'truncationSkip'> {
  /** The work that was done. @default 'The tool succeeded.', or the message of the error */
  happened?: string | undefined;
  /** The next step for the model. @default a step that suits the status and the code */
  next?: string | undefined;
}

/**
 * Converts the output of an older tool to an envelope of the protocol:
 *
 * - An envelope stays unchanged, except that `error: null` counts as absent, and missing `stats` and `context` are added.
 * - Any other `error` except `undefined`, `''` and `false`, an `Error`, a text that starts with `Error: `, and a status `error`
 * without an error become status `error` with a code and a matching next step.
 * - A success whose `data` is marked as incomplete becomes a partial answer.
 * - Any other value becomes the `data` of a success, or of a partial answer if it is marked so (`truncated: true` …).
 *
 * Throws an `InvalidOptionError` that names a broken rule that cannot be repaired here, or a field that JSON cannot carry.
 */
export function toToolResponse(value: unknown, options: ToToolResponseOptions): ToolResponse {
  // The type forbids this option, and callers without types must not set it either.
  const answer = converted(value, { ...options, truncationSkip: undefined } as ToToolResponseOptions);
  requireJson(answer);
  return answer;
}

/** `Error: …`, `TypeError: …`: the start of an error text in older tools. */
const ERROR_TEXT = /^\w{0,60}(?:Error|Exception): /;

const BARE_FIELDS: ReadonlySet<string> = new Set(['status', 'text', 'message', 'code', 'error', 'stats', 'context']);

function converted(value: unknown, options: ToToolResponseOptions): ToolResponse {
  if (value instanceof Error) return failed({ ...toolErrorOf(value), data: {} }, options);
  // An envelope with `error: null` satisfies the rules too, but must not be returned like that.
  if (isToolResponse(value) && (value as { error?: unknown }).error !== null) return value as ToolResponse;
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

/**
 * Status `error` with only fields of an envelope. Otherwise it is a result, such as the state of a job (`{ status: 'error',
 * job: 7 }`).
 */
function isBareError(value: Record<string, unknown>): boolean {
  return value.status === 'error' && (isEnvelope(value) || Object.keys(value).every((name) => BARE_FIELDS.has(name)));
}

function isEnvelope({ status, data }: Record<string, unknown>): boolean {
  return ['success', 'partial', 'error'].includes(status as string) && isRecord(data);
}

function fromError(
  given: unknown,
  { rest, options }: { rest: Record<string, unknown>; options: ToToolResponseOptions },
): ToolResponse {
  const { error, lost } = errorOfMember(given, rest);
  if (!isEnvelope(rest)) return failed({ ...error, data: { ...rest, ...lost } }, options);
  const composed = failed({ ...error, data: { ...(rest.data as object), ...lost } }, options);
  const { text } = rest;
  // A text that already describes the error stays. A text that describes a result says neither what failed nor what to do.
  const isTold = rest.status === 'error' && isText(text) && text !== error.message;
  return mended(
    { ...rest, ...composed, text: isTold ? text : composed.text, stats: rest.stats, context: rest.context },
    options,
  );
}

/** A success that its own marks contradict becomes a partial answer. */
function withoutPretence(envelope: Record<string, unknown>, options: ToToolResponseOptions): Record<string, unknown> {
  const { text } = envelope;
  const isWhole = envelope.status !== 'success' || discountsOf(envelope.data as Record<string, unknown>).length === 0;
  if (isWhole || !isText(text)) return envelope;
  const { next = nextAfterPartial } = options;
  const state = stateOf(envelope.data);
  return { ...envelope, status: 'partial', text: responseText({ status: 'partial', happened: text, state, next }) };
}

/** Adds the missing cost and place to an envelope. Other fields must not be invented. */
function mended(envelope: Record<string, unknown>, options: ToToolResponseOptions): ToolResponse {
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
  return whole as unknown as ToolResponse;
}

function failed(
  error: { code: string; message: string; data: Record<string, unknown> },
  { happened, next = nextAfter(error.code), ...facts }: ToToolResponseOptions,
): ToolFailure {
  return failure({ ...facts, ...error, happened, next });
}

function answered(data: Record<string, unknown>, { happened, next, ...facts }: ToToolResponseOptions): ToolResponse {
  const shared = { ...facts, data };
  return discountsOf(data).length > 0
    ? partial({ ...shared, happened: happened ?? happenedByDefault.partial, next: next ?? nextAfterPartial })
    : success({ ...shared, happened: happened ?? happenedByDefault.success, next });
}
