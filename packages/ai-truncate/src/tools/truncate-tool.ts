import type { Tool, ToolExecutionOptions } from 'ai';
import { now } from '../deadlines.ts';
import { deliverError, deliverOutput } from '../delivery/deliver-output.ts';
import { deliverFlow, deliverValues } from '../delivery/deliver-values.ts';
import type { Delivery, OutputStorage, SentToolResult, ToolResultOutput } from '../delivery/delivery.ts';
import { skipsTruncation } from '../delivery/measure-output.ts';
import { plainModelOutput, truncatedModelOutput } from '../delivery/model-output.ts';
import { deliverShaped, deliverShapedValues, SHAPED_BY_OPENAI } from '../delivery/openai-shapes.ts';
import { isOutputStream, type OutputStream } from '../delivery/save-and-scan.ts';
import { boundToolResult } from '../middleware/bound-tool-result.ts';
import { notify } from '../options.ts';
import type { ResolvedLimits } from '../preview/limits.ts';
import { inspectSafely, isAsyncIterable } from '../protocol/guards.ts';
import {
  isOwn,
  isTruncatedOutput,
  type ModelOutputCall,
  markOwn,
  modelOutputCallOf,
  type TruncatedOutput,
} from '../protocol/truncated-output.ts';
import { callerOf, copyTool, rememberOriginal, withOriginals } from './tool-copy.ts';
import { orTruncatedOutput } from './truncated-output-schema.ts';

/** What holds for one tool. */
export interface ToolWrapping {
  toolName: string;
  limits: ResolvedLimits;
  storage: OutputStorage;
  allowsSkip: boolean;
  /** The names of the tools that a hint may name. */
  hinted: readonly string[];
  /** Whether a call can use a tool. @default it can */
  canCall: ((toolName: string, call: ToolExecutionOptions<unknown>) => unknown) | undefined;
}

/** The same tool with a bounded output; the tool itself where its output never passes through its `execute`. */
export function truncateTool(original: Tool, wrapping: ToolWrapping): Tool {
  const deliver = deliveringOf(original);
  if (!deliver) return original;
  const execute = boundedExecute(original, { wrapping, deliver });
  rememberOriginal(original, execute);
  // The OpenAI provider converts an output in its shape by itself.
  if (deliver === asShaped) return copyTool(original, { execute });
  const { outputSchema } = original;
  const caller = callerOf(original);
  return copyTool(original, {
    execute,
    toModelOutput: boundedModelOutput(original, wrapping),
    ...(outputSchema && { outputSchema: orTruncatedOutput(outputSchema) }),
    ...(caller?.type === 'local' && {
      experimental_toolCaller: withOriginals(caller, (tool) => truncateTool(tool, wrapping)),
    }),
  });
}

/** A tool whose output is not bounded. Its programs call the originals all the same, where it is one that runs programs. */
export function leaveTool(original: Tool): Tool {
  const caller = callerOf(original);
  if (caller?.type !== 'local') return original;
  return copyTool(original, { experimental_toolCaller: withOriginals(caller, (tool) => tool) });
}

/** How outputs are delivered: one that is there, all of a generator, and those of a stream. */
interface Delivering {
  one: (output: unknown, delivery: Delivery) => Promise<unknown>;
  each: (outputs: AsyncIterable<unknown>, delivery: Delivery) => AsyncGenerator<unknown>;
  flow: (stream: OutputStream, delivery: Delivery) => AsyncGenerator<unknown>;
}

const asEnvelope: Delivering = { one: deliverOutput, each: deliverValues, flow: deliverFlow };
/** OpenAI checks the output against a shape, which stays. */
const asShaped: Delivering = { one: deliverShaped, each: deliverShapedValues, flow: deliverShapedValues };

/**
 * `undefined` for a tool that stays as it is: its output does not pass through its `execute`, or the SDK replaces that function,
 * or its provider is unknown here.
 */
function deliveringOf(tool: Tool): Delivering | undefined {
  if (typeof tool?.execute !== 'function') return undefined;
  if (tool.type === 'provider') return SHAPED_BY_OPENAI.has(tool.id) ? asShaped : undefined;
  return TOOL_SEARCH in tool || callerOf(tool)?.type === 'provider' ? undefined : asEnvelope;
}

const TOOL_SEARCH = Symbol.for('vercel.ai.toolSearch');

type Execute = (input: unknown, options: ToolExecutionOptions<unknown>) => unknown;

