import { now } from '../deadlines.ts';
import { deliverOutput, deliverStream } from '../delivery/deliver-output.ts';
import { type Delivery, type OutputStorage, requireOutputStorage } from '../delivery/delivery.ts';
import { isOutputStream, type OutputStream } from '../delivery/save-and-scan.ts';
import { notify, requireOption, requireToolNames } from '../options.ts';
import { resolveLimits, type TruncationLimits } from '../preview/limits.ts';
import { inspectSafely, isAsyncIterable } from '../protocol/guards.ts';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';

/** A stream, a `Blob`, a `Response` and a generator arrive as their text, and so do bytes that are text. */
// Streams are told by their methods: where neither the types of the browser nor those of Node are loaded, `ReadableStream` is `any`.
export type DeliveredOutput<OUTPUT> = OUTPUT extends
  | { getReader(...parameters: never[]): unknown }
  | { arrayBuffer(...parameters: never[]): unknown; text(...parameters: never[]): unknown }
  | AsyncIterable<unknown>
  ? string
  : OUTPUT extends ArrayBuffer | ArrayBufferView
    ? string | OUTPUT
    : OUTPUT;

/**
 * What the wrapped tools do, for one output: within the limits it is given back as it is; over them every byte is kept, and
 * a bounded `TruncatedOutput` takes its place. A store that is broken, full, slow or missing costs the path, never the result.
 *
 * A string and a stream are measured as text, everything else as compact JSON. What `artifacts.save` reads piece by piece is a
 * stream here too: a `Blob`, a `Response` and an async generator of text or bytes. A small value that JSON cannot carry (a cycle, a
 * BigInt) arrives as text, because the SDK would reject the whole run for it.
 *
 * @example
 * const result = await truncateOutput(await readServerLogs(), { store, scope: chatId, toolName: 'readServerLogs', toolCallId });
 */
export async function truncateOutput<OUTPUT>(
  output: OUTPUT,
  options: TruncateOutputOptions,
): Promise<DeliveredOutput<Awaited<OUTPUT>> | TruncatedOutput> {
  requireTruncateOutputOptions(options);
  const { toolName, toolCallId, input, tools = [], abortSignal } = options;
  // A promise would be measured as `{}`, and our own `return` would resolve it. Any other output is captured without a wait.
  const content = readable(inspectSafely(output, isThenable) ? await output : output);
  // Of a wrapped tool an iterable is a list of outputs; here it is one output in pieces.
  const delivery: Delivery = {
    entrance: 'output',
    toolName,
    toolCallId,
    input,
    startedAt: now(),
    limits: resolveLimits(options),
    storage: options,
    abortSignal,
    hintTools: () => tools,
  };
  const isInPieces = isAsyncIterable(content) && !isOutputStream(content);
  const delivered = isInPieces ? deliverStream(content as OutputStream, delivery) : deliverOutput(content, delivery);
  return delivered.finally(() => notify(options.onOutput, { kind: 'tool', toolName, toolCallId })) as Promise<
    DeliveredOutput<Awaited<OUTPUT>> | TruncatedOutput
  >;
}

function isThenable({ then }: Record<string, unknown>): boolean {
  return typeof then === 'function';
}

/** JSON, and so the SDK, would make `{}` of each of these. */
function readable(output: unknown): unknown {
  if (isInstance(output, 'ArrayBuffer')) return output.byteLength > 0 ? new Uint8Array(output) : output;
  if (isInstance(output, 'Blob')) return output.stream();
  if (!isInstance(output, 'Response')) return output;
  const expected = 'a `Response` whose body has not been read';
  requireOption(!output.bodyUsed, { option: 'output', value: output, expected });
  return output.body ?? '';
}

/** False also where the runtime has no such class, and for a Proxy that refuses to be inspected. */
function isInstance<NAME extends 'ArrayBuffer' | 'Blob' | 'Response'>(
  output: unknown,
  name: NAME,
): output is InstanceType<(typeof globalThis)[NAME]> {
  return inspectSafely(output, (value) => value instanceof globalThis[name]) === true;
}

export interface TruncateOutputOptions extends TruncationLimits, OutputStorage {
  toolName: string;
  toolCallId: string;
  /** The names of the tools that the agent can call, for the hint. @default none */
  tools?: readonly string[];
  /** What the tool was asked, for the record. */
  input?: unknown;
  /** Ends a stream with the signal's reason. An output that is there already is truncated all the same, but not kept. */
  abortSignal?: AbortSignal | undefined;
}

/** Throws for what could not work, also when this output is small and nothing would come of it. */
function requireTruncateOutputOptions(options: TruncateOutputOptions): void {
  requireOutputStorage(options);
  const { toolName, toolCallId, tools } = options;
  for (const [option, value] of Object.entries({ toolName, toolCallId })) {
    requireOption(typeof value === 'string', { option, value, expected: 'a string' });
  }
  requireToolNames('tools', tools);
}
