import type { Tool, ToolExecutionOptions } from 'ai';
import type { OutputEvent } from '../delivery/events.ts';
import { plainModelOutput } from '../delivery/model-output.ts';
import { type Listener, notify } from '../options.ts';
import { isAsyncIterable } from '../protocol/guards.ts';
import { byteLength } from '../text/utf.ts';
import { copyTool } from './tool-copy.ts';

type Execute = (input: unknown, options: ToolExecutionOptions<unknown>) => unknown;

/**
 * A tool that reads saved outputs and whose answers are reported, because their size belongs to the cost of a truncated output.
 */
export function countedTool(
  tool: Tool,
  { toolName, onOutput }: { toolName: string; onOutput: Listener<OutputEvent> | undefined },
): Tool {
  const { execute: original } = tool as { execute?: Execute };
  if (!onOutput || !original) return tool;

  function count(
    output: unknown,
    { input, options }: { input: unknown; options: ToolExecutionOptions<unknown> },
  ): void {
    const { toolCallId = '' } = options ?? {};
    // An error here is thrown again for the SDK, which reports it.
    sentBytesOf(tool, { toolCallId, input, output }).then(
      (sentBytes) => notify(onOutput, { kind: 'reader', toolName, toolCallId, sentBytes }),
      () => {},
    );
  }

  // Not `async`, because that would hide a generator from the SDK.
  const execute: Execute = (input, options) => {
    const result = original.call(tool, input, options);
    if (isAsyncIterable(result)) return tapLast(result, (output) => count(output, { input, options }));
    return Promise.resolve(result).then((output) => {
      count(output, { input, options });
      return output;
    });
  };
  return copyTool(tool, { execute });
}

/** The same outputs; the last one is the answer. */
async function* tapLast(outputs: AsyncIterable<unknown>, onLast: (output: unknown) => void): AsyncGenerator<unknown> {
  let last: unknown;
  for await (last of outputs) yield last;
  onLast(last);
}

async function sentBytesOf(
  { toModelOutput = ({ output }) => plainModelOutput(output) }: Tool,
  call: { toolCallId: string; input: unknown; output: unknown },
): Promise<number> {
  const sent = await toModelOutput(call as never);
  const value: unknown = 'value' in sent ? sent.value : sent;
  return byteLength(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}
