import type { ToolSet } from 'ai';
import type { TaskEvent } from '../agents/task/options.ts';
import { requireRetentionDays } from '../artifacts/scoped-artifacts.ts';
import { STORAGE_OPTIONS } from '../artifacts/storage-options.ts';
import { type OutputStorage, requireOutputStorage } from '../delivery/delivery.ts';
import { type FocusOption, requireFocus } from '../delivery/focus.ts';
import { AiTruncateError, InvalidOptionError } from '../errors.ts';
import { type Listener, requireKnownName, requireOption, requireOptionalBoolean, requireOptions } from '../options.ts';
import { LIMITS, resolveLimits, type TruncationLimits } from '../preview/limits.ts';
import { requireHint } from '../preview/notice-and-hint-words.ts';
import { isPlainRecord, isRecord } from '../protocol/guards.ts';
import type { HintOption } from './hint.ts';
import { isWrapped } from './tool-copy.ts';

/** Options of one tool that replace the options of the set. */
export type ToolTruncation = ToolLimits & ToolRetention;

interface ToolLimits extends TruncationLimits {
  /**
   * Trusts this tool to bound its own output: an output with `context.truncation_skip: true`, or with a boolean
   * `metadata.truncated` next to `output`, passes unchanged. @default `allowSkip` of the set
   */
  allowSkip?: boolean | undefined;
  /**
   * The question that decides which lines and records a preview shows. `'auto'` takes the words of the last two user messages and of the arguments of the
   * call. A text, or a function of the call that returns a text, replaces them. With `false`, previews do not depend on the question.
   * @default `focus` of the set
   */
  focus?: FocusOption | undefined;
  /**
   * This tool is safe to call again. If the model has no reader for an output, the hint then says to call the tool again with
   * narrower parameters.
   * @default false
   */
  repeatable?: boolean | undefined;
}

/** Whether outputs of a tool over the limits are saved, and for how long. */
type ToolRetention =
  | {
      save?: true | undefined;
      /** How long saved outputs of this tool are stored, in days. @default `retentionDays` of the set */
      retentionDays?: number | undefined;
    }
  | {
      /**
       * With `false`, no outputs of this tool are saved. The path of a truncated output is `null`, and its notice says that the
       * outputs of this tool are not saved. @default true
       */
      save?: boolean | undefined;
      retentionDays?: undefined;
    };

export interface TruncateToolOutputsOptions extends TruncationLimits, OutputStorage {
  /**
   * Trusts all tools of the set to bound their own outputs; `perTool` overrides it for one tool. Enable it only if no tool
   * relays text that others wrote. @default false
   */
  allowSkip?: boolean | undefined;
  /**
   * The question that decides which lines and records a preview shows. `'auto'` takes the words of the last two user messages and of the arguments of the
   * call. A text, or a function of the call that returns a text, replaces them. With `false`, previews do not depend on the question.
   * @default 'auto'
   */
  focus?: FocusOption | undefined;
  /** Called for each task that has ended, with the usage of its sub-agent. Errors are ignored. */
  onTask?: Listener<TaskEvent> | undefined;
  /**
   * The tools that the hint of a truncated output names. `{ task: 'Task', grep: 'Grep', read: 'Read' }` names tools of your own, `false`
   * for one of them names none, and `false` alone omits the hint. A function decides for each truncated output, so that the
   * hint names only tools that this call may use. It returns such an object, or the line itself.
   * @default the readers and `task` that were added to the set
   */
  hint?: HintOption | undefined;
}

/** The options of a set without the types of their agents and names. */
export interface ToolSetOptions extends TruncateToolOutputsOptions {
  perTool?: Readonly<Record<string, ToolTruncation | false | undefined>>;
  explore?: unknown;
  agents?: unknown;
}

/** The names of all options of a set. */
export const TOOL_SET_OPTIONS: readonly string[] = [
  ...[...STORAGE_OPTIONS, ...LIMITS, 'redact', 'onTruncate', 'onOutput', 'onTask'],
  ...['allowSkip', 'focus', 'hint', 'perTool', 'readers', 'explore', 'agents'],
];

const ONLY_PER_TOOL: readonly string[] = ['repeatable', 'save'];

