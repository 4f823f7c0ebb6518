import type { Tool, ToolExecutionOptions } from 'ai';
import type { ToolResultOutput } from '../delivery/delivery.ts';
import { redactEach, redactModelOutput } from '../delivery/redact-output.ts';
import { redactValue } from '../delivery/redact-value.ts';
import { isAsyncIterable } from '../protocol/guards.ts';
import { markOwn, modelOutputCallOf } from '../protocol/truncated-output.ts';
import type { Redactor } from '../text/redaction.ts';
import { copyTool } from './tool-copy.ts';

type Execute = (input: unknown, options: ToolExecutionOptions<unknown>) => unknown;
type ToModelOutput = (call: unknown) => ToolResultOutput | PromiseLike<ToolResultOutput>;

/** A reader or the tool `task` with redacted outputs. The outputs may come from artifacts or agents without redaction. */
export function redactedTool(tool: Tool, redactor: Redactor): Tool {
  const { execute: original, toModelOutput } = tool as { execute?: Execute; toModelOutput?: ToModelOutput };
  if (!original) return tool;

  // Not `async`, because that would hide a generator from the SDK.
  const execute: Execute = (input, options) => {
    const redaction = { redactor, counts: {} };
    const result = original.call(tool, input, options);
    if (isAsyncIterable(result)) return redactEach(result, redaction);
    return Promise.resolve(result).then((output) => redactValue(output, redaction));
  };
  const sent = async (call: unknown) =>
    redactModelOutput(await (toModelOutput as ToModelOutput)(modelOutputCallOf(call)), { redactor, counts: {} });
  return copyTool(tool, { execute, ...(toModelOutput && { toModelOutput: markOwn(sent) }) });
}
