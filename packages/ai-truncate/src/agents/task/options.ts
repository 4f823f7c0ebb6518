import { requireStorageOptions, STORAGE_OPTIONS, type StorageOptions } from '../../artifacts/storage-options.ts';
import { LONGEST_TIMER_MS } from '../../deadlines.ts';
import { requireOption, requireOptionalFunction, requireOptionalWholeNumber, requireOptions } from '../../options.ts';
import { isRecord } from '../../protocol/guards.ts';
import type { ToolResponse } from '../../protocol/tool-response.ts';
import type { SubAgent, SubAgentResult } from './sub-agent.ts';

/** What happened to a task. */
export interface TaskEvent {
  agent: string;
  toolCallId: string;
  /** As of the answer; `aborted` when the caller left before there was one. */
  status: ToolResponse['status'] | 'aborted';
  /** What the sub-agent gave: its usage, its steps, and the error that only the application is told. */
  result: SubAgentResult;
  timeMs: number;
}

export interface CreateTaskToolOptions<AGENTS extends Readonly<Record<string, SubAgent>>> extends StorageOptions {
  /** By the name with which a model calls them. At most 50. */
  // The second half types the functions inside.
  agents: AGENTS & Readonly<Record<string, SubAgent>>;
  /** Which of the agents may be called here; others are refused, and the description does not name them. @default all */
  allowed?: readonly (keyof AGENTS & string)[];
  /** Told of each task that has ended, also of one that failed or was aborted. What it throws is dropped. */
  onTask?: (event: TaskEvent) => void;
}

const OPTIONS: ReadonlySet<string> = new Set([...STORAGE_OPTIONS, 'agents', 'allowed', 'onTask']);
const MAX_AGENTS = 50;
const MAX_DESCRIPTION_CHARS = 1000;
const NAME = /^[\w-]{1,64}$/;

/** Throws for what could not work, where the option is given. */
export function requireTaskOptions(
  options: StorageOptions & { agents: unknown; allowed?: unknown; onTask?: unknown },
): void {
  requireStorageOptions(options);
  requireOptions(options, { known: OPTIONS });
  const { agents, allowed, onTask } = options;
  const names = isRecord(agents) ? Object.keys(agents) : [];
  const isRight = isRecord(agents) && names.length > 0 && names.length <= MAX_AGENTS;
  requireOption(isRight, { option: 'agents', value: agents, expected: `1 to ${MAX_AGENTS} sub-agents, by name` });
  for (const name of names) requireAgent(name, agents[name]);
  if (allowed !== undefined) requireAllowed(allowed, names);
  requireOptionalFunction('onTask', onTask);
}

function requireAgent(name: string, agent: unknown): void {
  const option = `agents.${name}`;
  const names = 'keyed by names of letters, digits, `_` and `-`';
  requireOption(NAME.test(name), { option: 'agents', value: name, expected: names });
  const { run, generate, description, useWhen, timeoutMs } = isRecord(agent) ? agent : {};
  const isAgent = typeof generate === 'function';
  const how = isAgent ? `\`toSubAgent(${name}, { description })\` makes one from an agent` : '`{ description, run }`';
  requireOption(typeof run === 'function', { option, value: agent, expected: `a sub-agent: ${how}` });
  requireWords(`${option}.description`, description);
  if (useWhen !== undefined) requireWords(`${option}.useWhen`, useWhen);
  requireOptionalWholeNumber(`${option}.timeoutMs`, { value: timeoutMs, min: 1, max: LONGEST_TIMER_MS });
}

/** Throws unless it is a text by which a model can choose. */
export function requireWords(option: string, value: unknown): void {
  const isRight = typeof value === 'string' && value.trim() !== '' && value.length <= MAX_DESCRIPTION_CHARS;
  const expected = `a text of at most ${MAX_DESCRIPTION_CHARS} characters: the model chooses by it`;
  requireOption(isRight, { option, value, expected });
}

function requireAllowed(allowed: unknown, names: readonly string[]): void {
  const unknown: unknown[] =
    Array.isArray(allowed) && allowed.length > 0 ? allowed.filter((name) => !names.includes(name)) : [allowed];
  const expected = `a list of some of ${names.join(', ')}; without any, leave the tool out`;
  requireOption(unknown.length === 0, { option: 'allowed', value: unknown[0], expected });
}