/** Not `async`: that would hide a generator from the SDK, which then shows the model `{}`. */
function boundedExecute(
  original: Tool,
  { wrapping, deliver }: { wrapping: ToolWrapping; deliver: Delivering },
): Execute {
  const { hinted, canCall, ...shared } = wrapping;
  const { toModelOutput } = original;
  return function execute(input, options) {
    const { toolCallId = '', abortSignal } = options ?? {};
    const delivery: Delivery = {
      ...shared,
      entrance: 'tool',
      toolCallId,
      input,
      startedAt: now(),
      abortSignal,
      hintTools: () => (canCall ? hinted.filter((name) => mayCall(canCall, { name, call: options })) : hinted),
      toModelOutput: toModelOutput && ((output) => toModelOutputOf(original, { toolCallId, input, output })),
      isMcp: '_meta' in original,
    };
    let result: unknown;
    try {
      // As a method of the original: private fields live only there.
      result = (original as { execute: Execute }).execute(input, options);
    } catch (error) {
      result = Promise.reject(error);
    }
    if (isOutputStream(result)) return orBoundedError(deliver.flow(result, delivery), delivery);
    if (isAsyncIterable(result)) return orBoundedError(deliver.each(result, delivery), delivery);
    return settle(result, { delivery, deliver: deliver.one });
  };
}

/** The hint is one line of the result: a rule that fails must not cost the result itself. */
function mayCall(
  canCall: NonNullable<ToolWrapping['canCall']>,
  { name, call }: { name: string; call: ToolExecutionOptions<unknown> },
): boolean {
  try {
    const answer = canCall(name, call);
    // A promise is not an answer, and its rejection must not be reported as unhandled.
    Promise.resolve(answer).catch(() => {});
    return answer === true;
  } catch {
    return false;
  }
}

async function settle(
  result: unknown,
  { delivery, deliver }: { delivery: Delivery; deliver: Delivering['one'] },
): Promise<unknown> {
  try {
    return await deliver(await result, delivery);
  } catch (error) {
    throw await deliverError(error, delivery);
  } finally {
    notifyOfOutput(delivery);
  }
}

async function* orBoundedError(outputs: AsyncIterable<unknown>, delivery: Delivery): AsyncGenerator<unknown> {
  try {
    yield* outputs;
  } catch (error) {
    throw await deliverError(error, delivery);
  } finally {
    notifyOfOutput(delivery);
  }
}

function notifyOfOutput({ toolName, toolCallId, storage }: Delivery): void {
  notify(storage.onOutput, { kind: 'tool', toolName, toolCallId });
}

function toModelOutputOf(original: Tool, call: ModelOutputCall): ToolResultOutput | PromiseLike<ToolResultOutput> {
  return (original as { toModelOutput: (call: ModelOutputCall) => ToolResultOutput }).toModelOutput(call);
}

/** Pure: the same history gives the same prompt. */
function boundedModelOutput(
  original: Tool,
  wrapping: ToolWrapping,
): (argument: unknown) => ToolResultOutput | PromiseLike<ToolResultOutput> {
  const { limits, toolName, allowsSkip } = wrapping;
  const keep = typeof limits.keep === 'function' ? 'ends' : limits.keep;
  const bounding = { limits: { ...limits, keep }, tools: [], openAiTools: [], onTruncate: undefined } as const;

  /** What the tool's own function gives now may be larger than what it gave when the output was measured. */
  async function bounded(call: ModelOutputCall): Promise<ToolResultOutput> {
    const output = await toModelOutputOf(original, call);
    if (skipsTruncation(call.output, { allowsSkip })) return output;
    const result = { type: 'tool-result', toolCallId: call.toolCallId, toolName, output } as SentToolResult;
    const sent = await boundToolResult(result, { ...bounding, abortSignal: undefined });
    return sent.output as ToolResultOutput;
  }

  return markOwn(function toModelOutput(argument: unknown) {
    const call = modelOutputCallOf(argument);
    const { output } = call;
    if (inspectSafely(output, isTruncatedOutput))
      return truncatedModelOutput(output as TruncatedOutput, limits.previewBytes);
    if (!original.toModelOutput) return plainModelOutput(output);
    // Readers and wrapped tools bound what they give, by bounds of their own.
    return isOwn(original.toModelOutput) ? toModelOutputOf(original, call) : bounded(call);
  });
}
