import type { Tool, ToolExecutionOptions } from 'ai';
import { now } from '../deadlines.ts';
import { deliverError, deliverOutput } from '../delivery/deliver-output.ts';
import { deliverFlow, deliverValues } from '../delivery/deliver-values.ts';
import type { Delivery, OutputStorage, SentToolResult, ToolResultOutput } from '../delivery/delivery.ts';
import { type FocusOption, focusOf, lastQuestion } from '../delivery/focus.ts';
import { skipsTruncation } from '../delivery/measure-output.ts';
import { plainModelOutput, truncatedModelOutput } from '../delivery/model-output.ts';
import { deliverShaped, deliverShapedValues, SHAPED_BY_OPENAI } from '../delivery/openai-shapes.ts';
import { redactedOf, redactModelOutput } from '../delivery/redact-output.ts';
import { isOutputStream, type OutputStream } from '../delivery/save-and-scan.ts';
import { boundToolResult } from '../middleware/bound-tool-result.ts';
import { notify } from '../options.ts';
import type { ResolvedLimits } from '../preview/limits.ts';
import type { Hint } from '../preview/notice-and-hint-words.ts';
import { inspectSafely, isAsyncIterable } from '../protocol/guards.ts';
import {
  isOwn,
  isTruncatedOutput,
  type ModelOutputCall,
  markOwn,
  modelOutputCallOf,
  type TruncatedOutput,
} from '../protocol/truncated-output.ts';
import type { Redactor } from '../text/redaction.ts';
import type { HintCall } from './hint.ts';
import { callerOf, copyTool, rememberOriginal, withOriginals } from './tool-copy.ts';
import { orTruncatedOutput } from './truncated-output-schema.ts';

/** The options of one tool. */
export interface ToolWrapping {
  toolName: string;
  limits: ResolvedLimits;
  storage: OutputStorage;
  /** Outputs over the limits are saved. */
  isSaved: boolean;
  redactor: Redactor | undefined;
  allowsSkip: boolean;
  isRepeatable: boolean;
  focus: FocusOption | undefined;
  /** The hint of one call. */
  hintOf: (call: () => HintCall) => Hint;
}

