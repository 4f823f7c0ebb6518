import { AiTruncateError } from '../errors.ts';
import { serialize } from '../json/serialize.ts';
import { finished, inTurns, pace } from '../pace.ts';
import { isRecord } from '../protocol/guards.ts';
import { encodeLossless, LosslessDecoder, REPLACEMENT, withoutLoneBytes } from '../text/lossless-text.ts';
import { type RedactedCounts, Redaction, redactText } from '../text/redaction.ts';
import { bytePieces, isHighSurrogate } from '../text/utf.ts';
import { MAX_PIECE_BYTES } from './captured-value.ts';
import { textOfPart } from './content-parts.ts';
import type { ToolResultOutput } from './delivery.ts';
import { type OutputRedaction, redactValue } from './redact-value.ts';
import { toStreamChunk } from './save-and-scan.ts';
import { sentForError } from './tool-error.ts';

/** The outputs of a generator, without secrets. The counts are for the last output. */
export async function* redactEach(
  outputs: AsyncIterable<unknown>,
  redaction: OutputRedaction | undefined,
): AsyncGenerator<unknown> {
  if (!redaction) {
    yield* outputs;
    return;
  }
  for await (const output of outputs) {
    for (const kind of Object.keys(redaction.counts)) delete redaction.counts[kind];
    yield await redactValue(await output, redaction);
  }
}

/**
 * The chunks of a stream, without secrets. Bytes that are not text do not change. A chunk that is neither text nor bytes is
 * passed on, because the reader of the stream reports it.
 */
export async function* redactChunks(
  chunks: Iterable<unknown> | AsyncIterable<unknown>,
  { redactor, counts, abortSignal }: OutputRedaction & { abortSignal?: AbortSignal | undefined },
): AsyncGenerator<string | Uint8Array> {
  const redaction = new Redaction(redactor, { counts });
  const decoder = new LosslessDecoder();
  /** The first half of a surrogate pair at the end of the last chunk of text, and of the redacted text. */
  let openText = '';
  let openDone = '';

  async function take(text: string): Promise<string | Uint8Array> {
    const steps = redaction.push(text);
    // Patterns of the application are slower than the built-in patterns.
    const redacted = openDone + (redactor.hasOwnPatterns ? await inTurns(steps) : finished(steps));
    openDone = isHighSurrogate(redacted.charCodeAt(redacted.length - 1)) ? redacted.slice(-1) : '';
    return encodeLossless(redacted.slice(0, redacted.length - openDone.length));
  }

  function ofText(part: string): string {
    const text = openText + part;
    openText = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : '';
    return decoder.finish() + withoutLoneBytes(text.slice(0, text.length - openText.length));
  }

  /** Half of a surrogate pair before bytes or at the end has no other half. */
  function endText(): string {
    const rest = openText === '' ? '' : REPLACEMENT;
    openText = '';
    return rest;
  }

  for await (const chunk of pace(chunks, { abortSignal })) {
    const part = toStreamChunk(chunk);
    if (part === undefined) yield chunk as never;
    else if (typeof part === 'string') yield await take(ofText(part));
    else for (const piece of bytePieces(part, MAX_PIECE_BYTES)) yield await take(endText() + decoder.decode(piece));
  }
  yield await take(decoder.finish() + endText());
  yield encodeLossless(openDone + (await inTurns(redaction.finish())));
}

/** The result for the model, without secrets. Returns the same object if it contains no secret. */
export async function redactModelOutput<OUTPUT extends ToolResultOutput>(
  output: OUTPUT,
  redaction: OutputRedaction,
): Promise<OUTPUT> {
  if (!isRecord(output) || output.type !== 'content' || !Array.isArray(output.value)) {
    return redactValue(output, redaction);
  }
  const parts: unknown[] = [];
  for (const part of output.value) parts.push(await redactPart(part, redaction));
  const isSame = parts.every((part, index) => part === output.value[index]);
  return redactValue(isSame ? output : ({ ...output, value: parts } as OUTPUT), redaction);
}

/** A text file with a secret becomes a text part. */
async function redactPart(part: unknown, redaction: OutputRedaction): Promise<unknown> {
  const text = textOfPart(part);
  if (text === undefined || (isRecord(part) && part.type === 'text')) return part;
  const redacted = await redactText(text, redaction.redactor, redaction);
  return redacted === text ? part : { type: 'text', text: redacted };
}

/** The number of causes of an error that are searched, and the number of characters of the members of each. */
const MAX_CAUSES = 8;
const MAX_MEMBER_CHARS = 256 * 1024;

/**
 * An error without secrets. If its texts, members and causes contain no secret, it is the same error. Otherwise it is a new error
 * with the redacted message, because the original error belongs to the tool.
 */
export async function redactError(error: unknown, redaction: OutputRedaction): Promise<unknown> {
  if (!(error instanceof Error)) return redactValue(error, redaction);
  const { facts, isComplete } = await factsOf(error);
  const { redactor, counts } = redaction;
  const all: RedactedCounts = {};
  const redacted = await redactValue(facts, { redactor, counts: all });
  await redactValue(sentForError(error), redaction);
  // A secret is counted once, although the message of an error is part of several texts.
  if (Object.keys(counts).length === 0) Object.assign(counts, all);
  const isClean = redacted === facts && isComplete && facts.every(({ isSearched }) => isSearched);
  return isClean ? error : new RedactedToolError(redacted[0] as ErrorFacts);
}

interface ErrorFacts {
  name: string;
  message: string;
  stack: string;
  /** More texts of the error: its own description, and its own members as JSON. */
  texts: string[];
  isSearched: boolean;
}

/** The texts of an error and of its causes, unless there are too many causes. */
async function factsOf(error: Error): Promise<{ facts: ErrorFacts[]; isComplete: boolean }> {
  const facts: ErrorFacts[] = [];
  const waiting: unknown[] = [error];
  while (waiting.length > 0 && facts.length < MAX_CAUSES) {
    const each = waiting.shift();
    if (each === undefined) continue;
    facts.push(await factsOfOne(each));
    if (each instanceof Error) waiting.push(each.cause, ...(each instanceof AggregateError ? each.errors : []));
  }
  return { facts, isComplete: waiting.every((each) => each === undefined) };
}

async function factsOfOne(thrown: unknown): Promise<ErrorFacts> {
  const {
    name,
    message,
    stack,
    cause: _,
    ...members
  } = thrown instanceof Error ? (thrown as Error & object) : ({} as Error);
  let json = '';
  for await (const chunk of pace(serialize(thrown instanceof Error ? members : thrown).chunks)) {
    json += chunk;
    if (json.length > MAX_MEMBER_CHARS) break;
  }
  const isSearched = json.length <= MAX_MEMBER_CHARS;
  const texts = [String(sentForError(thrown)), json];
  return { name: String(name), message: String(message), stack: String(stack ?? ''), texts, isSearched };
}

/** Replaces an error that contained secrets. It has no `cause`, because telemetry would send the cause too. */
class RedactedToolError extends AiTruncateError {
  constructor({ name, message, stack }: ErrorFacts) {
    super(message, { code: 'TOOL_ERROR_REDACTED' });
    this.name = name;
    this.stack = stack;
  }
}

/** The counts for an event, unless nothing was replaced. */
export function redactedOf(counts: RedactedCounts | undefined): { redacted?: RedactedCounts } {
  return counts && Object.keys(counts).length > 0 ? { redacted: { ...counts } } : {};
}
