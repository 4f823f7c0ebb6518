import type { Tool, ToolExecutionOptions, ToolSet } from 'ai';
import { exploreAgent } from './agents/explore-agent.ts';
import type { ExploreAgentOptions } from './agents/explore-options.ts';
import type { SubAgent } from './agents/sub-agent.ts';
import type { TaskEvent } from './agents/task-options.ts';
import { createTaskTool, type TaskTool } from './agents/task-tool.ts';
import { findScope } from './artifacts/keep-output.ts';
import { scopedArtifacts } from './artifacts/scoped-artifacts.ts';
import { countedTool } from './counted-tool.ts';
import { DEFAULT_SAVE_TIMEOUT_MS } from './delivery/keep-text.ts';
import { type OutputKeeping, requireOutputKeeping } from './delivery/output-keeping.ts';
import { AiTruncateError, InvalidOptionError } from './errors.ts';
import { isPlainRecord } from './protocol/is-plain-record.ts';
import { isRecord } from './protocol/is-record.ts';
import { type ArtifactTools, artifactToolsOf, type ReaderName } from './readers/create-artifact-tools.ts';
import { leaveTool, truncateTool } from './truncate-tool.ts';
import type { NoConflict, NoUnknown, TruncatedTools } from './truncated-tools.ts';
import { LIMITS, type ResolvedLimits, resolveLimits, type TruncationLimits } from './truncation/truncation-limits.ts';
import { HINTED_TOOLS } from './truncation/truncation-notice.ts';

/** What holds for one tool instead of what holds for all. */
export interface ToolTruncation extends TruncationLimits {
  /**
   * Believes what this tool says about its own size: an output with `context.truncation_skip: true`, or with a boolean
   * `metadata.truncated` beside `output`, passes as it is. @default false
   */
  allowSkip?: boolean;
}

/** The readers that a set gets when nothing is said. */
export type DefaultReaderName = 'readArtifact' | 'grepArtifacts' | 'queryArtifact';

/** The agents that the tool `task` can call. */
export type TaskAgentName<EXPLORE, AGENTS> = ([EXPLORE] extends [object] ? 'explore' : never) | (keyof AGENTS & string);

/** What is added to a set of tools. */
export type AddedTools<
  READERS extends readonly ReaderName[] | false,
  EXPLORE = undefined,
  AGENTS = Record<never, never>,
> = {
  // One mapped type: of an intersection the compiler would print all members into the declarations of an application.
  [NAME in AddedName<READERS, TaskAgentName<EXPLORE, AGENTS>>]: NAME extends ReaderName
    ? ArtifactTools[NAME]
    : TaskTool<TaskAgentName<EXPLORE, AGENTS>>;
};

type AddedName<READERS, AGENT> =
  | (READERS extends readonly (infer NAME extends ReaderName)[] ? NAME : never)
  | ([AGENT] extends [never] ? never : 'task');

export interface TruncateToolOutputsOptions extends TruncationLimits, OutputKeeping {
  /** Told of each task that a sub-agent has ended, with what it used. What it throws is dropped. */
  onTask?: (event: TaskEvent) => void;
  /**
   * Whether this call may go on with `task`, `grepArtifacts` or `readArtifact`, so that the hint may name it.
   * @default it may, when the tool is one that was added to the set here; one of yours with that name is none of these
   */
  canCall?: (toolName: string, options: ToolExecutionOptions<unknown>) => boolean;
}

/**
 * The same tools, whose outputs are bounded: of one over the limits every byte is kept, and the model, the UI and the chat log
 * get a `TruncatedOutput` in its place. With them come three readers, with which the model finds what it needs of the rest.
 *
 * @example
 * const tools = truncateToolOutputs(
 *   { readServerLogs, getWeather },
 *   { store, scope: chatId, perTool: { readServerLogs: { keep: 'tail' }, getWeather: false } },
 * );
 */
export function truncateToolOutputs<
  TOOLS extends ToolSet,
  PER_TOOL extends { readonly [NAME in keyof TOOLS]?: ToolTruncation | false } = Record<never, never>,
  const READERS extends readonly ReaderName[] | false = readonly DefaultReaderName[],
  EXPLORE extends ExploreAgentOptions | undefined = undefined,
  AGENTS extends Readonly<Record<string, SubAgent>> = Record<never, never>,
