import { type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { sentThrough } from '../fixtures/sent-results.ts';
import { TruncatedToolError } from '../src/delivery/tool-error.ts';
import { truncateToolResultsMiddleware } from '../src/middleware/truncate-tool-results-middleware.ts';
import { isTruncatedOutput, type TruncatedOutput } from '../src/protocol/truncated-output.ts';
import type { ArtifactStore } from '../src/stores/artifact-store.ts';
import { modelText } from '../src/text/frame.ts';
import { truncateOutput } from '../src/tools/truncate-output.ts';
import { truncateToolOutputs } from '../src/tools/truncate-tool-outputs.ts';
import type { FuzzedLimits } from './fuzzed-limits.ts';

/** What took the place of an output, or the output itself. */
export interface Delivered {
  /** What the model reads in its place. */
  text?: string;
  /** The same, once its envelope has been in a chat log. */
  textAgain?: string;
  envelopes: TruncatedOutput[];
  /** What has to be kept of it, byte for byte. Absent where that is not told by the output alone. */
  sent?: Uint8Array;
  /** What the model reads of an output that is delivered as it is. */
  whole?: { text: string; hasLines: boolean };
}

export interface Handing {
  store: ArtifactStore;
  limits: FuzzedLimits;
  /** With readers the hint names one, and there is less room for the rest. */
  set: { readers?: false };
}

const inputSchema = z.object({});
const call = { toolCallId: 'call_1', messages: [], context: {} };

/** All ways of an output to a model. */
export const ways: Record<string, (output: unknown, handing: Handing) => Promise<Delivered>> = {
  truncateOutput: async (output, { store, limits }) => {
    const result = await truncateOutput(output, { ...limits, store, scope: 'lab', toolName: 'read', ...call });
    if (!isTruncatedOutput(result)) return { whole: wholeOf(result), envelopes: [] };
    return { text: modelText({ text: result.text, preview: result.data.preview }), envelopes: [result] };
  },
  'a returned output': async (output, handing) => ({
    ...(await called(tool({ inputSchema, execute: () => output }), handing)),
    ...(typeof output === 'string' && { sent: Buffer.from(output) }),
  }),
  'a stream': (output, handing) => {
    const text = asText(output);
    const half = text.length >> 1;
    return streamed([text.slice(0, half), text.slice(half)], handing);
  },
  'a stream of bytes': (output, handing) => {
    const bytes = Buffer.from(asText(output));
    return streamed([bytes.subarray(0, bytes.length / 3), bytes.subarray(bytes.length / 3)], handing);
  },
  'a stream of bytes that are no text': (output, handing) => streamed([Buffer.from(asText(output), 'latin1')], handing),
  'a stream of text and bytes': (output, handing) => {
    const text = asText(output);
    const third = text.length / 3;
    const bytes = Buffer.from(text.slice(third, 2 * third));
    const half = bytes.length >> 1;
    const chunks = [text.slice(0, third), bytes.subarray(0, half), bytes.subarray(half), text.slice(2 * third)];
    return streamed(chunks, handing);
  },
  'a buffer that is filled again and again': async (output, handing) => {
    const whole = Buffer.from(asText(output));
    const buffer = Buffer.alloc(Math.ceil(whole.length / 7) || 1);
    function* refilled(): Generator<Buffer> {
      for (let at = 0; at < whole.length; at += buffer.length)
        yield buffer.subarray(0, whole.copy(buffer, 0, at, at + buffer.length));
    }
    const execute = async () => ReadableStream.from(refilled());
    return { ...(await called(tool({ inputSchema, execute }), handing)), sent: whole };
  },
  'yielded outputs': (output, handing) => {
    async function* execute() {
      yield 'begun';
      yield output;
    }
    return called(tool({ inputSchema, execute }), handing);
  },
  'a thrown error': (output, handing) => {
    const thrown = typeof output === 'string' ? new Error(output) : output;
    const execute = (): unknown => {
      throw thrown;
    };
    return called(tool({ inputSchema, execute }), { ...handing, thrown });
  },
  'parts of its own': (output, handing) => {
    const text = asText(output);
    const picture = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0KGgo=' } } as const;
    const toModelOutput = () => ({
      type: 'content' as const,
      value: [{ type: 'text' as const, text }, picture, { type: 'text' as const, text }],
    });
    return called(tool({ inputSchema, execute: () => ({ seen: text }), toModelOutput }), handing);
  },
  'the middleware': async (output, { limits }) => {
    const { keep, ...bounds } = limits;
    const middleware = truncateToolResultsMiddleware(typeof keep === 'function' ? bounds : { ...bounds, keep });
    const given = resultOf(output);
    const [sent] = await sentThrough(middleware, [given]);
    if (!sent) throw new Error('The result is gone.');
    if (sent === given) return { whole: { text: textOf(given), hasLines: given.type === 'text' }, envelopes: [] };
    const [again] = await sentThrough(middleware, [sent]);
    return { text: textOf(sent), ...(again && { textAgain: textOf(again) }), envelopes: [] };
  },
};

function asText(output: unknown): string {
  return typeof output === 'string' ? output : (JSON.stringify(output, withoutWhatItCannotCarry()) ?? 'nothing');
}

/** As a provider is sent it. */
function resultOf(output: unknown): { type: string; value: unknown } {
  if (typeof output === 'string') return { type: 'text', value: output };
  return { type: 'json', value: JSON.parse(JSON.stringify(output, withoutWhatItCannotCarry()) ?? 'null') };
}

/** For `JSON.stringify`: leaves circles out, and makes what it carries of what it does not. */
function withoutWhatItCannotCarry(): (key: string, value: unknown) => unknown {
  const seen = new WeakSet<object>();
  return (_, value) => {
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    if (seen.has(value)) return undefined;
    seen.add(value);
    return value;
  };
}

/** Of a tool that returns a stream of these. */
async function streamed(chunks: (string | Uint8Array)[], handing: Handing): Promise<Delivered> {
  const delivered = await called(tool({ inputSchema, execute: async () => ReadableStream.from(chunks) }), handing);
  // Two texts may be halves of a pair, and are one.
  const texts = chunks.every((chunk) => typeof chunk === 'string') ? [chunks.join('')] : chunks;
  return { ...delivered, sent: Buffer.concat(texts.map((text) => Buffer.from(text as string))) };
}

/** As the SDK runs a tool and sends what comes of it. */
async function called(
  own: ToolSet[string],
  { store, limits, set, ...failing }: Handing & { thrown?: unknown },
): Promise<Delivered> {
  const tools: ToolSet = truncateToolOutputs({ read: own }, { ...limits, store, scope: 'lab', ...set });
  const outputs = await outputsOf(() => tools.read?.execute?.({}, call), failing);
  const envelopes = outputs.filter(isTruncatedOutput);
  const last = outputs.at(-1);
  if (last instanceof TruncatedToolError) return { text: String(last), envelopes: [last.output] };
  if ('thrown' in failing) return { whole: wholeOf(last), envelopes };
  const sent = (output: unknown) => tools.read?.toModelOutput?.({ toolCallId: 'call_1', input: {}, output });
  if (!isTruncatedOutput(last)) {
    const model = await sent(last);
    return { whole: model ? { text: textOf(model), hasLines: model.type !== 'json' } : wholeOf(last), envelopes };
  }
  const fromLog: unknown = JSON.parse(JSON.stringify(last));
  return { text: textOf(await sent(last)), textAgain: textOf(await sent(fromLog)), envelopes };
}

/** All that a tool gives, and at the end the error that it was made to throw. Any other is ours. */
async function outputsOf(execute: () => unknown, failing: { thrown?: unknown }): Promise<unknown[]> {
  const outputs: unknown[] = [];
  try {
    const result = execute();
    if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result)
      for await (const output of result as AsyncIterable<unknown>) outputs.push(output);
    else outputs.push(await result);
  } catch (error) {
    if (!('thrown' in failing)) throw error;
    // What JSON cannot carry is thrown as its text, also when it is small.
    const isExpected = error === failing.thrown || typeof error === 'string' || error instanceof TruncatedToolError;
    if (!isExpected) throw error;
    outputs.push(error);
  }
  return outputs;
}

/** As the SDK would send it: a text, the message of an error, a value as JSON, which has no lines. */
function wholeOf(output: unknown): { text: string; hasLines: boolean } {
  if (typeof output === 'string') return { text: output, hasLines: true };
  if (output instanceof Error) return { text: output.message, hasLines: true };
  return { text: JSON.stringify(output, withoutWhatItCannotCarry()) ?? '', hasLines: false };
}

/** All text of what a model is sent. */
function textOf(sent: { type: string; value?: unknown } | undefined): string {
  if (typeof sent?.value === 'string') return sent.value;
  if (sent?.type !== 'content') return JSON.stringify(sent?.value);
  return (sent.value as { text?: string }[]).flatMap((part) => part.text ?? []).join('\n');
}
