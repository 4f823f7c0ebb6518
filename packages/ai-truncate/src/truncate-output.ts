import { deliverOutput } from './delivery/deliver-output.ts';
import { tell } from './delivery/tell.ts';
import type { TruncatedOutput } from './protocol/truncated-output.ts';
import { requireTruncateOutputOptions, type TruncateOutputOptions } from './truncate-output-options.ts';
import { resolveLimits } from './truncation/truncation-limits.ts';

/** A stream arrives as its text, and so do bytes that are text. */
// Streams are told by their methods: where neither the types of the browser nor those of Node are loaded, `ReadableStream` is `any`.
export type DeliveredOutput<OUTPUT> = OUTPUT extends
  | { getReader(...parameters: never[]): unknown }
  | (AsyncIterable<unknown> & { pipe(...parameters: never[]): unknown })
  ? string
  : OUTPUT extends ArrayBuffer | ArrayBufferView
    ? string | OUTPUT
    : OUTPUT;

/**
 * What the wrapped tools do, for one output: within the limits it is given back as it is; over them every byte is kept, and
 * a bounded `TruncatedOutput` takes its place. A store that is broken, full, slow or missing costs the path, never the result.
 *
 * A string and a stream are measured as text, everything else as compact JSON. A small value that JSON cannot carry (a cycle, a
 * BigInt) arrives as text, because the SDK would reject the whole run for it.
 *
 * @example
 * const result = await truncateOutput(await readServerLogs(), { store, scope: chatId, toolName: 'readServerLogs', toolCallId });
 */
export async function truncateOutput<OUTPUT>(
  output: OUTPUT,
  options: TruncateOutputOptions,
): Promise<DeliveredOutput<OUTPUT> | TruncatedOutput> {
  requireTruncateOutputOptions(options);
  const { toolName, toolCallId, input, tools = [], abortSignal } = options;
  const delivered = deliverOutput(output, {
    entrance: 'output',
    toolName,
    toolCallId,
    input,
    startedAt: performance.now(),
    limits: resolveLimits(options),
    keeping: options,
    abortSignal,
    hintTools: () => tools,
  }).finally(() => tell(options.onOutput, { kind: 'tool', toolName, toolCallId }));
  return delivered as Promise<DeliveredOutput<OUTPUT> | TruncatedOutput>;
}