>(
  tools: TOOLS,
  options: TruncateToolOutputsOptions & {
    /**
     * What holds for single tools; `false` leaves a tool alone. Limits that are not named stay those of all tools.
     */
    // The second half types the functions inside: without it, the parameter of a `keep` is `any`.
    perTool?: PER_TOOL & { readonly [NAME in keyof NoInfer<TOOLS>]?: ToolTruncation | false };
    /** The readers that are added; `false` for none. @default ['readArtifact', 'grepArtifacts', 'queryArtifact'] */
    readers?: READERS;
    /**
     * Adds the tool `task` with the agent `explore`, which finds what is not shown: give it a model, a small one does.
     * @default none
     */
    explore?: EXPLORE & NoUnknown<EXPLORE, ExploreAgentOptions>;
    /** More agents for the tool `task`, by name: see `toSubAgent`. @default none */
    agents?: AGENTS & Readonly<Record<string, SubAgent>>;
  } & { perTool?: NoUnknown<PER_TOOL, TOOLS> } & NoConflict<NoInfer<TOOLS>, AddedTools<READERS, EXPLORE, AGENTS>>,
): TruncatedTools<TOOLS, PER_TOOL> & AddedTools<READERS, EXPLORE, AGENTS> {
  const added = { ...readersOf(options, options?.readers ?? DEFAULT_READERS), ...taskOf(options) };
  return wrapToolSet(tools, options, added) as TruncatedTools<TOOLS, PER_TOOL> & AddedTools<READERS, EXPLORE, AGENTS>;
}

/** The tool `task`, where there is an agent for it. */
function taskOf({
  explore,
  agents,
  onTask,
  store,
  scope,
  maxArtifactBytes,
  saveTimeoutMs,
  retentionDays,
}: TruncateToolOutputsOptions & { explore?: unknown; agents?: unknown }): ToolSet {
  if (agents !== undefined && !isRecord(agents)) {
    throw new InvalidOptionError({ option: 'agents', value: agents, expected: 'sub-agents by name' });
  }
  if (explore !== undefined && agents && Object.hasOwn(agents, EXPLORE_AGENT)) {
    const expected = 'without `explore`, which the option `explore` makes';
    throw new InvalidOptionError({ option: 'agents', value: EXPLORE_AGENT, expected });
  }
  const all = {
    ...(explore !== undefined && { [EXPLORE_AGENT]: exploreAgent(explore as ExploreAgentOptions) }),
    ...(agents as Record<string, SubAgent> | undefined),
  };
  if (Object.keys(all).length === 0) return {};
  const given = { onTask, maxArtifactBytes, saveTimeoutMs, retentionDays };
  const rest = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { task: createTaskTool({ agents: all, store, scope, ...rest }) };
}

/** The agent that the hint names. */
const EXPLORE_AGENT = 'explore';

const DEFAULT_READERS: readonly DefaultReaderName[] = ['readArtifact', 'grepArtifacts', 'queryArtifact'];

function readersOf(options: OutputKeeping, names: unknown): ToolSet {
  requireOutputKeeping(options);
  if (names === false) return {};
  const { store, scope, saveTimeoutMs = DEFAULT_SAVE_TIMEOUT_MS } = options;
  const find = async () => scopedArtifacts(store, { scope: await findScope({ scope, saveTimeoutMs }) });
  const all: ToolSet = { ...artifactToolsOf(find) };
  const isKnown = Array.isArray(names) && names.every((name) => typeof name === 'string' && Object.hasOwn(all, name));
  if (!isKnown) {
    const expected = `a list of ${Object.keys(all).join(', ')}, or \`false\``;
    throw new InvalidOptionError({ option: 'readers', value: names, expected });
  }
  return Object.fromEntries((names as string[]).map((name) => [name, all[name] as Tool]));
}

/** The hint names `explore`: a task tool without it cannot do what the hint says. One of the application's own may have it. */
function hasExplore({ explore, agents }: { explore?: unknown; agents?: unknown }, added: ToolSet): boolean {
  if (!Object.hasOwn(added, 'task')) return true;
  return explore !== undefined || (isRecord(agents) && Object.hasOwn(agents, EXPLORE_AGENT));
}

type PerTool = Readonly<Record<string, ToolTruncation | false | undefined>>;

