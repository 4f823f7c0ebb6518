import { jsonSchema, type ModelMessage, type Tool, type ToolExecuteFunction, tool } from 'ai';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { findScope, type Scope } from '../artifacts/keep-output.ts';
import { requireStore } from '../artifacts/require-store.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { InvalidOptionError } from '../errors.ts';
import { boundedText } from '../protocol/bounded-text.ts';
import { isRecord } from '../protocol/is-record.ts';
import { failure } from '../protocol/response-builders.ts';
import type { ToolResponse } from '../protocol/tool-response.ts';
import type { ArtifactStore } from '../stores/artifact-store.ts';
import { pacedProgress } from './paced-progress.ts';
import { isResult, type SubAgent, type SubAgentProgress, type SubAgentResult } from './sub-agent.ts';
import { finalAnswer, runningAnswer } from './task-answer.ts';
import type { TaskData } from './task-data.ts';
import { depthOf, MAX_TASK_DEPTH, rememberDepth } from './task-depth.ts';
import { taskModelOutput } from './task-model-output.ts';
import { taskDescription, taskWords } from './task-words.ts';

/** What the main agent gives to hand a task over. */
export interface TaskInput<AGENT extends string = string> {
  agent: AGENT;
  prompt: string;
}

/** The tool with which a model hands a task to a sub-agent. */
export type TaskTool<AGENT extends string = string> = Tool<
  TaskInput<AGENT>,
  ToolResponse<TaskData>,
  Record<string, unknown>
> & { execute: ToolExecuteFunction<TaskInput<AGENT>, ToolResponse<TaskData>, Record<string, unknown>> };

/** What happened to a task. */
export interface TaskEvent {
  agent: string;
  toolCallId: string;
  status: ToolResponse['status'];
  /** What the sub-agent gave: its usage, steps, and the error that only the application is told. */
  result: SubAgentResult;
  timeMs: number;
}

export interface CreateTaskToolOptions<AGENTS extends Readonly<Record<string, SubAgent>>> {
  /** By the name with which a model calls them. */
  agents: AGENTS;
  /** Where full outputs are kept: the agents read them there. */
  store: ArtifactStore;
  /** Who owns them, as in `truncateToolOutputs`. */
  scope: Scope;
  /** Which of the agents may be called here; others are refused, and the description does not name them. @default all */
  allowed?: readonly (keyof AGENTS & string)[];
  /** Told of each task that has ended, also of one that failed. What it throws is dropped. */
  onTask?: (event: TaskEvent) => void;
}

const MAX_PROMPT_CHARS = 100_000;
const SCOPE_TIMEOUT_MS = 10_000;

/**
 * A tool that hands a task to one of several agents, each with a conversation of its own: what they read does not fill the main
 * one. `truncateToolOutputs` adds one of its options `explore` and `agents`.
 *
 * @example
 * const task = createTaskTool({ agents: { explore: exploreAgent({ model }) }, store, scope: chatId });
 */
