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
  /** Without any mark that something is missing: that is what {@link partial} is for. */
  data: DATA & CompleteData;
  next?: string | undefined;
}

export interface PartialOptions<DATA extends object> extends ResponseFacts, ResponseTextStart {
  data: DATA & DataMarks;
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
  // Only where it is asked for: an answer that relays what others wrote is no more believed than they are.
  return truncationSkip === true ? markOwn(envelope) : envelope;
}

/** What every answer tells beside its result: what was asked, where it was done, what it cost. */
export interface ResponseFacts {
  /** The parameters as the tool got them. They stand in `context.params_input`, unchanged. */
  input: unknown;
  /** `performance.now()` when the tool began. What has gone by since is `stats.time_ms`. */
  startedAt: number;
  /** Where the tool worked: relative to the project root, or absolute together with `root`. @default '.' */
  cwd?: string | undefined;
  /** The project root, absolute. Never shown. */
  root?: string | undefined;
  /** The path that was meant, once it is resolved: relative to the project root, or absolute together with `root`. */
  pathResolved?: string | undefined;
  /** Counts of the tool's own, e.g. `total_matches`. */
  stats?: (Record<string, number | string> & { time_ms?: never }) | undefined;
  /** What else a reader of the log should know. */
  context?: (Record<string, unknown> & { [NAME in OwnContext]?: never }) | undefined;
  /**
   * The answer bounds its own size (it is a page, say), and `truncateToolOutputs` lets it pass whole. An option and not a key
   * of `context`: what a tool relays there (a page, a file, another server's answer) could claim it.
   * @default false
   */
  truncationSkip?: boolean | undefined;
}

/** What has an option of its own, or is not for a relayed context to say. */
const OWN_CONTEXT = {
  cwd: 'cwd',
  params_input: 'input',
  path_resolved: 'pathResolved',
  truncation_skip: 'truncationSkip',
};

type OwnContext = keyof typeof OWN_CONTEXT;

/** `stats` and `context` of an answer; throws for a fact that cannot be. */
export function responseFacts(facts: ResponseFacts): { stats: ToolResponseStats; context: ToolResponseContext } {
  const { input = {}, pathResolved, stats = {}, context = {}, truncationSkip = false } = facts;
  for (const [option, value] of Object.entries({ stats, context })) {
    requireOption(isRecord(value), { option, value, expected: 'an object' });
  }
  requireOptionalBoolean('truncationSkip', truncationSkip);
  for (const [name, option] of Object.entries(OWN_CONTEXT)) {
    const expected = `given by the option \`${option}\`, and absent here`;
    requireOption(!Object.hasOwn(context, name), { option: `context.${name}`, value: context[name], expected });
  }
  const { time_ms: value } = stats as Record<string, unknown>;
  requireOption(value === undefined, { option: 'stats.time_ms', value, expected: 'absent: it is measured' });
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

/** The three things that a text for a model says. */
export type ResponseTextOptions = ResponseTextStart &
  (
    | { status: 'success'; next?: string | undefined }
    | {
        status: 'partial' | 'error';
        /** What the model should do now: the parameter to change, the tool to call. */
        next: string;
      }
  );

interface ResponseTextStart {
  /** What was done, and with what result: `Found 5 matches for 'class ' in 2 files.` */
  happened: string;
  /** What is special about it: `Truncated to the first 100.` */
  state?: string | undefined;
}

/**
 * The `text` of an answer: what happened, in what state, what to do next. A result that is not whole needs its next step:
 * a model that is told none repeats the call.
 *
 * @example
 * responseText({ status: 'partial', happened: 'Found 100 matches', state: 'Truncated', next: 'Narrow `path`' });
 * // 'Found 100 matches. Truncated. Narrow `path`.'
 */
export function responseText({ status, happened, state = '', next = '' }: ResponseTextOptions): string {
  const isSuccess = status === 'success';
  const nextStep = isSuccess ? 'a text' : `the next step, which an answer with status '${status}' names`;
  requireOption(isText(happened), { option: 'happened', value: happened, expected: 'a text that says what was done' });
  requireOption(typeof state === 'string', { option: 'state', value: state, expected: 'a text' });
  const hasNext = isSuccess ? typeof next === 'string' : isText(next);
  requireOption(hasNext, { option: 'next', value: next, expected: nextStep });
  return [happened, state, next].map(toSentence).filter(Boolean).join(' ');
}

/** Closed by a full stop, unless something closes it already. */
function toSentence(text: string): string {
  const trimmed = text.trim();
  return trimmed === '' || /[.!?…:][)\]"'`]?$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
