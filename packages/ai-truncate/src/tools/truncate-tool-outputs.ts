import type { ToolSet } from 'ai';
import type { ExploreAgentOptions } from '../agents/explore/options.ts';
import type { SubAgent } from '../agents/task/sub-agent.ts';
import type { ReaderName } from '../readers/create-artifact-tools.ts';
import { type AddedTools, addedTools, type DefaultReaderName } from './added-tools.ts';
import type { ToolTruncation, TruncateToolOutputsOptions } from './tool-set-options.ts';
import type { NoConflict, NoUnknown, TruncatedTools } from './truncated-tools.ts';
import { wrapToolSet } from './wrap-tool-set.ts';

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
