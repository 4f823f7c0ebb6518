import type { Tool, ToolExecutionOptions } from 'ai';
import { now } from '../deadlines.ts';
import { deliverError, deliverOutput } from '../delivery/deliver-output.ts';
import { deliverFlow, deliverValues } from '../delivery/deliver-values.ts';
import type { Delivery, SentToolResult, ToolResultOutput } from '../delivery/delivery.ts';
import { plainModelOutput, truncatedModelOutput } from '../delivery/model-output.ts';
import { deliverShaped, deliverShapedValues, SHAPED_BY_OPENAI } from '../delivery/openai-shapes.ts';
import type { OutputKeeping } from '../delivery/output-keeping.ts';
import { isOutputStream, type OutputStream } from '../delivery/output-stream.ts';
import { inspectSafely, skipsTruncation } from '../delivery/trusted-output.ts';
import { boundToolResult } from '../middleware/bound-tool-result.ts';
import { notify } from '../options.ts';
import type { ResolvedLimits } from '../preview/limits.ts';
import { isAsyncIterable } from '../protocol/guards.ts';
import {
  isOwn,
  isTruncatedOutput,
  type ModelOutputCall,
  markOwn,
  modelOutputCallOf,
  type TruncatedOutput,
} from '../protocol/truncated-output.ts';
import { callerOf, copyTool, rememberOriginal, type ToolMembers, withOriginals } from './tool-copy.ts';
import { orTruncatedOutput } from './truncated-output-schema.ts';

/** What holds for one tool. */
export interface ToolWrapping {
  toolName: string;
  limits: ResolvedLimits;
  keeping: OutputKeeping;
  allowsSkip: boolean;
  /** The names of the tools that this call may use next. */
  hintTools: (options: ToolExecutionOptions<unknown>) => readonly string[];
}

/** The same tool with a bounded output; the tool itself where its output never passes through its `execute`. */
export function truncateTool(original: Tool, wrapping: ToolWrapping): Tool {
  switch (kindOf(original)) {
    case 'left':
      return original;
    case 'shaped':
      return shorten(original, wrapping);
    case 'wrapped':
      return wrap(original, wrapping);
  }
}

/** A tool whose output is not bounded. Its programs call the originals all the same, where it is one that runs programs. */
export function leaveTool(original: Tool): Tool {
  const caller = callerOf(original);
  if (caller?.type !== 'local') return original;
  return copyTool(original, { experimental_toolCaller: withOriginals(caller, (tool) => tool) });
}

function shorten(original: Tool, wrapping: ToolWrapping): Tool {
  const execute = boundedExecute(original, { wrapping, deliver: asShaped });
  rememberOriginal(original, execute);
  return copyTool(original, { execute });
}

function wrap(original: Tool, wrapping: ToolWrapping): Tool {
  const { outputSchema } = original;
  const execute = boundedExecute(original, { wrapping, deliver: asEnvelope });
  const members: ToolMembers = { execute, toModelOutput: boundedModelOutput(original, wrapping) };
  if (outputSchema) members.outputSchema = orTruncatedOutput(outputSchema);
  const caller = callerOf(original);
  if (caller?.type === 'local')
    members.experimental_toolCaller = withOriginals(caller, (tool) => truncateTool(tool, wrapping));
  rememberOriginal(original, execute);
  return copyTool(original, members);
}

/**
 * - left: nothing of it passes through its `execute`, or the SDK puts another one in its place, or its provider is not known here.
 * - shaped: OpenAI checks its output against a shape, which stays.
 */
function kindOf(tool: Tool): 'left' | 'shaped' | 'wrapped' {
  if (typeof tool?.execute !== 'function') return 'left';
  if (tool.type === 'provider') return SHAPED_BY_OPENAI.has(tool.id) ? 'shaped' : 'left';
  if (TOOL_SEARCH in tool || callerOf(tool)?.type === 'provider') return 'left';
  return 'wrapped';
}

const TOOL_SEARCH = Symbol.for('vercel.ai.toolSearch');

type Execute = (input: unknown, options: ToolExecutionOptions<unknown>) => unknown;

/** How outputs are delivered: one that is there, all of a generator, and those of a stream. */
interface Delivering {
  one: (output: unknown, delivery: Delivery) => Promise<unknown>;
  each: (outputs: AsyncIterable<unknown>, delivery: Delivery) => AsyncGenerator<unknown>;
  flow: (stream: OutputStream, delivery: Delivery) => AsyncGenerator<unknown>;
}

const asEnvelope: Delivering = { one: deliverOutput, each: deliverValues, flow: deliverFlow };
const asShaped: Delivering = { one: deliverShaped, each: deliverShapedValues, flow: deliverShapedValues };

/** Not `async`: that would hide a generator from the SDK, which then shows the model `{}`. */
function boundedExecute(
  original: Tool,
  { wrapping, deliver }: { wrapping: ToolWrapping; deliver: Delivering },
): Execute {
  return function execute(input, options) {
    const delivery = toDelivery(original, { input, options, wrapping });
    let result: unknown;
    try {
      // As a method of the original: private fields live only there.
      result = (original as { execute: Execute }).execute(input, options);
    } catch (error) {
      return settle(Promise.reject(error), { delivery, deliver: deliver.one });
    }
    if (isOutputStream(result)) return orBoundedError(deliver.flow(result, delivery), delivery);
    if (isAsyncIterable(result)) return orBoundedError(deliver.each(result, delivery), delivery);
    return settle(result, { delivery, deliver: deliver.one });
  };
}

async function settle(
  result: unknown,
  { delivery, deliver }: { delivery: Delivery; deliver: Delivering['one'] },
): Promise<unknown> {
  try {
    return await deliver(await result, delivery);
  } catch (error) {
    return await fail(error, delivery);
  } finally {
    tellOfOutput(delivery);
  }
}

function tellOfOutput({ toolName, toolCallId, keeping }: Delivery): void {
  notify(keeping.onOutput, { kind: 'tool', toolName, toolCallId });
}

async function fail(error: unknown, delivery: Delivery): Promise<never> {
  throw await deliverError(error, delivery);
}

async function* orBoundedError(outputs: AsyncIterable<unknown>, delivery: Delivery): AsyncGenerator<unknown> {
  try {
    yield* outputs;
  } catch (error) {
    await fail(error, delivery);
  } finally {
    tellOfOutput(delivery);
  }
}

function toDelivery(
  original: Tool,
  { input, options, wrapping }: { input: unknown; options: ToolExecutionOptions<unknown>; wrapping: ToolWrapping },
): Delivery {
  const { toolName, limits, keeping, allowsSkip, hintTools } = wrapping;
  const { toolCallId = '', abortSignal } = options ?? {};
  return {
    entrance: 'tool',
    toolName,
    toolCallId,
    input,
    startedAt: now(),
    limits,
    keeping,
    abortSignal,
    hintTools: () => hintTools(options),
    toModelOutput: original.toModelOutput && ((output) => toModelOutputOf(original, { toolCallId, input, output })),
    isMcp: '_meta' in original,
    allowsSkip,
  };
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
