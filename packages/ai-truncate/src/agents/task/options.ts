import { requireStorageOptions, STORAGE_OPTIONS, type StorageOptions } from '../../artifacts/storage-options.ts';
import { LONGEST_TIMER_MS } from '../../deadlines.ts';
import {
  type Listener,
  requireKnownName,
  requireListener,
  requireOption,
  requireOptionalWholeNumber,
  requireOptions,
} from '../../options.ts';
import { isPlainRecord, isRecord } from '../../protocol/guards.ts';
import type { ToolResponse } from '../../protocol/tool-response.ts';
import type { SubAgent, SubAgentDescription, SubAgentResult } from './sub-agent.ts';

/** A task that has ended. */
export interface TaskEvent {
  agent: string;
  toolCallId: string;
  /** The status of the answer, or `aborted` when the caller left before there was an answer. */
  status: ToolResponse['status'] | 'aborted';
  /** The result of the sub-agent: its usage, its steps, and the error, which no model sees. */
  result: SubAgentResult;
  timeMs: number;
}

export interface CreateTaskToolOptions<AGENTS extends Readonly<Record<string, SubAgent>>> extends StorageOptions {
  /** The agents by the names with which a model calls them. At most 50. */
  // The second half types the functions inside.
  agents: AGENTS & Readonly<Record<string, SubAgent>>;
  /** The agents that may be called here. Other agents are refused, and the description does not name them. @default all */
  allowed?: readonly (keyof AGENTS & string)[] | undefined;
  /** Called for each task that has ended, failed or was aborted. Errors that it throws are ignored. */
  onTask?: Listener<TaskEvent> | undefined;
}

const OPTIONS: readonly string[] = [...STORAGE_OPTIONS, 'agents', 'allowed', 'onTask'];
const MAX_AGENTS = 50;
const MAX_DESCRIPTION_CHARS = 1000;
const NAME = /^[\w-]{1,64}$/;

/** Throws for options that could not work. */
export function requireTaskOptions(
  options: StorageOptions & { agents: unknown; allowed?: unknown; onTask?: unknown },
): void {
  requireStorageOptions(options, { known: OPTIONS, expected: 'an object with `agents`, `store` and `scope`' });
  const { agents, allowed, onTask } = options;
  const names = isRecord(agents) ? Object.keys(agents) : [];
  const isRight = isRecord(agents) && names.length > 0 && names.length <= MAX_AGENTS;
  requireOption(isRight, { option: 'agents', value: agents, expected: `1 to ${MAX_AGENTS} sub-agents, by name` });
  for (const name of names) requireAgent(name, agents[name]);
  if (allowed !== undefined) requireAllowed(allowed, names);
  requireListener('onTask', onTask);
}

function requireAgent(name: string, agent: unknown): void {
  const option = `agents.${name}`;
  const names = 'keyed by names of letters, digits, `_` and `-`';
  requireOption(NAME.test(name), { option: 'agents', value: name, expected: names });
  const { run, generate } = isRecord(agent) ? agent : {};
  const isAgent = typeof generate === 'function';
  const how = isAgent ? `\`toSubAgent(${name}, { description })\` makes one from an agent` : '`{ description, run }`';
  requireOption(typeof run === 'function', { option, value: agent, expected: `a sub-agent: ${how}` });
  // An instance of a class may have other members too.
  if (isPlainRecord(agent)) requireOptions(agent, { known: ['run', ...SUB_AGENT_OPTIONS], at: option });
  requireDescription(agent as SubAgent, `${option}.`);
}

/** The names of the options that describe a sub-agent. */
export const SUB_AGENT_OPTIONS: readonly (keyof SubAgentDescription)[] = ['description', 'useWhen', 'timeoutMs'];

/** Throws unless a model can choose the sub-agent by its description. */
export function requireDescription({ description, useWhen, timeoutMs }: SubAgentDescription, at = ''): void {
  requireText(`${at}description`, description);
  if (useWhen !== undefined) requireText(`${at}useWhen`, useWhen);
  requireOptionalWholeNumber(`${at}timeoutMs`, { value: timeoutMs, min: 1, max: LONGEST_TIMER_MS });
}

function requireText(option: string, value: unknown): void {
  const isRight = typeof value === 'string' && value.trim() !== '' && value.length <= MAX_DESCRIPTION_CHARS;
  const expected = `a text of at most ${MAX_DESCRIPTION_CHARS} characters, because the model uses it to choose an agent`;
  requireOption(isRight, { option, value, expected });
}

function requireAllowed(allowed: unknown, names: readonly string[]): void {
  const isList = Array.isArray(allowed) && allowed.length > 0;
  requireOption(isList, { option: 'allowed', value: allowed, expected: 'a list of at least one name of a sub-agent' });
  for (const [index, name] of allowed.entries()) {
    requireKnownName(name, { option: `allowed[${index}]`, kind: 'sub-agent', known: names });
  }
}
