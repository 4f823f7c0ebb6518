import { now } from '../deadlines.ts';
import { requireOption, requireOptionalBoolean } from '../options.ts';
import { isRecord, isText } from './guards.ts';
import { stateOf } from './response-words.ts';
import { requireJson, requireRules, toProjectPath } from './rules.ts';
import type {
  CompleteData,
  DataMarks,
  ToolFailure,
  ToolPartial,
  ToolResponseContext,
  ToolResponseError,
  ToolResponseStats,
  ToolSuccess,
} from './tool-response.ts';
import { markOwn } from './truncated-output.ts';

export interface SuccessOptions<DATA extends object> extends ResponseFacts, ResponseTextStart {
  /** It has no mark of an incomplete result, which is the purpose of {@link partial}. */
  data: DATA & CompleteData;
  next?: string | undefined;
}

export interface PartialOptions<DATA extends object> extends ResponseFacts, ResponseTextStart {
  data: DATA & DataMarks;
  /** The reason why it is incomplete. @default a text from `truncated`, `fallback`, `failed_items` and `applied` in `data` */
  state?: string | undefined;
  /** The next step for the model: the parameter to change, the tool to call. */
  next: string;
}

export interface FailureOptions<DATA extends object> extends ResponseFacts {
  /** One of `toolErrorCodes`, or the tool's own code. */
  code: ToolResponseError['code'];
  /** The description of the error. */
  message: string;
  /** The next step for the model. */
  next: string;
  /** The work that was done. @default `message` */
  happened?: string | undefined;
  state?: string | undefined;
  /** @default {} */
  data?: (DATA & DataMarks) | undefined;
}

/**
 * The response of a tool that has done everything that was requested. Throws an `InvalidOptionError` for an answer that the
 * protocol does not allow, so that the fault is found in the tool instead of in its readers.
 *
 * @example
 * success({ data: { paths }, happened: `Found ${paths.length} files.`, input, startedAt });
 */
export function success<DATA extends object>(options: SuccessOptions<DATA>): ToolSuccess<DATA> {
  const text = responseText({ ...options, status: 'success' });
  return build({ status: 'success', data: options.data, text, ...responseFacts(options) }, options);
}

/**
 * The response of a tool whose result is usable, but truncated, degraded, a dry run, or only for some items.
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
 * The response of a tool that has no usable result.
 *
 * @example
 * failure({ ...toolErrorOf(error), next: 'Check the path.', input, startedAt });
 */
export function failure<DATA extends object>(options: FailureOptions<DATA>): ToolFailure {
  const { code, message, next, happened = message, state, data = {} } = options;
  requireOption(isText(code), { option: 'code', value: code, expected: 'a text, never empty' });
  requireOption(isText(message), { option: 'message', value: message, expected: 'a text, never empty' });
  const text = responseText({ status: 'error', happened, state, next });
  const told = { data: data as Record<string, unknown>, text, error: { code, message } };
  return build({ status: 'error', ...told, ...responseFacts(options) }, options);
}

function build<ENVELOPE extends ToolSuccess<object> | ToolPartial<object> | ToolFailure>(
  envelope: ENVELOPE,
  { truncationSkip }: ResponseFacts,
): ENVELOPE {
  requireRules(envelope);
  requireJson(envelope);
  // Only on request, because an answer that relays foreign text deserves no more trust than that text.
  return truncationSkip === true ? markOwn(envelope) : envelope;
}

/** The facts that every answer reports in addition to its result: the request, the place, and the cost. */
export interface ResponseFacts {
  /** The parameters as the tool received them. They are in `context.params_input`, unchanged. */
  input: unknown;
  /** The value of `performance.now()` when the tool started. The time since then is `stats.time_ms`. */
  startedAt: number;
  /** The directory in which the tool worked: relative to the project root, or absolute if `root` is set. @default '.' */
  cwd?: string | undefined;
  /** The absolute path of the project root. It is never shown. */
  root?: string | undefined;
  /** The resolved path: relative to the project root, or absolute if `root` is set. */
  pathResolved?: string | undefined;
  /** The tool's own counts, e.g. `total_matches`. */
  stats?: (Record<string, number | string> & { time_ms?: never }) | undefined;
  /** Further facts for readers of the log. */
  context?: (Record<string, unknown> & { [NAME in OwnContext]?: never }) | undefined;
  /**
   * The answer bounds its own size (for example because it is a page of results), so `truncateToolOutputs` lets it pass
   * unchanged. This is an option and not a key of `context`, because text that a tool relays there (a web page, a file, the
   * answer of another server) could claim it.
   * @default false
   */
  truncationSkip?: boolean | undefined;
}

