import { type JSONSchema7, jsonSchema, type Tool, type ToolExecuteFunction, tool } from 'ai';
import { artifactNameOf } from '../artifacts/artifact-name.ts';
import { ArtifactNotFoundError, type Artifacts } from '../artifacts/artifacts.ts';
import { now, withTimeout } from '../deadlines.ts';
import { InvalidOptionError } from '../errors.ts';
import { isRecord } from '../protocol/guards.ts';
import { failure, partial, success } from '../protocol/response-builders.ts';
import type { CompleteData, ToolResponse } from '../protocol/tool-response.ts';
import { markOwn, modelOutputCallOf } from '../protocol/truncated-output.ts';
import { READER_MS } from '../reader-limits.ts';
import { boundedModelText } from '../text/frame.ts';
import { shortened } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import { boundedInput, objectionToMissing, requireKnownParameters, toJson, withoutFilled } from './parameters.ts';
import { readerErrors } from './reader-words.ts';
import { ReaderRefusal, type Refusal, storeFailure } from './refusals.ts';

/** Finds the artifacts of the owner of the running call. */
export type FindArtifacts = () => Artifacts | PromiseLike<Artifacts>;

/** One of the tools with which a model reads saved outputs. */
export type ReaderTool<INPUT, DATA extends object> = Tool<INPUT, ToolResponse<DATA>, Record<string, unknown>> & {
  execute: ToolExecuteFunction<INPUT, ToolResponse<DATA>, Record<string, unknown>>;
};

/** The result of a reader. With `next`, something is missing, and `next` says how to get it. */
export interface ReaderAnswer<DATA extends object> {
  data: DATA;
  happened: string;
  state?: string | undefined;
  next?: string | undefined;
  /** The artifact that the answer is about. */
  path?: string | undefined;
  stats?: Record<string, number>;
}

export interface ReaderDefinition<INPUT, DATA extends object> {
  description: string;
  parameters: NonNullable<JSONSchema7['properties']>;
  required: (keyof INPUT & string)[];
  run(call: { artifacts: Artifacts; input: INPUT; abortSignal: AbortSignal }): Promise<ReaderAnswer<DATA>>;
  /** The part of the answer that the model sees as text. */
  show(data: DATA): string;
}

/** Pages have about 8,000 characters of up to three bytes each. */
const MAX_MODEL_BYTES = 28 * 1024;
const MAX_PLAIN_CHARS = 10_000;

/** A tool that reads artifacts. It answers in the envelope of the protocol, is bounded, and throws only for an abort. */
export function createReader<INPUT, DATA extends object>(
  find: FindArtifacts,
  { description, parameters, required, run, show }: ReaderDefinition<INPUT, DATA>,
): ReaderTool<INPUT, DATA> {
  const schema: JSONSchema7 = { type: 'object', properties: parameters, required };

  async function answer(given: INPUT, abortSignal: AbortSignal): Promise<ReaderAnswer<DATA> | Refusal> {
    const input = withoutFilled(given, schema) as INPUT;
    let artifacts: Artifacts | undefined;
    try {
      artifacts = await find();
      requireKnownParameters(input, parameters);
      return await run({ artifacts, input, abortSignal });
    } catch (error) {
      abortSignal.throwIfAborted();
      return toRefusal(error, { artifacts, input });
    }
  }

  const reader = tool({
    description,
    inputSchema: jsonSchema(schema),
    // Otherwise providers that assume strict schemas make every parameter required, and models fill in parameters that they do
    // not need.
    strict: false,
    async execute(given: INPUT, { abortSignal }: { abortSignal?: AbortSignal } = {}): Promise<ToolResponse<DATA>> {
      const facts = { input: boundedInput(given), startedAt: now(), truncationSkip: true };
      const work = (signal: AbortSignal) => answer(given, signal);
      try {
        return toEnvelope(await withTimeout(READER_MS, { work, abortSignal, what: readerErrors.store }), facts);
      } catch (error) {
        abortSignal?.throwIfAborted();
        return toEnvelope({ ...storeFailure(error), next: readerErrors.tryAgain }, facts);
      }
    },
    toModelOutput: markOwn((argument: unknown) => ({
      type: 'text',
      value: toModelText(modelOutputCallOf(argument).output, show),
    })),
  } as never);
  return reader as ReaderTool<INPUT, DATA>;
}

function toEnvelope<DATA extends object>(
  outcome: ReaderAnswer<DATA> | Refusal,
  facts: { input: unknown; startedAt: number; truncationSkip: boolean },
): ToolResponse<DATA> {
  if ('code' in outcome) return failure({ ...outcome, ...facts });
  const { data, happened, state, next, path, stats } = outcome;
  const pathResolved = path === undefined ? undefined : (artifactNameOf(path) ?? path);
  const all = { ...facts, happened, state, pathResolved, ...(stats && { stats }) };
  // Without `next`, `data` must have no mark of an incomplete output, because the builder would throw.
  return next === undefined
    ? success<DATA>({ ...all, data: data as DATA & CompleteData })
    : partial<DATA>({ ...all, data, next });
}

/** An error of a reader, for the model. Without `artifacts`, the owner was not found. */
function toRefusal(
  error: unknown,
  { artifacts, input }: { artifacts: Artifacts | undefined; input: unknown },
): Refusal {
  if (error instanceof ReaderRefusal) return { code: error.code, message: error.message, next: error.next };
  if (!artifacts) return { code: 'NOT_FOUND', message: readerErrors.notFound, next: readerErrors.tryAgain };
  if (InvalidOptionError.isInstance(error)) {
    return { code: 'INVALID_PARAM', message: error.message, next: readerErrors.correct };
  }
  if (ArtifactNotFoundError.isInstance(error)) {
    return { ...objectionToMissing(isRecord(input) ? String(input.path) : ''), next: readerErrors.usePath };
  }
  return { ...storeFailure(error), next: readerErrors.tryAgain };
}

function toModelText<DATA extends object>(output: unknown, show: (data: DATA) => string): string {
  if (!isRecord(output) || typeof output.text !== 'string') return plainText(toJson(output));
  const text = plainText(output.text);
  let preview = '';
  try {
    if (output.status !== 'error') preview = String(show(output.data as DATA));
  } catch {
    // A client may have posted anything in place of an answer.
  }
  return preview === '' ? text : boundedModelText({ text, preview }, { maxBytes: MAX_MODEL_BYTES });
}

/**
 * The text of an answer contains names of fields and values of the artifact. They must neither hide text nor look like the
 * frame of a preview.
 */
function plainText(text: string): string {
  return shortened(visibleText(shortened(text, MAX_PLAIN_CHARS)), MAX_PLAIN_CHARS);
}