/** The wrapped tools, and those that are added to them. */
export function wrapToolSet(
  tools: ToolSet,
  options: TruncateToolOutputsOptions & { perTool?: PerTool; explore?: unknown; agents?: unknown },
  added: ToolSet,
): ToolSet {
  requireTools(tools);
  requireOutputKeeping(options);
  const { perTool = {}, onOutput, canCall = (name: string) => Object.hasOwn(added, name) } = options;
  const hinted = HINTED_TOOLS.filter((name) => name !== 'task' || hasExplore(options, added));
  requireFunction('canCall', canCall);
  requireKnownOptions(options, { known: OPTIONS, at: '' });
  resolveLimits(options);
  requireKnownNames(perTool, tools);
  requireFreeNames(tools, added);

  const hintTools = (call: ToolExecutionOptions<unknown>) => hinted.filter((name) => mayCall(canCall, { name, call }));
  // As the tools of an MCP server come: without a prototype.
  const set: ToolSet = Object.getPrototypeOf(tools) === null ? Object.create(null) : {};
  for (const [toolName, tool] of Object.entries(tools)) {
    const own = Object.hasOwn(perTool, toolName) ? perTool[toolName] : undefined;
    if (own === false) {
      add(set, toolName, leaveTool(tool));
      continue;
    }
    const limits = limitsOf(own, { all: options, toolName });
    const allowsSkip = own?.allowSkip === true;
    add(set, toolName, truncateTool(tool, { toolName, limits, keeping: options, allowsSkip, hintTools }));
  }
  for (const [name, tool] of Object.entries(added)) add(set, name, countedTool(tool, { toolName: name, onOutput }));
  return set;
}

/** Not by assignment: a tool may be called `__proto__`. */
function add(set: ToolSet, name: string, tool: Tool): void {
  Object.defineProperty(set, name, { value: tool, enumerable: true, configurable: true, writable: true });
}

/** What one tool leaves open holds for all; a preview that fits all is made to fit this one. */
function limitsOf(
  own: ToolTruncation | undefined,
  { all, toolName }: { all: TruncationLimits; toolName: string },
): ResolvedLimits {
  if (!own) return resolveLimits(all);
  const { maxLines = all.maxLines, maxBytes = all.maxBytes, maxChars = all.maxChars, keep = all.keep } = own;
  const { previewBytes = all.previewBytes && Math.min(all.previewBytes, maxBytes ?? all.previewBytes) } = own;
  const limits = { maxLines, maxBytes, maxChars, keep, previewBytes };
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  return resolveLimits(Object.fromEntries(given), `perTool.${toolName}.`);
}

/** The hint is one line of the result: a rule that fails must not cost the result itself. */
function mayCall(
  canCall: NonNullable<TruncateToolOutputsOptions['canCall']>,
  { name, call }: { name: string; call: ToolExecutionOptions<unknown> },
): boolean {
  try {
    const answer: unknown = canCall(name, call);
    // A promise is no answer, and its failure nobody's.
    Promise.resolve(answer).catch(() => {});
    return answer === true;
  } catch {
    return false;
  }
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
    'onTruncate',
    'onOutput',
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

/** A misspelt option would be ignored, and a limit that was meant to hold would not. */
function requireKnownOptions(options: object, { known, at }: { known: ReadonlySet<string>; at: string }): void {
  for (const [name, value] of Object.entries(options)) {
    if (known.has(name) || value === undefined) continue;
    throw new InvalidOptionError({ option: `${at}${name}`, value, expected: `one of ${[...known].join(', ')}` });
  }
}

function requireFunction(option: string, value: unknown): void {
  if (typeof value !== 'function') throw new InvalidOptionError({ option, value, expected: 'a function' });
}

function requireKnownNames(perTool: unknown, tools: ToolSet): void {
  if (!isPlainRecord(perTool)) {
    throw new InvalidOptionError({ option: 'perTool', value: perTool, expected: 'an object by names of tools' });
  }
  for (const [name, value] of Object.entries(perTool)) {
    if (!Object.hasOwn(tools, name)) {
      const names = Object.keys(tools).slice(0, MAX_NAMES_TOLD).join(', ');
      throw new InvalidOptionError({ option: 'perTool', value: name, expected: `by names of your tools (${names})` });
    }
    if (isRecord(value)) requireKnownOptions(value, { known: OPTIONS_OF_ONE, at: `perTool.${name}.` });
    else if (value !== undefined && value !== false) {
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
