import type { Tool, ToolSet } from 'ai';
import { exploreAgent } from '../agents/explore/explore-agent.ts';
import type { ExploreAgentOptions } from '../agents/explore/options.ts';
import type { SubAgent } from '../agents/task/sub-agent.ts';
import { createTaskTool, type TaskTool } from '../agents/task/task-tool.ts';
import { resolveScope } from '../artifacts/resolve-scope.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { STORAGE_OPTIONS, type StorageOptions } from '../artifacts/storage-options.ts';
import { requireKnownName, requireOption, withoutUndefined } from '../options.ts';
import { isRecord } from '../protocol/guards.ts';
import { type ArtifactTools, artifactToolsOf, type ReaderName } from '../readers/create-artifact-tools.ts';
import type { ToolSetOptions } from './tool-set-options.ts';

/** The readers that are added to a set by default. */
export type DefaultReaderName = 'readArtifact' | 'grepArtifacts' | 'queryArtifact';

/** The agents that the tool `task` can call. */
export type TaskAgentName<EXPLORE, AGENTS> = ([EXPLORE] extends [object] ? 'explore' : never) | (keyof AGENTS & string);

/** The tools that are added to a set. */
export type AddedTools<
  READERS extends readonly ReaderName[] | false,
  EXPLORE = undefined,
  AGENTS = Record<never, never>,
> = {
  // One mapped type, because the compiler would print all members of an intersection into the declarations of an application.
  [NAME in AddedName<READERS, TaskAgentName<EXPLORE, AGENTS>>]: NAME extends ReaderName
    ? ArtifactTools[NAME]
    : TaskTool<TaskAgentName<EXPLORE, AGENTS>>;
};

type AddedName<READERS, AGENT> =
  | (READERS extends readonly (infer NAME extends ReaderName)[] ? NAME : never)
  | ([AGENT] extends [never] ? never : 'task');

/** The tools that are added to a set: the requested readers, and `task` if there is an agent for it. */
export function addedTools(options: ToolSetOptions & { readers?: unknown }): ToolSet {
  return { ...readersOf(options, options.readers ?? DEFAULT_READERS), ...taskOf(options) };
}

/** The agent that the hint names. */
const EXPLORE_AGENT = 'explore';

/** The tool `task`, if there is an agent for it. */
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

function readersOf(options: StorageOptions, names: unknown): ToolSet {
  if (names === false) return {};
  const find = async () => scopedArtifacts(options.store, { scope: await resolveScope(options) });
  const all: ToolSet = { ...artifactToolsOf(find) };
  const known = Object.keys(all);
  const expected = `a list of names (${known.join(', ')}), or \`false\``;
  requireOption(Array.isArray(names), { option: 'readers', value: names, expected });
  for (const [index, name] of names.entries()) {
    requireKnownName(name, { option: `readers[${index}]`, kind: 'reader', known });
  }
  return Object.fromEntries(names.map((name: string) => [name, all[name] as Tool]));
}

/** The hint names `explore`, and a task tool without this agent cannot follow the hint. */
export function hasExplore({ explore, agents }: ToolSetOptions): boolean {
  return explore !== undefined || (isRecord(agents) && Object.hasOwn(agents, EXPLORE_AGENT));
}
