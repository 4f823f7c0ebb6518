import type { ToolExecutionOptions, ToolSet } from 'ai';
import type { TaskEvent } from '../agents/task/options.ts';
import { STORAGE_OPTIONS } from '../artifacts/storage-options.ts';
import { type OutputStorage, requireOutputStorage } from '../delivery/delivery.ts';
import { AiTruncateError } from '../errors.ts';
import { requireOption, requireOptionalBoolean, requireOptionalFunction, requireOptions } from '../options.ts';
import { LIMITS, resolveLimits, type TruncationLimits } from '../preview/limits.ts';
import { isPlainRecord } from '../protocol/guards.ts';

/** What holds for one tool instead of what holds for all. */
export interface ToolTruncation extends TruncationLimits {
  /**
   * Believes what this tool says about its own size: an output with `context.truncation_skip: true`, or with a boolean
   * `metadata.truncated` beside `output`, passes as it is. @default `allowSkip` of the set
   */
  allowSkip?: boolean;
}

export interface TruncateToolOutputsOptions extends TruncationLimits, OutputStorage {
  /**
   * Believes what all tools of the set say about their own size; `perTool` overrides it for one tool. Only for sets in which no
   * tool relays what others wrote. @default false
   */
  allowSkip?: boolean;
  /** Told of each task that a sub-agent has ended, with what it used. What it throws is dropped. */
  onTask?: (event: TaskEvent) => void;
  /**
   * Whether this call may go on with `task`, `grepArtifacts` or `readArtifact`, so that the hint may name it.
   * @default it may, when the tool is one that was added to the set here; one of yours with that name is none of these
   */
  canCall?: (toolName: string, options: ToolExecutionOptions<unknown>) => boolean;
}

/** The options of a set as they arrive: what the types of the entrance say of agents and names is not known any more. */
export interface ToolSetOptions extends TruncateToolOutputsOptions {
  perTool?: Readonly<Record<string, ToolTruncation | false | undefined>>;
  explore?: unknown;
  agents?: unknown;
}

const OPTIONS: readonly string[] = [
  ...[...STORAGE_OPTIONS, ...LIMITS, 'onTruncate', 'onOutput', 'onTask'],
  ...['allowSkip', 'canCall', 'perTool', 'readers', 'explore', 'agents'],
];

/** Before the first call: the tools, what is said of them, and the names of those that are added. */
export function requireToolSet(tools: ToolSet, options: ToolSetOptions, added: ToolSet): void {
  const isPromise = (tools as unknown) instanceof Promise;
  const expected = isPromise ? 'tools, not a promise of them: `await` it' : 'a plain object of tools by name';
  // The tools in a Map or a class would not be found, so they would stay unwrapped.
  requireOption(isPlainRecord(tools), { option: 'tools', value: tools, expected });
  requireOutputStorage(options);
  const { perTool = {}, canCall, allowSkip } = options;
  requireOptionalBoolean('allowSkip', allowSkip);
  requireOptionalFunction('canCall', canCall);
  requireOptions(options, { known: OPTIONS });
  resolveLimits(options);
  requirePerTool(perTool, tools);
  for (const name of Object.keys(added)) if (Object.hasOwn(tools, name)) throw nameTakenError(name);
}

function requirePerTool(perTool: unknown, tools: ToolSet): void {
  const isByName = isPlainRecord(perTool);
  requireOption(isByName, { option: 'perTool', value: perTool, expected: 'an object keyed by tool names' });
  for (const [name, value] of Object.entries(perTool)) {
    requireToolName(name, { option: 'perTool', tools });
    if (value === undefined || value === false) continue;
    const option = `perTool.${name}`;
    requireOptions(value, {
      known: [...LIMITS, 'allowSkip'],
      at: option,
      expected: 'limits, or `false` to leave it alone',
    });
    requireOptionalBoolean(`${option}.allowSkip`, value.allowSkip);
  }
}

const MAX_NAMES_TOLD = 20;

/** Throws for a name that no tool has. */
export function requireToolName(name: string, { option, tools }: { option: string; tools: object }): void {
  const names = Object.keys(tools).slice(0, MAX_NAMES_TOLD).join(', ');
  requireOption(Object.hasOwn(tools, name), { option, value: name, expected: `by names of your tools (${names})` });
}

/** One of the tools has a name that is needed. */
function nameTakenError(name: string): AiTruncateError {
  const orNot = name === 'task' ? '' : ', or leave ours out with `readers`';
  const message = `\`${name}\` is already one of your tools: rename it${orNot}.`;
  return new AiTruncateError(message, { code: 'NAME_TAKEN' });
}
