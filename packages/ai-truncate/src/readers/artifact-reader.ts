import { type FlexibleSchema, type Tool, type ToolExecuteFunction, tool } from 'ai';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { ArtifactNotFoundError } from '../artifacts/artifacts.ts';
import { anySignal, now, withTimeout } from '../deadlines.ts';
import { InvalidOptionError } from '../errors.ts';
import { isRecord } from '../protocol/guards.ts';
import { modelOutputCallOf } from '../protocol/model-output-call.ts';
import { failure, partial, success } from '../protocol/response-builders.ts';
import type { ToolErrorCode, ToolResponse } from '../protocol/tool-response.ts';
import { markOwn } from '../protocol/truncated-output.ts';
import { boundedModelText } from '../text/frame.ts';
import { shortened } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import { withoutFilled } from './filled-parameters.ts';
import { givenPath } from './given-path.ts';
import { objectionToMissing, shownFolder } from './path-objection.ts';
import { readerErrors } from './reader-words.ts';
import { storeFailure } from './store-failure.ts';

/** Finds the artifacts of the owner of the running call. */
export type FindArtifacts = () => Artifacts | PromiseLike<Artifacts>;

/** One of the tools with which a model reads what was kept. */
export type ReaderTool<INPUT, DATA extends object> = Tool<INPUT, ToolResponse<DATA>, Record<string, unknown>> & {
  execute: ToolExecuteFunction<INPUT, ToolResponse<DATA>, Record<string, unknown>>;
};

export interface ReaderCall<INPUT> {
  artifacts: Artifacts;
  input: INPUT;
  abortSignal: AbortSignal | undefined;
}

/** What a reader found. With `next` something is missing, and it says how to get it. */
export interface ReaderAnswer<DATA extends object> {
  data: DATA;
  happened: string;
  state?: string | undefined;
  next?: string | undefined;
  pathResolved?: string | undefined;
  stats?: Record<string, number>;
}

/** Thrown by a reader for what cannot be answered. */
export class ReaderRefusal extends Error {
  readonly code: ToolErrorCode;
  readonly next: string;

  constructor(options: { code: ToolErrorCode; message: string; next: string }) {
    super(options.message);
    this.name = 'ReaderRefusal';
    this.code = options.code;
    this.next = options.next;
  }
}

export interface ReaderDefinition<INPUT, DATA extends object> {
  description: string;
  inputSchema: FlexibleSchema<INPUT>;
  run(call: ReaderCall<INPUT>): Promise<ReaderAnswer<DATA>>;
  /** What of the answer the model reads as text. */
  show(data: DATA): string;
}

/** Pages have about 8,000 characters, of up to three bytes each. */
const MAX_MODEL_BYTES = 28 * 1024;
/** Behind what stores, searches and queries allow themselves: for a store without a deadline of its own. */
const DEADLINE_MS = 30_000;

/** A tool that reads artifacts: it answers in the envelope of the protocol, bounded, and never throws but for an abort. */
export function createReader<INPUT, DATA extends object>(
  find: FindArtifacts,
  { description, inputSchema, run, show }: ReaderDefinition<INPUT, DATA>,
): ReaderTool<INPUT, DATA> {
  const reader = tool({
    description,
    inputSchema,
    // Without it, providers that assume strict schemas make every parameter required, and models fill in what they do not need.
    strict: false,
    async execute(given: INPUT, { abortSignal }: { abortSignal?: AbortSignal } = {}): Promise<ToolResponse<DATA>> {
      const facts = { input: boundedInput(given), startedAt: now(), truncationSkip: true };
      const fail = (refused: Refused) => failure({ ...refused, ...facts }) as unknown as ToolResponse<DATA>;
      const over = new AbortController();
      const signal = anySignal([abortSignal, over.signal]);

      async function answer(): Promise<ToolResponse<DATA>> {
        const input = withoutFilled(given, schemaOf(inputSchema)) as INPUT;
        let artifacts: Artifacts | undefined;
        try {
          artifacts = await find();
          if (!isRecord(input)) throw new InvalidOptionError({ option: 'input', value: input, expected: 'an object' });
          requireKnown(input, inputSchema);
          return envelopeOf(await run({ artifacts, input, abortSignal: signal }), facts);
        } catch (error) {
          signal.throwIfAborted();
          return fail(await refusalOf(error, { artifacts, input, abortSignal: signal }));
        }
      }

      try {
        return await withTimeout(DEADLINE_MS, { work: () => answer(), abortSignal, what: readerErrors.store });
      } catch (error) {
        abortSignal?.throwIfAborted();
        return fail({ ...storeFailure(error), next: readerErrors.tryAgain });
      } finally {
        // What is given up ends by itself.
        over.abort();
      }
    },
    toModelOutput: markOwn((argument: unknown) => ({
      type: 'text',
      value: textOf(modelOutputCallOf(argument).output, show),
    })),
  } as never);
  return reader as ReaderTool<INPUT, DATA>;
}

