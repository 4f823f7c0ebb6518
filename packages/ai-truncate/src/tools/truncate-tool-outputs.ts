import type { Tool, ToolExecuteFunction, ToolSet } from 'ai';
import type { ExploreAgentOptions } from '../agents/explore/options.ts';
import type { SubAgent } from '../agents/task/sub-agent.ts';
import { withoutUndefined } from '../options.ts';
import { type ResolvedLimits, resolveLimits, type TruncationLimits } from '../preview/limits.ts';
import { HINTED_TOOLS } from '../preview/notice-and-hint-words.ts';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import type { ReaderName } from '../readers/create-artifact-tools.ts';
import { type AddedTools, addedTools, type DefaultReaderName, hasExplore } from './added-tools.ts';
import { countedTool } from './counted-tool.ts';
import {
  requireToolSet,
  type ToolSetOptions,
  type ToolTruncation,
  type TruncateToolOutputsOptions,
} from './tool-set-options.ts';
import type { DeliveredOutput } from './truncate-output.ts';
import { leaveTool, truncateTool } from './truncate-tool.ts';

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
  return wrapToolSet(tools, options, addedTools(options)) as TruncatedTools<TOOLS, PER_TOOL> &
    AddedTools<READERS, EXPLORE, AGENTS>;
}

/** The wrapped tools, and those that are added to them. */
export function wrapToolSet(tools: ToolSet, options: ToolSetOptions, added: ToolSet): ToolSet {
  requireToolSet(tools, options, added);

  const { perTool = {}, onOutput, canCall } = options;
  const isHinted = (name: string) =>
    (canCall !== undefined || Object.hasOwn(added, name)) && (name !== 'task' || hasExplore(options, added));
  const hinted = HINTED_TOOLS.filter(isHinted);
  // As the tools of an MCP server come: without a prototype.
  const set: ToolSet = Object.getPrototypeOf(tools) === null ? Object.create(null) : {};
  for (const [toolName, tool] of Object.entries(tools)) {
    const own = Object.hasOwn(perTool, toolName) ? perTool[toolName] : undefined;
    if (own === false) {
      add(set, toolName, leaveTool(tool));
      continue;
    }
    const limits = limitsOf(own, { all: options, toolName });
    const allowsSkip = own?.allowSkip ?? options.allowSkip ?? false;
    add(set, toolName, truncateTool(tool, { toolName, limits, storage: options, allowsSkip, hinted, canCall }));
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
  const limits: TruncationLimits = { ...withoutUndefined(all), ...withoutUndefined(own) };
  const { maxBytes = Number.POSITIVE_INFINITY, previewBytes } = limits;
  if (own.previewBytes === undefined && previewBytes) limits.previewBytes = Math.min(previewBytes, maxBytes);
  return resolveLimits(limits, `perTool.${toolName}.`);
}

/**
 * The same tool, whose output may also be a `TruncatedOutput`. Provider tools and tools without `execute` run elsewhere and stay
 * what they are. One that only may have an `execute` (`const read: Tool<…>`) counts as having one.
 */
export type TruncatedTool<TOOL> = [TOOL] extends [{ type: 'provider' }]
  ? TOOL
  : [TOOL] extends [{ execute?: undefined }]
    ? TOOL
    : // The tuples keep `Tool`, a union, from being distributed. CONTEXT is inferred here because `InferToolContext` gives `never`.
      [TOOL] extends [Tool<infer INPUT, infer OUTPUT, infer CONTEXT>]
      ? Tool<INPUT, DeliveredOutput<OUTPUT> | TruncatedOutput, CONTEXT> &
          ([TOOL] extends [{ execute: (...parameters: never[]) => unknown }]
            ? { execute: ToolExecuteFunction<INPUT, DeliveredOutput<OUTPUT> | TruncatedOutput, CONTEXT> }
            : unknown) &
          OwnMembers<TOOL>
      : TOOL;

/** What makes it this kind of tool, and what others added to it: the mark of a code-mode caller, the `_meta` of an MCP tool. */
type OwnMembers<TOOL> = Pick<TOOL, Exclude<keyof TOOL, Exclude<keyof Tool, 'type'>>>;

/** A set of tools whose outputs are bounded. Those that `perTool` sets to `false` are left as they are. */
export type TruncatedTools<TOOLS extends ToolSet, PER_TOOL = Record<never, never>> = {
  [NAME in keyof TOOLS]: NAME extends keyof PER_TOOL
    ? PER_TOOL[NAME] extends false
      ? TOOLS[NAME]
      : TruncatedTool<TOOLS[NAME]>
    : TruncatedTool<TOOLS[NAME]>;
};

/** Requires a property whose name is the complaint, so that the compiler prints it. Nothing when no name is taken twice. */
export type NoConflict<TOOLS, ADDED> = {
  [NAME in KnownName<TOOLS> &
    keyof ADDED &
    string as `'${NAME}' is already one of your tools: rename it${NAME extends 'task' ? '' : ", or leave ours out with 'readers'"}`]: never;
};

/** Names written in the code. An index signature, as of MCP tools, has none. */
type KnownName<TOOLS> = keyof {
  [NAME in keyof TOOLS as string extends NAME ? never : number extends NAME ? never : NAME]: unknown;
};

/** Refuses a misspelt name beside a right one, which inference would swallow. */
export type NoUnknown<PER_TOOL, TOOLS> = {
  [NAME in Exclude<keyof PER_TOOL, keyof TOOLS>]: 'there is no tool of this name';
};
