import { InvalidOptionError } from '../errors.ts';
import { brokenRules, fieldName, isToolResponse } from './broken-rules.ts';
import { discountsOf } from './discounts.ts';
import { isRecord } from './is-record.ts';
import { failure, partial, success } from './response-builders.ts';
import { type ResponseFacts, responseFacts } from './response-facts.ts';
import { happenedByDefault, nextAfter, nextAfterPartial } from './response-words.ts';
import { toolErrorOf, toolErrorOfText } from './tool-error-of.ts';
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
 * - an `error: "Error: …"`, and an `Error`, become status `error` with a code;
 * - anything else becomes the `data` of a success, or of a partial answer where it is marked so (`truncated: true` …).
 *
 * Throws an `InvalidOptionError` that names the rule when an envelope breaks one that cannot be mended here.
 */
export function toToolResponse(value: unknown, options: ToToolResponseOptions): ToolAnswer {
  if (value instanceof Error) return failed({ ...toolErrorOf(value), data: {} }, options);
  if (isToolResponse(value)) return value as ToolAnswer;
  if (!isRecord(value)) return answered(typeof value === 'string' ? { content: value } : { result: value }, options);
  const { error, ...rest } = value;
  if (typeof error === 'string' && error.trim() !== '') return fromErrorText(error, { rest, options });
  if (!isEnvelope(value)) return answered(error === null ? rest : value, options);
  return mended(error === null || error === undefined ? rest : value, options);
}

function isEnvelope({ status, data }: Record<string, unknown>): boolean {
  return ['success', 'partial', 'error'].includes(status as string) && isRecord(data);
}

function fromErrorText(
  text: string,
  { rest, options }: { rest: Record<string, unknown>; options: ToToolResponseOptions },
): ToolAnswer {
  const error = toolErrorOfText(text);
  // Nothing gets lost by the bound of the message.
  const whole = error.message === text ? {} : { error_message: text };
  if (!isEnvelope(rest)) return failed({ ...error, data: { ...rest, ...whole } }, options);
  const own = typeof rest.text === 'string' && rest.text.trim() !== '' ? rest.text : undefined;
  const composed = failed({ ...error, data: { ...(rest.data as object), ...whole } }, options);
  return mended(
    { ...rest, ...composed, text: own ?? composed.text, stats: rest.stats, context: rest.context },
    options,
  );
}

/** An envelope with what it lacks: the cost and the place are ours to tell, the rest is not. */
function mended(envelope: Record<string, unknown>, options: ToToolResponseOptions): ToolAnswer {
  const whole = { ...envelope, ...filled(envelope, options) };
  const [broken] = brokenRules(whole);
  if (broken) throw new InvalidOptionError({ ...broken, option: fieldName(broken.path) });
  return whole as unknown as ToolAnswer;
}

function filled({ stats, context }: Record<string, unknown>, options: ToToolResponseOptions): object {
  const facts = responseFacts(withoutSkip(options));
  return {
    stats: isRecord(stats) ? { time_ms: facts.stats.time_ms, ...stats } : facts.stats,
    context: isRecord(context)
      ? { cwd: facts.context.cwd, params_input: facts.context.params_input, ...context }
      : facts.context,
  };
}

function failed(
  error: { code: string; message: string; data: Record<string, unknown> },
  { happened, next = nextAfter(error.code), ...facts }: ToToolResponseOptions,
): ToolFailure {
  return failure({ ...withoutSkip(facts), ...error, happened, next });
}

function answered(data: Record<string, unknown>, { happened, next, ...facts }: ToToolResponseOptions): ToolAnswer {
  const shared = { ...withoutSkip(facts), data };
  return discountsOf(data).length > 0
    ? partial({ ...shared, happened: happened ?? happenedByDefault.partial, next: next ?? nextAfterPartial })
    : success({ ...shared, happened: happened ?? happenedByDefault.success, next });
}

/** The type says it, and a caller without types is told the same. */
function withoutSkip(facts: ResponseFacts): ResponseFacts {
  return { ...facts, truncationSkip: undefined };
}
