import { jsonSchema, type Tool, type ToolExecuteFunction, tool } from 'ai';
import { DEFAULT_SAVE_TIMEOUT_MS } from '../../artifacts/resolve-scope.ts';
import { openArtifacts } from '../../artifacts/storage-options.ts';
import { now } from '../../deadlines.ts';
import { notify } from '../../options.ts';
import { isRecord } from '../../protocol/guards.ts';
import type { FailureOptions } from '../../protocol/response-builders.ts';
import type { ToolResponse } from '../../protocol/tool-response.ts';
import { markOwn, modelOutputCallOf } from '../../protocol/truncated-output.ts';
import { boundedInput } from '../../readers/parameters.ts';
import { shortened } from '../../text/utf.ts';
import { failedAnswer, finalAnswer, runningAnswer, type TaskData, taskModelOutput } from './answer.ts';
import { warnOfFailure } from './failure.ts';
import { type CreateTaskToolOptions, requireTaskOptions, type TaskEvent } from './options.ts';
import { costSoFar, currentDepth, MAX_TASK_DEPTH, runSubAgent } from './run-sub-agent.ts';
import { isResult, type SubAgent, type SubAgentProgress, type SubAgentResult } from './sub-agent.ts';
import { taskDescription, taskWords } from './task-words.ts';

/** The input of the tool `task`. */
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

const MAX_PROMPT_CHARS = 100_000;
/** The tasks of one tool at the same time. Stops agents that call each other when the depth of a call is unknown. */
const MAX_AT_ONCE = 32;

/**
 * A tool that hands a task to one of several agents. Each agent has its own conversation, so the text that it reads does not fill
 * the main one. `truncateToolOutputs` adds this tool for its options `explore` and `agents`.
 *
 * @example
 * const task = createTaskTool({ agents: { explore: exploreAgent({ model }) }, store, scope: chatId });
 */
export function createTaskTool<const AGENTS extends Readonly<Record<string, SubAgent>>>(
  options: CreateTaskToolOptions<AGENTS>,
): TaskTool<keyof AGENTS & string> {
  requireTaskOptions(options);
  const { saveTimeoutMs = DEFAULT_SAVE_TIMEOUT_MS, onTask = warnOfFailure() } = options;
  const agents = new Map<string, SubAgent>(Object.entries(options.agents));
  const allowed = options.allowed === undefined ? [...agents.keys()] : [...new Set<string>(options.allowed)];
  let running = 0;

  async function* execute(
    given: unknown,
    {
      toolCallId = '',
      abortSignal = new AbortController().signal,
    }: { toolCallId?: string; abortSignal?: AbortSignal } = {},
  ): AsyncGenerator<ToolResponse<TaskData>> {
    const startedAt = now();
    const input = boundedInput(given);
    const depth = currentDepth() + 1;
    const refused = refusalOf(given, { agents, allowed, depth, running });
    if (refused) {
      yield failedAnswer({ ...refused, input, startedAt });
      return;
    }
    const { agent, prompt } = given as TaskInput;
    let last: SubAgentProgress | undefined;
    const notifyOf = (status: TaskEvent['status'], result: SubAgentResult) =>
      notify(onTask, { agent, toolCallId, status, result, timeMs: Math.round(now() - startedAt) });
    let isAnswered = false;
    running++;
    try {
      const artifacts = await openArtifacts({ ...options, saveTimeoutMs, abortSignal }).catch(() => undefined);
      if (!artifacts) {
        abortSignal.throwIfAborted();
        isAnswered = true;
        const { noOwner: message, doItYourself: next } = taskWords;
        yield failedAnswer({ code: 'NOT_FOUND', message, next, input, startedAt });
        return;
      }
      const onProgress = (progress: SubAgentProgress) => {
        last = progress;
      };
      const about = { agent, input, startedAt, artifacts, toolCallId, abortSignal, saveTimeoutMs };
      const call = { artifacts, abortSignal, depth, onProgress };
      for await (const each of runSubAgent(agents.get(agent) as SubAgent, prompt, call)) {
        if (!isResult(each)) {
          yield runningAnswer(each, about);
          continue;
        }
        const answer = await finalAnswer(each, about);
        isAnswered = true;
        notifyOf(answer.status, each);
        yield answer;
      }
    } finally {
      running--;
      if (!isAnswered) {
        const error =
          abortSignal.reason ?? new DOMException('The caller left before the answer was ready.', 'AbortError');
        notifyOf('aborted', { conclusion: '', error, ...costSoFar(last) });
      }
    }
  }

  return tool({
    description: taskDescription(allowed.map((name) => [name, agents.get(name) as SubAgent])),
    inputSchema: jsonSchema<TaskInput>({
      type: 'object',
      properties: { agent: { type: 'string', enum: allowed }, prompt: { type: 'string' } },
      required: ['agent', 'prompt'],
    }),
    strict: false,
    execute,
    toModelOutput: markOwn((argument: unknown) => taskModelOutput(modelOutputCallOf(argument).output)),
  } as never) as TaskTool<keyof AGENTS & string>;
}

function refusalOf(
  given: unknown,
  call: { agents: ReadonlyMap<string, SubAgent>; allowed: readonly string[]; depth: number; running: number },
): Pick<FailureOptions<object>, 'code' | 'message' | 'next'> | undefined {
  const { agents, allowed, depth, running } = call;
  const { agent, prompt } = isRecord(given) ? given : {};
  const { chooseAgent, writePrompt, doItYourself } = taskWords;
  const refuse = (message: string, next: string, code = 'INVALID_PARAM') => ({ code, message, next });
  const shown = shortened(typeof agent === 'string' ? agent : '', MAX_SHOWN_NAME);
  if (typeof agent !== 'string' || !agents.has(agent))
    return refuse(taskWords.unknownAgent(shown, allowed), chooseAgent);
  if (!allowed.includes(agent)) return refuse(taskWords.forbiddenAgent(shown, allowed), chooseAgent);
  if (typeof prompt !== 'string' || prompt.trim() === '') return refuse(taskWords.noPrompt, writePrompt);
  const { length } = prompt;
  if (length > MAX_PROMPT_CHARS) return refuse(taskWords.longPrompt(length, MAX_PROMPT_CHARS), writePrompt);
  if (depth > MAX_TASK_DEPTH) return refuse(taskWords.tooDeep(MAX_TASK_DEPTH), doItYourself, 'ACCESS_DENIED');
  return running < MAX_AT_ONCE ? undefined : refuse(taskWords.tooMany(MAX_AT_ONCE), doItYourself, 'EXECUTION_ERROR');
}

const MAX_SHOWN_NAME = 60;