/** Keys that have their own option, or that a relayed context must not set. */
const OWN_CONTEXT = {
  cwd: 'cwd',
  params_input: 'input',
  path_resolved: 'pathResolved',
  truncation_skip: 'truncationSkip',
};

type OwnContext = keyof typeof OWN_CONTEXT;

/** `stats` and `context` of an answer. Throws for an invalid fact. */
export function responseFacts(facts: ResponseFacts): { stats: ToolResponseStats; context: ToolResponseContext } {
  const { input = {}, pathResolved, stats = {}, context = {}, truncationSkip = false } = facts;
  for (const [option, value] of Object.entries({ stats, context })) {
    requireOption(isRecord(value), { option, value, expected: 'an object' });
  }
  requireOptionalBoolean('truncationSkip', truncationSkip);
  for (const [name, option] of Object.entries(OWN_CONTEXT)) {
    const expected = `given by the option \`${option}\` and absent here`;
    requireOption(!Object.hasOwn(context, name), { option: `context.${name}`, value: context[name], expected });
  }
  const { time_ms: value } = stats as Record<string, unknown>;
  requireOption(value === undefined, { option: 'stats.time_ms', value, expected: 'absent, because it is measured' });
  return {
    stats: { time_ms: requireElapsed(facts.startedAt), ...stats },
    context: {
      cwd: requireInside('cwd', facts.cwd ?? '.', facts.root),
      params_input: input,
      ...(pathResolved === undefined ? {} : { path_resolved: requireInside('pathResolved', pathResolved, facts.root) }),
      ...context,
      ...(truncationSkip && { truncation_skip: true }),
    },
  };
}

function requireElapsed(startedAt: number): number {
  const elapsed = now() - startedAt;
  // A `Date.now()` is far in the future of this clock.
  const isPast = typeof startedAt === 'number' && startedAt >= 0 && elapsed >= 0;
  const expected = 'the value of `performance.now()` when the tool began';
  requireOption(isPast, { option: 'startedAt', value: startedAt, expected });
  return Math.round(elapsed);
}

function requireInside(option: string, path: unknown, root: unknown): string {
  const isRight = typeof path === 'string' && (root === undefined || typeof root === 'string');
  const relative = isRight ? toProjectPath(path, root) : undefined;
  const expected = 'inside the project: relative to its root, or absolute below an absolute `root`';
  requireOption(relative !== undefined, { option, value: path, expected });
  return relative;
}

/** The three parts of a text for a model. */
export type ResponseTextOptions = ResponseTextStart &
  (
    | { status: 'success'; next?: string | undefined }
    | {
        status: 'partial' | 'error';
        /** The next step for the model: the parameter to change, the tool to call. */
        next: string;
      }
  );

interface ResponseTextStart {
  /** The work that was done, and its result: `Found 5 matches for 'class ' in 2 files.` */
  happened: string;
  /** A special state: `Truncated to the first 100.` */
  state?: string | undefined;
}

/**
 * The `text` of an answer: the work, the state and the next step. An incomplete result needs a next step, because a model
 * without one repeats the call.
 *
 * @example
 * responseText({ status: 'partial', happened: 'Found 100 matches', state: 'Truncated', next: 'Narrow `path`' });
 * // 'Found 100 matches. Truncated. Narrow `path`.'
 */
export function responseText({ status, happened, state = '', next = '' }: ResponseTextOptions): string {
  const isSuccess = status === 'success';
  const nextStep = isSuccess ? 'a text' : `the next step, which an answer with status '${status}' needs`;
  requireOption(isText(happened), {
    option: 'happened',
    value: happened,
    expected: 'a text that describes the work',
  });
  requireOption(typeof state === 'string', { option: 'state', value: state, expected: 'a text' });
  const hasNext = isSuccess ? typeof next === 'string' : isText(next);
  requireOption(hasNext, { option: 'next', value: next, expected: nextStep });
  return [happened, state, next].map(toSentence).filter(Boolean).join(' ');
}

/** Ends with a full stop, unless the text has another end. */
function toSentence(text: string): string {
  const trimmed = text.trim();
  return trimmed === '' || /[.!?…:][)\]"'`]?$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