export function createTaskTool<const AGENTS extends Readonly<Record<string, SubAgent>>>(
  options: CreateTaskToolOptions<AGENTS>,
): TaskTool<keyof AGENTS & string> {
  requireTaskOptions(options);
  const { store, scope, onTask = warnOfFailure() } = options;
  const agents = new Map<string, SubAgent>(Object.entries(options.agents));
  const allowed = options.allowed === undefined ? [...agents.keys()] : [...new Set<string>(options.allowed)];
  const called = allowed.map((name) => [name, agents.get(name) as SubAgent] as const);

  async function* execute(
    given: unknown,
    call: { toolCallId?: string; abortSignal?: AbortSignal; messages?: ModelMessage[] } = {},
  ): AsyncGenerator<ToolResponse<TaskData>> {
    const startedAt = performance.now();
    const { toolCallId = '', abortSignal } = call;
    const depth = depthOf(call) + 1;
    const refusal = refusalOf(given, { agents, allowed, depth });
    const input = boundedInput(given);
    const refuse = (refused: Refused) => failure({ ...refused, input, startedAt, truncationSkip: true });
    if (refusal) {
      yield refuse(refusal) as unknown as ToolResponse<TaskData>;
      return;
    }
    const { agent, prompt } = given as TaskInput;
    const left = new AbortController();
    const signal = abortSignal ? AbortSignal.any([abortSignal, left.signal]) : left.signal;
    rememberDepth(signal, depth);
    try {
      const artifacts = await artifactsOf({ store, scope, abortSignal });
      if (!artifacts) {
        const nobody = { code: 'NOT_FOUND', message: taskWords.noOwner, next: taskWords.doItYourself } as const;
        yield refuse(nobody) as unknown as ToolResponse<TaskData>;
        return;
      }
      const about = { agent, input, startedAt, artifacts, toolCallId, abortSignal: signal };
      for await (const each of run(agents.get(agent) as SubAgent, prompt, { artifacts, abortSignal: signal, depth })) {
        if (!isResult(each)) {
          yield runningAnswer(each, about);
          continue;
        }
        const answer = await finalAnswer(each, about);
        tell(onTask, {
          agent,
          toolCallId,
          status: answer.status,
          result: each,
          timeMs: Math.round(performance.now() - startedAt),
        });
        yield answer;
      }
    } finally {
      left.abort();
    }
  }

  return tool({
    description: taskDescription(called),
    inputSchema: jsonSchema<TaskInput>({
      type: 'object',
      properties: { agent: { type: 'string', enum: allowed }, prompt: { type: 'string' } },
      required: ['agent', 'prompt'],
    }),
    execute,
    toModelOutput: ({ output }: { output: unknown }) => taskModelOutput(output),
  } as never) as TaskTool<keyof AGENTS & string>;
}

/** A failure of the agent is a result too; the result comes last, and there is one. */
async function* run(
  agent: SubAgent,
  prompt: string,
  call: Parameters<SubAgent['run']>[1],
): AsyncGenerator<SubAgentProgress | SubAgentResult> {
  const { abortSignal } = call;
  try {
    const running: unknown = agent.run(prompt, call);
    const source = isAsyncIterable(running) ? running : once(running);
    for await (const each of pacedProgress(checkedSteps(source), { abortSignal })) {
      yield each;
      if (isResult(each)) return;
    }
    throw new InvalidOptionError({ option: 'run', value: undefined, expected: RUN });
  } catch (error) {
    abortSignal.throwIfAborted();
    yield { conclusion: '', error };
  }
}

const RUN = 'a function that gives `{ conclusion }` as its result, or yields it last';

async function* checkedSteps(source: AsyncIterable<unknown>): AsyncGenerator<SubAgentProgress | SubAgentResult> {
  for await (const value of source) {
    const isRight = isRecord(value) && (typeof value.conclusion === 'string' || typeof value.phase === 'string');
    if (!isRight) throw new InvalidOptionError({ option: 'run', value, expected: RUN });
    yield value as unknown as SubAgentProgress | SubAgentResult;
  }
}

