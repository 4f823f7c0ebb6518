import type { Tool, ToolExecuteFunction, ToolSet } from 'ai';
import type { ExploreAgentOptions } from '../agents/explore/options.ts';
import type { SubAgent } from '../agents/task/sub-agent.ts';
import { withoutUndefined } from '../options.ts';
import { type ResolvedLimits, resolveLimits, type TruncationLimits } from '../preview/limits.ts';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import type { ReaderName } from '../readers/create-artifact-tools.ts';
import { redactorOf } from '../text/redactor.ts';
import { type AddedTools, addedTools, type DefaultReaderName, hasExplore } from './added-tools.ts';
import { countedTool } from './counted-tool.ts';
import { type HintCall, hintedTools, hintFor } from './hint.ts';
import { redactedTool } from './redacted-tool.ts';
import { rememberOriginal } from './tool-copy.ts';
import {
  requireFreeNames,
  requireToolSet,
  type ToolSetOptions,
  type ToolTruncation,
  type TruncateToolOutputsOptions,
} from './tool-set-options.ts';
import type { DeliveredOutput } from './truncate-output.ts';
import { leaveTool, truncateTool } from './truncate-tool.ts';

/**
 * The same tools with bounded outputs. An output over the limits is saved completely, and the model, the UI and the chat log
 * get a `TruncatedOutput` in its place. Three readers are added, with which the model finds the parts that it needs.
 *
 * @example
 * const tools = truncateToolOutputs(
 *   { readServerLogs, getWeather },
 *   { store, scope: chatId, perTool: { readServerLogs: { keep: 'tail' }, getWeather: false } },
 * );
 */
export function truncateToolOutputs<
  TOOLS extends ToolSet,
  PER_TOOL extends { readonly [NAME in keyof TOOLS]?: ToolTruncation | false | undefined } = Record<never, never>,
  const READERS extends readonly ReaderName[] | false = readonly DefaultReaderName[],
  EXPLORE extends ExploreAgentOptions | undefined = undefined,
  AGENTS extends Readonly<Record<string, SubAgent>> = Record<never, never>,
>(
  tools: ToolsToWrap<TOOLS, AddedTools<READERS, EXPLORE, AGENTS>>,
  options: TruncateToolOutputsOptions & {
    /** Options of single tools; `false` leaves a tool alone. Limits that a tool does not set come from the set. */
    // The second half types the functions inside: without it, the parameter of a `keep` is `any`.
    perTool?: (PER_TOOL & { readonly [NAME in keyof NoInfer<TOOLS>]?: ToolTruncation | false | undefined }) | undefined;
    /** The readers that are added; `false` for none. @default ['readArtifact', 'grepArtifacts', 'queryArtifact'] */
    readers?: READERS | undefined;
    /**
     * Adds the tool `task` with the agent `explore`, which searches saved outputs. It needs a model; a small one is enough.
     * @default none
     */
    explore?: EXPLORE & (NoUnknown<EXPLORE, ExploreAgentOptions> | undefined);
    /** More agents for the tool `task`, by name: see `toSubAgent`. @default none */
    agents?: (AGENTS & Readonly<Record<string, SubAgent>>) | undefined;
  } & { perTool?: NoUnknown<PER_TOOL, TOOLS> | undefined },
): TruncatedTools<TOOLS, PER_TOOL> & AddedTools<READERS, EXPLORE, AGENTS> {
  requireToolSet(tools, options);
  return wrapToolSet(tools as ToolSet, options, addedTools(options)) as TruncatedTools<TOOLS, PER_TOOL> &
    AddedTools<READERS, EXPLORE, AGENTS>;
}

/** The wrapped tools and the added tools. */
export function wrapToolSet(tools: ToolSet, options: ToolSetOptions, added: ToolSet): ToolSet {
  requireFreeNames(tools, added);
  const { perTool = {}, onOutput, hint } = options;
  const shared = resolveLimits(options);
  const redactor = options.redact && redactorOf(options.redact);
  const hinted = hintedTools(added, { hasExplore: hasExplore(options) });
  // As the tools of an MCP server come: without a prototype.
  const set: ToolSet = Object.getPrototypeOf(tools) === null ? Object.create(null) : {};
  for (const [toolName, tool] of Object.entries(tools)) {
    const own = Object.hasOwn(perTool, toolName) ? perTool[toolName] : undefined;
    if (own === false) {
      add(set, toolName, leaveTool(tool));
      continue;
    }
    const limits = own ? limitsOf(own, { all: options, shared, toolName }) : shared;
    const allowsSkip = own?.allowSkip ?? options.allowSkip ?? false;
    const isRepeatable = own?.repeatable ?? false;
    const focus = own?.focus ?? options.focus;
    const isSaved = own?.save ?? true;
    const storage = own?.retentionDays === undefined ? options : { ...options, retentionDays: own.retentionDays };
    const hintOf = (call: () => HintCall) => hintFor(hint, { added: hinted, call });
    add(
      set,
      toolName,
      truncateTool(tool, { toolName, limits, storage, isSaved, redactor, allowsSkip, isRepeatable, focus, hintOf }),
    );
  }
  for (const [name, tool] of Object.entries(added)) {
    // An artifact may have been saved without these patterns.
    const redacted = redactor ? redactedTool(tool, redactor) : tool;
    const counted = countedTool(redacted, { toolName: name, onOutput });
    if (counted.execute) rememberOriginal(tool, counted.execute);
    add(set, name, counted);
  }
  return set;
}