function schemaOf(inputSchema: unknown): unknown {
  return isRecord(inputSchema) ? inputSchema.jsonSchema : undefined;
}

const MAX_SHOWN_NAME = 60;

/** A parameter that is not known would be passed over, and the answer be one to another question. */
function requireKnown(input: Record<string, unknown>, inputSchema: unknown): void {
  const schema = schemaOf(inputSchema);
  const properties = isRecord(schema) ? schema.properties : undefined;
  if (!isRecord(properties)) return;
  const unknown = Object.keys(input).find((name) => !Object.hasOwn(properties, name));
  if (unknown === undefined) return;
  throw new ReaderRefusal({
    code: 'INVALID_PARAM',
    message: readerErrors.unknownParameter(shortened(unknown, MAX_SHOWN_NAME), Object.keys(properties)),
    next: readerErrors.correct,
  });
}

function envelopeOf<DATA extends object>(
  answer: ReaderAnswer<DATA>,
  facts: { input: unknown; startedAt: number; truncationSkip: boolean },
): ToolResponse<DATA> {
  const { data, happened, state, next, pathResolved, stats } = answer;
  const all = { ...facts, happened, state, pathResolved, ...(stats && { stats }) };
  const envelope: unknown =
    next === undefined ? success({ ...all, data: data as never }) : partial({ ...all, data: data as never, next });
  return envelope as ToolResponse<DATA>;
}

interface Refused {
  code: ToolErrorCode | (string & {});
  message: string;
  next: string;
}

async function refusalOf(
  error: unknown,
  {
    artifacts,
    input,
    abortSignal,
  }: { artifacts: Artifacts | undefined; input: unknown; abortSignal: AbortSignal | undefined },
): Promise<Refused> {
  if (error instanceof ReaderRefusal) return { code: error.code, message: error.message, next: error.next };
  // Nobody's artifacts: as for one that is not here.
  if (!artifacts) return { code: 'NOT_FOUND', message: readerErrors.notFound, next: readerErrors.tryAgain };
  if (InvalidOptionError.isInstance(error)) {
    return { code: 'INVALID_PARAM', message: error.message, next: readerErrors.correct };
  }
  if (ArtifactNotFoundError.isInstance(error)) {
    const given = isRecord(input) ? givenPath(input.path) : undefined;
    const path = typeof given === 'string' ? given : '';
    const folder = () => shownFolder(artifacts, { abortSignal });
    return { ...(await objectionToMissing(path, folder)), next: readerErrors.usePath };
  }
  return { ...storeFailure(error), next: readerErrors.tryAgain };
}

const MAX_INPUT_CHARS = 2048;
const MAX_INPUT_EXCERPT = 500;
const MAX_PLAIN_CHARS = 10_000;

/** Raw, as the protocol asks; a megabyte of it would come back with each later request. */
function boundedInput(input: unknown): unknown {
  const json = jsonOf(input);
  if (json.length > MAX_INPUT_CHARS) return shortened(json, MAX_INPUT_EXCERPT);
  // As JSON carries it: the answer has to be the same after a round trip.
  return JSON.parse(json);
}

/** Of what JSON cannot carry only that it cannot. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return '"[no JSON]"';
  }
}

function textOf<DATA extends object>(output: unknown, show: (data: DATA) => string): string {
  if (!isRecord(output) || typeof output.text !== 'string') return plainText(jsonOf(output));
  const preview = output.status === 'error' ? '' : shown(output.data, show);
  const text = plainText(output.text);
  return preview === '' ? text : boundedModelText({ text, preview }, MAX_MODEL_BYTES);
}

/** The words of an answer name fields and values of the artifact: nothing in them may hide, or pass for the frame of a preview. */
function plainText(text: string): string {
  return shortened(visibleText(shortened(text, MAX_PLAIN_CHARS)), MAX_PLAIN_CHARS);
}

/** What a client posted in place of an answer may have any shape. */
function shown<DATA extends object>(data: unknown, show: (data: DATA) => string): string {
  try {
    return String(show(data as DATA));
  } catch {
    return '';
  }
}