async function* once(value: unknown): AsyncGenerator<unknown> {
  yield await value;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Of nobody there are none: then there is nothing that the agent could read. */
async function artifactsOf({
  store,
  ...options
}: {
  store: ArtifactStore;
  scope: Scope;
  abortSignal: AbortSignal | undefined;
}): Promise<Artifacts | undefined> {
  try {
    return scopedArtifacts(store, { scope: await findScope({ ...options, saveTimeoutMs: SCOPE_TIMEOUT_MS }) });
  } catch {
    options.abortSignal?.throwIfAborted();
    return undefined;
  }
}

interface Refused {
  code: 'INVALID_PARAM' | 'ACCESS_DENIED' | 'NOT_FOUND';
  message: string;
  next: string;
}

function refusalOf(
  given: unknown,
  { agents, allowed, depth }: { agents: ReadonlyMap<string, SubAgent>; allowed: readonly string[]; depth: number },
): Refused | undefined {
  const { agent, prompt } = isRecord(given) ? given : {};
  const code = 'INVALID_PARAM';
  const shown = boundedText(typeof agent === 'string' ? agent : '', MAX_SHOWN_NAME);
  if (typeof agent !== 'string' || !agents.has(agent)) {
    return { code, message: taskWords.unknownAgent(shown, allowed), next: taskWords.chooseAgent };
  }
  if (!allowed.includes(agent)) {
    return { code, message: taskWords.forbiddenAgent(shown, allowed), next: taskWords.chooseAgent };
  }
  if (typeof prompt !== 'string' || prompt.trim() === '') {
    return { code, message: taskWords.noPrompt, next: taskWords.writePrompt };
  }
  if (prompt.length > MAX_PROMPT_CHARS) {
    return { code, message: taskWords.longPrompt(prompt.length, MAX_PROMPT_CHARS), next: taskWords.writePrompt };
  }
  if (depth <= MAX_TASK_DEPTH) return undefined;
  return { code: 'ACCESS_DENIED', message: taskWords.tooDeep(MAX_TASK_DEPTH), next: taskWords.doItYourself };
}

const MAX_SHOWN_NAME = 60;
const MAX_INPUT_CHARS = 2000;

/** What was asked, as it is in the call already: a long prompt would stand in the chat log twice. */
function boundedInput(given: unknown): Record<string, unknown> {
  const { agent, prompt } = isRecord(given) ? given : {};
  const text = (value: unknown, max: number) => (typeof value === 'string' ? boundedText(value, max) : null);
  return { agent: text(agent, MAX_SHOWN_NAME), prompt: text(prompt, MAX_INPUT_CHARS) };
}

function tell(onTask: (event: TaskEvent) => void, event: TaskEvent): void {
  try {
    const told: unknown = onTask(event);
    Promise.resolve(told).catch(() => {});
  } catch {
    // A listener that fails must not cost the answer.
  }
}

/** An application that does not listen would never learn why its agent fails: the model is told the name of the error alone. */
function warnOfFailure(): (event: TaskEvent) => void {
  let hasWarned = false;
  return ({ agent, result }) => {
    if (result.error === undefined || hasWarned) return;
    hasWarned = true;
    console.warn(
      `ai-truncate: the sub-agent "${agent}" failed. \`onTask\` would be told of each; this is said once.`,
      result.error,
    );
  };
}

const NAME = /^[\w-]{1,64}$/;

function requireTaskOptions(options: unknown): void {
  if (!isRecord(options)) {
    const expected = 'an object with `agents`, `store` and `scope`';
    throw new InvalidOptionError({ option: 'options', value: options, expected });
  }
  const { agents, store, scope, allowed, onTask } = options;
  requireStore(store as ArtifactStore);
  if (typeof scope !== 'string' && typeof scope !== 'function') {
    throw new InvalidOptionError({ option: 'scope', value: scope, expected: 'a string, or a function that finds one' });
  }
  if (!isRecord(agents) || Object.keys(agents).length === 0) {
    throw new InvalidOptionError({ option: 'agents', value: agents, expected: 'sub-agents by name, at least one' });
  }
  for (const [name, agent] of Object.entries(agents)) requireAgent(name, agent);
  if (allowed !== undefined) requireAllowed(allowed, Object.keys(agents));
  if (onTask !== undefined && typeof onTask !== 'function') {
    throw new InvalidOptionError({ option: 'onTask', value: onTask, expected: 'a function' });
  }
}

function requireAgent(name: string, agent: unknown): void {
  const option = `agents.${name}`;
  if (!NAME.test(name)) {
    throw new InvalidOptionError({
      option: 'agents',
      value: name,
      expected: 'by names of letters, digits, `_` and `-`',
    });
  }
  if (isRecord(agent) && typeof agent.generate === 'function' && typeof agent.run !== 'function') {
    const expected = `a sub-agent: \`toSubAgent(${name}, { description })\` makes one of an agent`;
    throw new InvalidOptionError({ option, value: agent, expected });
  }
  if (!isRecord(agent) || typeof agent.run !== 'function') {
    throw new InvalidOptionError({ option, value: agent, expected: 'a sub-agent: `{ description, run }`' });
  }
  const { description, useWhen } = agent;
  if (typeof description !== 'string' || description.trim() === '') {
    throw new InvalidOptionError({
      option: `${option}.description`,
      value: description,
      expected: 'a text: the model chooses by it',
    });
  }
  if (useWhen !== undefined && (typeof useWhen !== 'string' || useWhen.trim() === '')) {
    throw new InvalidOptionError({ option: `${option}.useWhen`, value: useWhen, expected: 'a text, or absent' });
  }
}

function requireAllowed(allowed: unknown, names: readonly string[]): void {
  const isRight = Array.isArray(allowed) && allowed.every((name) => names.includes(name));
  if (isRight) return;
  throw new InvalidOptionError({ option: 'allowed', value: allowed, expected: `a list of ${names.join(', ')}` });
}