/** Not by assignment, because a tool may be called `__proto__`. */
function add(set: ToolSet, name: string, tool: Tool): void {
  Object.defineProperty(set, name, { value: tool, enumerable: true, configurable: true, writable: true });
}

/** The limits of one tool. Limits that it does not set come from the set. */
function limitsOf(
  own: ToolTruncation,
  { all, shared, toolName }: { all: TruncationLimits; shared: ResolvedLimits; toolName: string },
): ResolvedLimits {
  const { salient: _, ...others } = withoutUndefined(all);
  const limits: TruncationLimits = { ...others, ...withoutUndefined(own) };
  // Both limit the preview, so the setting of the tool replaces the other setting of the set.
  if (own.previewChars !== undefined && own.previewBytes === undefined) delete limits.previewBytes;
  if (own.previewBytes !== undefined && own.previewChars === undefined) delete limits.previewChars;
  const resolved = resolveLimits(limits, `perTool.${toolName}.`);
  // Patterns of the set are compiled once, not for each tool.
  return own.salient === undefined && shared.marks ? { ...resolved, marks: shared.marks } : resolved;
}

/**
 * The same tool, whose output may also be a `TruncatedOutput`. Provider tools and tools without `execute` run elsewhere and
 * are not changed. A tool that may have an `execute` (`const read: Tool<…>`) counts as having one.
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

/**
 * The members that define the kind of the tool, and members that others added to it: the mark of a code-mode caller, the
 * `_meta` of an MCP tool.
 */
type OwnMembers<TOOL> = Pick<TOOL, Exclude<keyof TOOL, Exclude<keyof Tool, 'type'>>>;

/** A set of tools whose outputs are bounded. Tools that `perTool` sets to `false` do not change. */
export type TruncatedTools<TOOLS extends ToolSet, PER_TOOL = Record<never, never>> = {
  [NAME in keyof TOOLS]: NAME extends keyof PER_TOOL
    ? PER_TOOL[NAME] extends false
      ? TOOLS[NAME]
      : TruncatedTool<TOOLS[NAME]>
    : TruncatedTool<TOOLS[NAME]>;
};

/** The tools; or, when a name is taken, a sentence, so that the compiler prints it. */
// The sentence is in the branch that a check against `never` selects. A set that is not known yet, in a function over any `ToolSet`,
// The sentence is in the branch that a check against `never` selects. In a function over any `ToolSet`, the set is not known yet
// and can never pass that check, so the compiler accepts it.
export type ToolsToWrap<TOOLS, ADDED> = [IfNone<TakenName<TOOLS, ADDED>>] extends [never]
  ? Complaint<TOOLS, ADDED, TakenName<TOOLS, ADDED>>
  : TOOLS;

type TakenName<TOOLS, ADDED> = KnownName<TOOLS> & keyof ADDED & string;

type IfNone<NAME> = [NAME] extends [never] ? true : never;

type Complaint<TOOLS, ADDED, NAME extends keyof TOOLS & keyof ADDED & string> = NAME extends unknown
  ? TOOLS[NAME] extends ADDED[NAME]
    ? "These tools are already wrapped. Wrap a set once, or pass 'readers: false' the second time."
    : `'${NAME}' is already one of your tools: rename it${NAME extends 'task' ? '' : ", or leave out the reader with 'readers'"}`
  : never;

/** Names written in the code. The index signature of MCP tools has no known names. */
type KnownName<TOOLS> = keyof {
  [NAME in keyof TOOLS as string extends NAME ? never : number extends NAME ? never : NAME]: unknown;
};

/** Refuses a misspelt name next to a right one, which inference would swallow. */
export type NoUnknown<PER_TOOL, TOOLS> = {
  [NAME in Exclude<keyof PER_TOOL, keyof TOOLS>]: 'there is no tool of this name';
};