/** The same tool with a bounded output, or the tool itself if its output never passes through its `execute`. */
export function truncateTool(original: Tool, wrapping: ToolWrapping): Tool {
  const deliver = deliveringOf(original);
  if (!deliver) return original;
  const execute = boundedExecute(original, { wrapping, deliver });
  rememberOriginal(original, execute);
  // The OpenAI provider itself converts an output of its shape.
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

/** A tool whose output is not bounded. If it runs programs, they still call the original tools. */
export function leaveTool(original: Tool): Tool {
  const caller = callerOf(original);
  if (caller?.type !== 'local') return original;
  return copyTool(original, { experimental_toolCaller: withOriginals(caller, (tool) => tool) });
}

/** How outputs are delivered: a complete one, each one of a generator, and the output of a stream. */
interface Delivering {
  one: (output: unknown, delivery: Delivery) => Promise<unknown>;
  each: (outputs: AsyncIterable<unknown>, delivery: Delivery) => AsyncGenerator<unknown>;
  flow: (stream: OutputStream, delivery: Delivery) => AsyncGenerator<unknown>;
}

const asEnvelope: Delivering = { one: deliverOutput, each: deliverValues, flow: deliverFlow };
/** OpenAI checks the shape of the output, so the shape does not change. */
const asShaped: Delivering = { one: deliverShaped, each: deliverShapedValues, flow: deliverShapedValues };

/**
 * Returns `undefined` for a tool that is not changed, because its output does not pass through its `execute`, the SDK replaces
 * that function, or its provider is unknown here.
 */
function deliveringOf(tool: Tool): Delivering | undefined {
  if (typeof tool?.execute !== 'function') return undefined;
  if (tool.type === 'provider') return SHAPED_BY_OPENAI.has(tool.id) ? asShaped : undefined;
  return TOOL_SEARCH in tool || callerOf(tool)?.type === 'provider' ? undefined : asEnvelope;
}

const TOOL_SEARCH = Symbol.for('vercel.ai.toolSearch');

type Execute = (input: unknown, options: ToolExecutionOptions<unknown>) => unknown;

/** Not `async`, because that would hide a generator from the SDK, which would then show `{}` to the model. */
function boundedExecute(
  original: Tool,
  { wrapping, deliver }: { wrapping: ToolWrapping; deliver: Delivering },
): Execute {
  const { hintOf, focus, redactor, ...shared } = wrapping;
  const { toolName } = wrapping;
  const { toModelOutput } = original;
  return function execute(input, options) {
    const { toolCallId = '', abortSignal } = options ?? {};
    const redaction = redactor && { redactor, counts: {} };
    const viewOf = (output: unknown) => toModelOutputOf(original, { toolCallId, input, output });
    const delivery: Delivery = {
      ...shared,
      redaction,
      entrance: 'tool',
      toolCallId,
      input,
      startedAt: now(),
      abortSignal,
      hint: (path) => hintOf(() => ({ ...options, toolName, input, path })),
      question: () => lastQuestion(options?.messages),
      terms: () => focusOf(focus, () => ({ ...options, toolName, input })),
      toModelOutput:
        toModelOutput && (redaction ? async (output) => redactModelOutput(await viewOf(output), redaction) : viewOf),
      isMcp: '_meta' in original,
    };
    let result: unknown;
    try {
      // As a method of the original, because only the original has the private fields.
      result = (original as { execute: Execute }).execute(input, options);
    } catch (error) {
      result = Promise.reject(error);
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

function notifyOfOutput({ toolName, toolCallId, storage, redaction }: Delivery): void {
  notify(storage.onOutput, { kind: 'tool', toolName, toolCallId, ...redactedOf(redaction?.counts) });
}

/** Redacts again, because an old chat may have been stored without `redact`. */
async function redactedSent(
  sent: ToolResultOutput | PromiseLike<ToolResultOutput>,
  redactor: Redactor,
): Promise<ToolResultOutput> {
  return redactModelOutput(await sent, { redactor, counts: {} });
}

function toModelOutputOf(original: Tool, call: ModelOutputCall): ToolResultOutput | PromiseLike<ToolResultOutput> {
  return (original as { toModelOutput: (call: ModelOutputCall) => ToolResultOutput }).toModelOutput(call);
}

/** Pure, so that the same history becomes the same prompt. */
function boundedModelOutput(
  original: Tool,
  wrapping: ToolWrapping,
): (argument: unknown) => ToolResultOutput | PromiseLike<ToolResultOutput> {
  const { limits, toolName, allowsSkip, isRepeatable, redactor } = wrapping;
  const keep = typeof limits.keep === 'function' ? 'ends' : limits.keep;
  const repeatable = isRepeatable ? [toolName] : [];
  const bounding = {
    limits: { ...limits, keep },
    terms: () => [],
    repeatable,
    openAiTools: [],
    onTruncate: undefined,
  } as const;

  /** The tool's own function may now return more than when the output was measured. */
  async function bounded(call: ModelOutputCall): Promise<ToolResultOutput> {
    const output = await toModelOutputOf(original, call);
    if (skipsTruncation(call.output, { allowsSkip })) return output;
    const result = { type: 'tool-result', toolCallId: call.toolCallId, toolName, output } as SentToolResult;
    const sent = await boundToolResult(result, { ...bounding, abortSignal: undefined });
    return sent.output as ToolResultOutput;
  }

  function sentOf(call: ModelOutputCall): ToolResultOutput | PromiseLike<ToolResultOutput> {
    const { output } = call;
    if (inspectSafely(output, isTruncatedOutput)) return truncatedModelOutput(output as TruncatedOutput, limits);
    if (!original.toModelOutput) return plainModelOutput(output);
    // Readers and wrapped tools bound their own output.
    return isOwn(original.toModelOutput) ? toModelOutputOf(original, call) : bounded(call);
  }

  return markOwn(function toModelOutput(argument: unknown) {
    const sent = sentOf(modelOutputCallOf(argument));
    return redactor ? redactedSent(sent, redactor) : sent;
  });
}
