import type { Tool, ToolSet } from 'ai';
import { exploreAgent } from '../agents/explore/explore-agent.ts';
import type { ExploreAgentOptions } from '../agents/explore/options.ts';
import type { SubAgent } from '../agents/task/sub-agent.ts';
import { createTaskTool, type TaskTool } from '../agents/task/task-tool.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { DEFAULT_SAVE_TIMEOUT_MS, resolveScope } from '../artifacts/storage-options.ts';
import { type OutputKeeping, requireOutputKeeping } from '../delivery/output-keeping.ts';
import { InvalidOptionError } from '../errors.ts';
import { withoutUndefined } from '../options.ts';
import { isRecord } from '../protocol/guards.ts';
import { type ArtifactTools, artifactToolsOf, type ReaderName } from '../readers/create-artifact-tools.ts';
import type { ToolSetOptions } from './tool-set-options.ts';

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

/** The tools that are added to a set: the readers that are asked for, and `task`, where there is an agent for it. */
export function addedTools(options: ToolSetOptions & { readers?: unknown }): ToolSet {
  return { ...readersOf(options, options?.readers ?? DEFAULT_READERS), ...taskOf(options) };
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
  sweep,
  onSweep,
}: ToolSetOptions): ToolSet {
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
  const given = { onTask, maxArtifactBytes, saveTimeoutMs, retentionDays, sweep, onSweep };
  const rest = withoutUndefined(given);
  return { task: createTaskTool({ agents: all, store, scope, ...rest }) };
}

/** The agent that the hint names. */
const EXPLORE_AGENT = 'explore';

const DEFAULT_READERS: readonly DefaultReaderName[] = ['readArtifact', 'grepArtifacts', 'queryArtifact'];

function readersOf(options: OutputKeeping, names: unknown): ToolSet {
  requireOutputKeeping(options);
  if (names === false) return {};
  const { store, scope, saveTimeoutMs = DEFAULT_SAVE_TIMEOUT_MS } = options;
  const find = async () => scopedArtifacts(store, { scope: await resolveScope({ scope, saveTimeoutMs }) });
  const all: ToolSet = { ...artifactToolsOf(find) };
  const isKnown = Array.isArray(names) && names.every((name) => typeof name === 'string' && Object.hasOwn(all, name));
  if (!isKnown) {
    const expected = `a list of ${Object.keys(all).join(', ')}, or \`false\``;
    throw new InvalidOptionError({ option: 'readers', value: names, expected });
  }
  return Object.fromEntries((names as string[]).map((name) => [name, all[name] as Tool]));
}

/** The hint names `explore`: a task tool without it cannot do what the hint says. One of the application's own may have it. */
export function hasExplore({ explore, agents }: ToolSetOptions, added: ToolSet): boolean {
  if (!Object.hasOwn(added, 'task')) return true;
  return explore !== undefined || (isRecord(agents) && Object.hasOwn(agents, EXPLORE_AGENT));
}