/** Throws for tools or options that could not work. */
export function requireToolSet(tools: unknown, options: ToolSetOptions): void {
  requireTools(tools);
  requireOutputStorage(options, { known: TOOL_SET_OPTIONS, elsewhere: { known: ONLY_PER_TOOL, place: '`perTool`' } });
  const { perTool = {}, hint, allowSkip } = options;
  requireOptionalBoolean('allowSkip', allowSkip);
  requireHint(hint, 'a function');
  requireFocus('focus', options.focus, { allowsFunction: true });
  resolveLimits(options);
  requirePerTool(perTool, tools);
}

function requireTools(tools: unknown): asserts tools is ToolSet {
  const isPromise = tools instanceof Promise;
  const expected = isPromise ? 'tools, not a promise: `await` it' : 'a plain object of tools by name';
  // The tools in a Map or a class would not be found, so they would stay unwrapped.
  requireOption(isPlainRecord(tools), { option: 'tools', value: tools, expected });
  if (isSingleTool(tools)) {
    const message = '`tools` must be a set of tools by name, e.g. `{ readLogs }`; got a single tool.';
    throw new InvalidOptionError({ option: 'tools', message });
  }
  for (const [name, tool] of Object.entries(tools)) {
    const isTool = isRecord(tool) && !((tool as unknown) instanceof Promise);
    requireOption(isTool, { option: `tools.${name}`, value: tool, expected: 'a tool' });
  }
}

/** In a set, these are names of tools. */
function isSingleTool({ execute, inputSchema }: Record<string, unknown>): boolean {
  return typeof execute === 'function' || (inputSchema !== undefined && !('inputSchema' in Object(inputSchema)));
}

function requirePerTool(perTool: unknown, tools: ToolSet): void {
  const isByName = isPlainRecord(perTool);
  requireOption(isByName, { option: 'perTool', value: perTool, expected: 'an object keyed by tool names' });
  for (const [name, value] of Object.entries(perTool)) {
    requireToolName(name, { option: 'perTool', tools });
    if (value === undefined || value === false) continue;
    const option = `perTool.${name}`;
    requireOptions(value, {
      known: [...LIMITS, 'allowSkip', 'focus', 'retentionDays', ...ONLY_PER_TOOL],
      at: option,
      expected: 'limits, or `false` to leave the tool unchanged',
      elsewhere: { known: TOOL_SET_OPTIONS, place: 'the whole set' },
    });
    requireOptionalBoolean(`${option}.allowSkip`, value.allowSkip);
    requireOptionalBoolean(`${option}.repeatable`, value.repeatable);
    requireRetention(option, value);
    requireFocus(`${option}.focus`, value.focus, { allowsFunction: true });
  }
}

function requireRetention(option: string, { save, retentionDays }: Record<string, unknown>): void {
  requireOptionalBoolean(`${option}.save`, save);
  requireRetentionDays(`${option}.retentionDays`, retentionDays);
  const isStored = save !== false || retentionDays === undefined;
  const expected = 'left out with `save: false`, because nothing is stored';
  requireOption(isStored, { option: `${option}.retentionDays`, value: retentionDays, expected });
}

/** Throws if no tool has this name. */
export function requireToolName(name: string, { option, tools }: { option: string; tools: object }): void {
  requireKnownName(name, { option, kind: 'tool', known: Object.keys(tools) });
}

/** Throws if a tool has the name of an added tool. */
export function requireFreeNames(tools: ToolSet, added: ToolSet): void {
  for (const name of Object.keys(added)) {
    const own = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (own) throw isWrapped(own) ? alreadyWrappedError() : nameTakenError(name);
  }
}

function alreadyWrappedError(): AiTruncateError {
  const message =
    'These tools are already wrapped by `truncateToolOutputs`. Wrap a set once, or pass `readers: false` the second time.';
  return new AiTruncateError(message, { code: 'NAME_TAKEN' });
}

/** A tool has a name that an added tool needs. */
function nameTakenError(name: string): AiTruncateError {
  const orNot = name === 'task' ? '' : ', or leave out the reader with `readers`';
  const message = `\`${name}\` is already one of your tools: rename it${orNot}.`;
  return new AiTruncateError(message, { code: 'NAME_TAKEN' });
}
