import { STORAGE_OPTIONS } from '../artifacts/storage-options.ts';
import { now } from '../deadlines.ts';
import { deliverOutput, deliverStream } from '../delivery/deliver-output.ts';
import { type Delivery, type OutputStorage, requireOutputStorage } from '../delivery/delivery.ts';
import { focusOf, requireFocus } from '../delivery/focus.ts';
import { redactError, redactedOf } from '../delivery/redact-output.ts';
import { isOutputStream, type OutputStream } from '../delivery/save-and-scan.ts';
import { isInterruption } from '../delivery/tool-error.ts';
import { notify, requireOption } from '../options.ts';
import { LIMITS, resolveLimits, type TruncationLimits } from '../preview/limits.ts';
import { requireHint } from '../preview/notice-and-hint-words.ts';
import { inspectSafely, isAsyncIterable } from '../protocol/guards.ts';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import { redactorOf } from '../text/redactor.ts';
import { type HintTools, namedBy } from './hint.ts';
import { TOOL_SET_OPTIONS } from './tool-set-options.ts';

/** A stream, a `Blob`, a `Response` and a generator become their text, and so do bytes that are text. */
// Streams are recognized by their methods, because `ReadableStream` is `any` without the types of the browser or of Node.
export type DeliveredOutput<OUTPUT> = OUTPUT extends
  | { getReader(...parameters: never[]): unknown }
  | { arrayBuffer(...parameters: never[]): unknown; text(...parameters: never[]): unknown }
  | AsyncIterable<unknown>
  ? string
  : OUTPUT extends ArrayBuffer | ArrayBufferView
    ? string | OUTPUT
    : OUTPUT;

/**
 * Bounds one output in the same way as a wrapped tool. An output within the limits is returned unchanged. An output over the
 * limits is saved completely and replaced by a bounded `TruncatedOutput`. A store that is broken, full, slow or missing costs
 * the path, but never the output.
 *
 * A string and a stream are measured as text, everything else as compact JSON. A `Blob`, a `Response` and an async generator of
 * text or bytes count as streams too. A small value that JSON cannot carry (a cycle, a BigInt) becomes text, because the SDK
 * would reject the whole run for it.
 *
 * @example
 * const result = await truncateOutput(await readServerLogs(), { store, scope: chatId, toolName: 'readServerLogs', toolCallId });
 */
export async function truncateOutput<OUTPUT>(
  output: OUTPUT,
  options: TruncateOutputOptions,
): Promise<DeliveredOutput<Awaited<OUTPUT>> | TruncatedOutput> {
  requireTruncateOutputOptions(options);
  const { toolName, toolCallId, input, focus = 'auto', hint = false, abortSignal } = options;
  // A promise would be measured as `{}`, and our own `return` would resolve it. Any other output is captured without waiting.
  const content = readable(inspectSafely(output, isThenable) ? await output : output);
  // For a wrapped tool an iterable is a list of outputs. Here it is one output in pieces.
  const redaction = options.redact && { redactor: redactorOf(options.redact), counts: {} };
  const delivery: Delivery = {
    entrance: 'output',
    toolName,
    toolCallId,
    input,
    startedAt: now(),
    limits: resolveLimits(options),
    terms: () => focusOf(focus, () => ({ input })),
    storage: options,
    redaction,
    abortSignal,
    hint: () => (typeof hint === 'string' ? hint : namedBy(hint, {})),
  };
  const isInPieces = isAsyncIterable(content) && !isOutputStream(content);
  const delivered = isInPieces ? deliverStream(content as OutputStream, delivery) : deliverOutput(content, delivery);
  const bounded = redaction ? delivered.catch((error) => throwRedacted(error, delivery)) : delivered;
  return bounded.finally(() =>
    notify(options.onOutput, { kind: 'tool', toolName, toolCallId, ...redactedOf(redaction?.counts) }),
  ) as Promise<DeliveredOutput<Awaited<OUTPUT>> | TruncatedOutput>;
}

/** A stream may fail with an error of the tool. */
async function throwRedacted(error: unknown, { redaction, abortSignal }: Delivery): Promise<never> {
  throw redaction && !isInterruption(error, abortSignal) ? await redactError(error, redaction) : error;
}

function isThenable({ then }: Record<string, unknown>): boolean {
  return typeof then === 'function';
}

/** JSON, and therefore the SDK, would turn each of these into `{}`. */
function readable(output: unknown): unknown {
  if (isInstance(output, 'ArrayBuffer')) return output.byteLength > 0 ? new Uint8Array(output) : output;
  if (isInstance(output, 'Blob')) return output.stream();
  if (!isInstance(output, 'Response')) return output;
  const expected = 'a `Response` whose body has not been read';
  requireOption(!output.bodyUsed, { option: 'output', value: output, expected });
  return output.body ?? '';
}

/** Also false if the runtime has no such class, and for a Proxy that refuses to be inspected. */
function isInstance<NAME extends 'ArrayBuffer' | 'Blob' | 'Response'>(
  output: unknown,
  name: NAME,
): output is InstanceType<(typeof globalThis)[NAME]> {
  return inspectSafely(output, (value) => value instanceof globalThis[name]) === true;
}

export interface TruncateOutputOptions extends TruncationLimits, OutputStorage {
  toolName: string;
  toolCallId: string;
  /** The hint: names of tools that the agent can call, or the line itself. @default false */
  hint?: HintTools | string | false | undefined;
  /** The input of the tool. Its texts choose what a preview shows, unless `focus` is set. */
  input?: unknown;
  /** The question that the output is read for; `false` for none. @default the texts of `input` */
  focus?: 'auto' | false | (string & {}) | undefined;
  /** Ends a stream with the signal's reason. A complete output is still truncated, but not saved. */
  abortSignal?: AbortSignal | undefined;
}

const OPTIONS: readonly string[] = [
  ...[...STORAGE_OPTIONS, ...LIMITS, 'redact', 'onTruncate', 'onOutput'],
  ...['toolName', 'toolCallId', 'hint', 'input', 'focus', 'abortSignal'],
];

/** Throws for invalid options, even if this output is small and they do not matter. */
function requireTruncateOutputOptions(options: TruncateOutputOptions): void {
  requireOutputStorage(options, {
    known: OPTIONS,
    expected: 'an object with `store`, `scope`, `toolName` and `toolCallId`',
    elsewhere: { known: TOOL_SET_OPTIONS, place: '`truncateToolOutputs`' },
  });
  const { toolName, toolCallId, hint } = options;
  for (const [option, value] of Object.entries({ toolName, toolCallId })) {
    requireOption(typeof value === 'string', { option, value, expected: 'a string' });
  }
  requireHint(hint, 'a line');
  requireFocus('focus', options.focus, { allowsFunction: false });
}
