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

/** The replacement of an output, or the output itself. */
export interface Delivered {
  /** The text that the model sees instead. */
  text?: string;
  /** The same text, after its envelope has been in a chat log. */
  textAgain?: string;
  envelopes: TruncatedOutput[];
  /** The bytes that must be saved. Absent if the output alone does not determine them. */
  sent?: Uint8Array;
  /** The text that the model sees for an output that is delivered unchanged. */
  whole?: { text: string; hasLines: boolean };
}

export interface Handing {
  store: ArtifactStore;
  limits: FuzzedLimits;
  /** With readers, the hint names one, and there is less room for the rest. */
  set: { readers?: false };
}

const inputSchema = z.object({});
const call = { toolCallId: 'call_1', messages: [], context: {} };

/** All ways of an output to a model. */
export const ways: Record<string, (output: unknown, handing: Handing) => Promise<Delivered>> = {
  truncateOutput: async (output, { store, limits }) => {
    const result = await truncateOutput(output, {
      ...limits,
      store,
      scope: 'lab',
      toolName: 'read',
      toolCallId: 'call_1',
    });
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
  'a stream of bytes that are not text': (output, handing) =>
    streamed([Buffer.from(asText(output), 'latin1')], handing),
  'a stream of text and bytes': (output, handing) => {
    const text = asText(output);
    const third = text.length / 3;
    const bytes = Buffer.from(text.slice(third, 2 * third));
    const half = bytes.length >> 1;
    const chunks = [text.slice(0, third), bytes.subarray(0, half), bytes.subarray(half), text.slice(2 * third)];
    return streamed(chunks, handing);
  },
  'a buffer that is used again and again': async (output, handing) => {
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
  'its own parts': (output, handing) => {
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

/** The result in the form in which a provider receives it. */
function resultOf(output: unknown): { type: string; value: unknown } {
  if (typeof output === 'string') return { type: 'text', value: output };
  return { type: 'json', value: JSON.parse(JSON.stringify(output, withoutWhatItCannotCarry()) ?? 'null') };
}

/** For `JSON.stringify`: omits circles, and converts values that JSON cannot carry. */
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

/** The output of a tool that returns a stream of these chunks. */
async function streamed(chunks: (string | Uint8Array)[], handing: Handing): Promise<Delivered> {
  const delivered = await called(tool({ inputSchema, execute: async () => ReadableStream.from(chunks) }), handing);
  // Two texts may be halves of a pair, and count as one.
  const texts = chunks.every((chunk) => typeof chunk === 'string') ? [chunks.join('')] : chunks;
  return { ...delivered, sent: Buffer.concat(texts.map((text) => Buffer.from(text as string))) };
}

/** Runs a tool and sends its output like the SDK does. */
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

/** All outputs of a tool, and at the end the error that the test made it throw. Any other error is a fault of the library. */
async function outputsOf(execute: () => unknown, failing: { thrown?: unknown }): Promise<unknown[]> {
  const outputs: unknown[] = [];
  try {
    const result = execute();
    if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result)
      for await (const output of result as AsyncIterable<unknown>) outputs.push(output);
    else outputs.push(await result);
  } catch (error) {
    if (!('thrown' in failing)) throw error;
    // A value that JSON cannot carry is thrown as its text, even if it is small.
    const isExpected = error === failing.thrown || typeof error === 'string' || error instanceof TruncatedToolError;
    if (!isExpected) throw error;
    outputs.push(error);
  }
  return outputs;
}

/** The output as the SDK would send it: a text, the message of an error, or a value as JSON, which has no lines. */
function wholeOf(output: unknown): { text: string; hasLines: boolean } {
  if (typeof output === 'string') return { text: output, hasLines: true };
  if (output instanceof Error) return { text: output.message, hasLines: true };
  return { text: JSON.stringify(output, withoutWhatItCannotCarry()) ?? '', hasLines: false };
}

/** All text that a model sees. */
function textOf(sent: { type: string; value?: unknown } | undefined): string {
  if (typeof sent?.value === 'string') return sent.value;
  if (sent?.type !== 'content') return JSON.stringify(sent?.value);
  return (sent.value as { text?: string }[]).flatMap((part) => part.text ?? []).join('\n');
}
