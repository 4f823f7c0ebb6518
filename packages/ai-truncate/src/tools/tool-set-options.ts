import type { ToolExecutionOptions, ToolSet } from 'ai';
import type { TaskEvent } from '../agents/task/options.ts';
import { type OutputKeeping, requireOutputKeeping } from '../delivery/output-keeping.ts';
import { AiTruncateError, InvalidOptionError } from '../errors.ts';
import { requireOptionalBoolean, requireOptionalFunction, requireOptions } from '../options.ts';
import { LIMITS, resolveLimits, type TruncationLimits } from '../preview/limits.ts';
import { isPlainRecord, isRecord } from '../protocol/guards.ts';

/** What holds for one tool instead of what holds for all. */
export interface ToolTruncation extends TruncationLimits {
  /**
   * Believes what this tool says about its own size: an output with `context.truncation_skip: true`, or with a boolean
   * `metadata.truncated` beside `output`, passes as it is. @default `allowSkip` of the set
   */
  allowSkip?: boolean;
}

export interface TruncateToolOutputsOptions extends TruncationLimits, OutputKeeping {
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

/** Before the first call: the tools, what is said of them, and the names of those that are added. */
export function requireToolSet(tools: ToolSet, options: ToolSetOptions, added: ToolSet): void {
  requireTools(tools);
  requireOutputKeeping(options);
  const { perTool = {}, canCall, allowSkip } = options;
  requireOptionalBoolean('allowSkip', allowSkip);
  requireOptionalFunction('canCall', canCall);
  requireOptions(options, { known: OPTIONS });
  resolveLimits(options);
  requireKnownNames(perTool, tools);
  requireFreeNames(tools, added);
}

/** Not a promise of tools, a Map or a class: the tools in it would not be seen, and stay as they are. */
function requireTools(tools: unknown): void {
  if (isPlainRecord(tools)) return;
  const expected =
    tools instanceof Promise ? 'tools, not a promise of them: `await` it' : 'a plain object of tools by name';
  throw new InvalidOptionError({ option: 'tools', value: tools, expected });
}

const OPTIONS: ReadonlySet<string> = new Set([
  ...[
    'store',
    'scope',
    'maxArtifactBytes',
    'saveTimeoutMs',
    'retentionDays',
    'sweep',
    'onSweep',
    'onTruncate',
    'onOutput',
    'allowSkip',
    'canCall',
    'perTool',
    'readers',
    'explore',
    'agents',
    'onTask',
  ],
  ...LIMITS,
]);
const OPTIONS_OF_ONE: ReadonlySet<string> = new Set([...LIMITS, 'allowSkip']);

function requireKnownNames(perTool: unknown, tools: ToolSet): void {
  if (!isPlainRecord(perTool)) {
    throw new InvalidOptionError({ option: 'perTool', value: perTool, expected: 'an object by names of tools' });
  }
  for (const [name, value] of Object.entries(perTool)) {
    if (!Object.hasOwn(tools, name)) {
      const names = Object.keys(tools).slice(0, MAX_NAMES_TOLD).join(', ');
      throw new InvalidOptionError({ option: 'perTool', value: name, expected: `by names of your tools (${names})` });
    }
    if (isRecord(value)) {
      requireOptions(value, { known: OPTIONS_OF_ONE, at: `perTool.${name}` });
      requireOptionalBoolean(`perTool.${name}.allowSkip`, value.allowSkip);
    } else if (value !== undefined && value !== false) {
      throw new InvalidOptionError({
        option: `perTool.${name}`,
        value,
        expected: 'limits, or `false` to leave it alone',
      });
    }
  }
}

const MAX_NAMES_TOLD = 20;

function requireFreeNames(tools: ToolSet, added: ToolSet): void {
  for (const name of Object.keys(added)) {
    if (Object.hasOwn(tools, name)) throw new NameTakenError(name);
  }
}

/** One of the tools has a name that is needed. */
class NameTakenError extends AiTruncateError {
  constructor(name: string) {
    const orNot = name === 'task' ? '' : ', or leave ours out with `readers`';
    super(`\`${name}\` is already one of your tools: rename it${orNot}.`, {
      code: 'NAME_TAKEN',
    });
    this.name = 'NameTakenError';
  }
}
