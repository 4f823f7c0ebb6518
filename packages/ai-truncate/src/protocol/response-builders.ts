import { InvalidOptionError } from '../errors.ts';
import { brokenRules, fieldName } from './broken-rules.ts';
import { markOwn } from './own-envelope.ts';
import { requireJson } from './require-json.ts';
import { type ResponseFacts, responseFacts } from './response-facts.ts';
import { responseText } from './response-text.ts';
import { stateOf } from './response-words.ts';
import type { DataMarks } from './tool-data.ts';
import type { CompleteData, ToolFailure, ToolPartial, ToolResponseError, ToolSuccess } from './tool-response.ts';

export interface SuccessOptions<DATA extends object> extends ResponseFacts {
  /** Without any mark that something is missing: that is what {@link partial} is for. */
  data: DATA & CompleteData;
  /** What was done, and with what result. */
  happened: string;
  state?: string | undefined;
  next?: string | undefined;
}

export interface PartialOptions<DATA extends object> extends ResponseFacts {
  data: DATA & DataMarks;
  /** What was done, and with what result. */
  happened: string;
  /** Why it is not whole. @default what `truncated`, `fallback`, `failed_items` and `applied` in `data` say */
  state?: string | undefined;
  /** What the model should do now: the parameter to change, the tool to call. */
  next: string;
}

export interface FailureOptions<DATA extends object> extends ResponseFacts {
  /** One of `toolErrorCodes`, or a code of the tool's own. */
  code: ToolResponseError['code'];
  /** What went wrong. */
  message: string;
  /** What the model should do now. */
  next: string;
  /** What was done. @default `message` */
  happened?: string | undefined;
  state?: string | undefined;
  /** @default {} */
  data?: (DATA & DataMarks) | undefined;
}

/**
 * The answer of a tool that did all of what was asked. Throws an `InvalidOptionError` for an answer that the protocol does
 * not allow: found here, in the tool, instead of by whoever reads it.
 *
 * @example
 * success({ data: { paths }, happened: `Found ${paths.length} files.`, input, startedAt });
 */
export function success<DATA extends object>(options: SuccessOptions<DATA>): ToolSuccess<DATA> {
  const text = responseText({ ...options, status: 'success' });
  return build({ status: 'success', data: options.data, text, ...responseFacts(options) }, options);
}

/**
 * The answer of a tool whose result can be used, but is cut, degraded, a dry run, or done only for some items.
 *
 * @example
 * partial({ data: { paths, truncated: true }, happened: 'Found 100 files.', next: 'Narrow `pattern`.', input, startedAt });
 */
export function partial<DATA extends object>(options: PartialOptions<DATA>): ToolPartial<DATA> {
  const { data, happened, state = stateOf(data), next } = options;
  const text = responseText({ status: 'partial', happened, state, next });
  return build({ status: 'partial', data, text, ...responseFacts(options) }, options);
}

/**
 * The answer of a tool that has no usable result.
 *
 * @example
 * failure({ ...toolErrorOf(error), next: 'Check the path.', input, startedAt });
 */
export function failure<DATA extends object>(options: FailureOptions<DATA>): ToolFailure {
  const { code, message, next, happened = message, state, data = {} } = options;
  for (const [option, value] of Object.entries({ code, message })) {
    if (typeof value === 'string' && value.trim() !== '') continue;
    throw new InvalidOptionError({ option, value, expected: 'a text, never empty' });
  }
  const text = responseText({ status: 'error', happened, state, next });
  return build(
    {
      status: 'error',
      data: data as Record<string, unknown>,
      text,
      error: { code, message },
      ...responseFacts(options),
    },
    options,
  );
}

function build<ENVELOPE extends ToolSuccess<object> | ToolPartial<object> | ToolFailure>(
  envelope: ENVELOPE,
  { truncationSkip }: ResponseFacts,
): ENVELOPE {
  const [broken] = brokenRules(envelope);
  if (broken) throw new InvalidOptionError({ ...broken, option: fieldName(broken.path) });
  requireJson(envelope);
  // Only where it is asked for: an answer that relays what others wrote is no more believed than they are.
  return truncationSkip === true ? markOwn(envelope) : envelope;
}
