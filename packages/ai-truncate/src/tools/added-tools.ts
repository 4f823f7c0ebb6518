import type { Tool, ToolSet } from 'ai';
import { exploreAgent } from '../agents/explore/explore-agent.ts';
import type { ExploreAgentOptions } from '../agents/explore/options.ts';
import type { SubAgent } from '../agents/task/sub-agent.ts';
import { createTaskTool, type TaskTool } from '../agents/task/task-tool.ts';
import { resolveScope } from '../artifacts/resolve-scope.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { STORAGE_OPTIONS, type StorageOptions } from '../artifacts/storage-options.ts';
import { type OutputStorage, requireOutputStorage } from '../delivery/delivery.ts';
import { requireOption, withoutUndefined } from '../options.ts';
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

/** The agent that the hint names. */
const EXPLORE_AGENT = 'explore';

/** The tool `task`, where there is an agent for it. */
function taskOf(options: ToolSetOptions): ToolSet {
  const { explore, agents = {} } = options;
  requireOption(isRecord(agents), { option: 'agents', value: agents, expected: 'sub-agents by name' });
  const isFree = explore === undefined || !Object.hasOwn(agents, EXPLORE_AGENT);
  const expected = 'without `explore`, which the option `explore` makes';
  requireOption(isFree, { option: 'agents', value: EXPLORE_AGENT, expected });
  const all = {
    ...(explore !== undefined && { [EXPLORE_AGENT]: exploreAgent(explore as ExploreAgentOptions) }),
    ...(agents as Record<string, SubAgent>),
  };
  if (Object.keys(all).length === 0) return {};
  const shared = [...STORAGE_OPTIONS, 'onTask'];
  const given = Object.entries(withoutUndefined(options)).filter(([name]) => shared.includes(name));
  return { task: createTaskTool({ ...(Object.fromEntries(given) as unknown as StorageOptions), agents: all }) };
}

const DEFAULT_READERS: readonly DefaultReaderName[] = ['readArtifact', 'grepArtifacts', 'queryArtifact'];

function readersOf(options: OutputStorage, names: unknown): ToolSet {
  requireOutputStorage(options);
  if (names === false) return {};
  const find = async () => scopedArtifacts(options.store, { scope: await resolveScope(options) });
  const all: ToolSet = { ...artifactToolsOf(find) };
  const isKnown = Array.isArray(names) && names.every((name) => typeof name === 'string' && Object.hasOwn(all, name));
  const expected = `a list of ${Object.keys(all).join(', ')}, or \`false\``;
  requireOption(isKnown, { option: 'readers', value: names, expected });
  return Object.fromEntries(names.map((name: string) => [name, all[name] as Tool]));
}

/** The hint names `explore`: a task tool without it cannot do what the hint says. One of the application's own may have it. */
export function hasExplore({ explore, agents }: ToolSetOptions, added: ToolSet): boolean {
  if (!Object.hasOwn(added, 'task')) return true;
  return explore !== undefined || (isRecord(agents) && Object.hasOwn(agents, EXPLORE_AGENT));
}
