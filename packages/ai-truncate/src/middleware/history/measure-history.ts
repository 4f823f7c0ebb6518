import type { ModelMessage, ToolResultPart } from 'ai';
import { shapeOfJson } from '../../delivery/openai-shapes.ts';
import { outcomeOf } from '../../delivery/tool-error.ts';
import { serialize } from '../../json/serialize.ts';
import { requireOption } from '../../options.ts';
import { pace, workInTurns } from '../../pace.ts';
import { resolveLimits } from '../../preview/limits.ts';
import { isFinalNotice, SAVED_TO } from '../../preview/notice-and-hint-words.ts';
import { isRecord } from '../../protocol/guards.ts';
import { isTruncatedOutput } from '../../protocol/truncated-output.ts';
import { framedPreviewOf } from '../../text/frame.ts';
import { equalPieces, textPieces } from '../../text/utf.ts';
import { isHistoryReference } from './history-words.ts';
import { type MeasuredMessage, type MeasuredResult, REFERENCE_TOKENS } from './plan-history.ts';

/** The parts of a message, and their sizes. */
export interface MeasureOptions {
  countTokens: (text: string) => number;
  /** Smaller results stay. */
  minTokens: number;
  /** The names of the tools whose results stay. */
  neverEvict: readonly string[];
  abortSignal: AbortSignal | undefined;
}

/** The sizes of all messages. Long texts and many messages are counted in short turns. */
export async function measureHistory(
  messages: readonly ModelMessage[],
  options: MeasureOptions,
): Promise<MeasuredMessage[]> {
  const inTurns = workInTurns();
  const measured: MeasuredMessage[] = [];
  for (const message of messages) {
    options.abortSignal?.throwIfAborted();
    measured.push(await inTurns(() => measureMessage(message, options)));
  }
  return measured;
}

/** The tokens for the role and for the marks around a message. */
const MESSAGE_TOKENS = 4;
/** Providers count at least this many tokens for a picture or a page of a document. */
const FILE_TOKENS = 1000;

async function measureMessage(message: ModelMessage, options: MeasureOptions): Promise<MeasuredMessage> {
  const { role, content } = message;
  const isAssistant = role === 'assistant';
  if (typeof content === 'string') {
    return { isAssistant, tokens: MESSAGE_TOKENS + (await tokensOf(content, options)), results: [] };
  }
  const results: MeasuredResult[] = [];
  let tokens = MESSAGE_TOKENS;
  // A direct caller may pass an invalid message. The SDK has a better error for it.
  for (const [index, part] of (Array.isArray(content) ? (content as unknown[]) : []).entries()) {
    const sized = await tokensOfPart(part, options);
    tokens += sized;
    // A result in a message of the assistant belongs to the provider.
    if (role !== 'tool' || sized < options.minTokens || !isToolResult(part)) continue;
    if (options.neverEvict.includes(part.toolName) || !(await movableOutput(part))) continue;
    results.push({ part: index, tokens: sized });
  }
  return { isAssistant, tokens, results };
}

function isToolResult(part: unknown): part is ToolResultPart {
  return isRecord(part) && part.type === 'tool-result' && isRecord(part.output) && typeof part.toolName === 'string';
}

async function tokensOfPart(part: unknown, options: MeasureOptions): Promise<number> {
  if (!isRecord(part)) return 0;
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return tokensOf(part.text, options);
    case 'tool-call':
      return (await tokensOf(part.toolName, options)) + (await tokensOfJson(part.input, options));
    case 'tool-result':
      return isRecord(part.output) ? tokensOfOutput(part.output, options) : 0;
    case 'tool-approval-response':
      return tokensOf(part.reason, options);
    case 'file':
    case 'image':
    case 'reasoning-file':
      return FILE_TOKENS;
    default:
      return 0;
  }
}

async function tokensOfOutput(output: Record<string, unknown>, options: MeasureOptions): Promise<number> {
  const { type, value, reason } = output;
  switch (type) {
    case 'text':
      return isReference(value) ? REFERENCE_TOKENS : tokensOf(value, options);
    case 'error-text':
      return tokensOf(value, options);
    case 'json':
    case 'error-json':
      return tokensOfJson(value, options);
    case 'execution-denied':
      return tokensOf(reason, options);
    case 'content': {
      let tokens = 0;
      for (const part of Array.isArray(value) ? (value as unknown[]) : []) {
        tokens += isRecord(part) && part.type === 'text' ? await tokensOf(part.text, options) : FILE_TOKENS;
      }
      return tokens;
    }
    default:
      return 0;
  }
}

/** Longer texts are counted in pieces, so that the application's counter never blocks the event loop for long. */
const COUNTED_CHARS = 64 * 1024;

async function tokensOf(text: unknown, { countTokens, abortSignal }: MeasureOptions): Promise<number> {
  if (typeof text !== 'string') return 0;
  if (text.length <= COUNTED_CHARS) return counted(text, countTokens);
  let tokens = 0;
  for await (const piece of pace(textPieces(text, COUNTED_CHARS), { abortSignal }))
    tokens += counted(piece, countTokens);
  return tokens;
}

/** The tokens of the JSON that the SDK sends. Pieces have equal sizes, so that the count does not depend on how the JSON was written. */
async function tokensOfJson(value: unknown, { countTokens, abortSignal }: MeasureOptions): Promise<number> {
  if (value === undefined) return 0;
  let tokens = 0;
  const pieces = equalPieces(serialize(value).chunks, COUNTED_CHARS);
  for await (const piece of pace(pieces, { abortSignal })) tokens += counted(piece, countTokens);
  return tokens;
}

function counted(text: string, countTokens: MeasureOptions['countTokens']): number {
  const tokens: unknown = countTokens(text);
  const isCount = typeof tokens === 'number' && tokens >= 0 && Number.isFinite(tokens);
  requireOption(isCount, { option: 'countTokens', value: tokens, expected: 'a function that returns a number' });
  return tokens;
}

function isReference(value: unknown): boolean {
  return typeof value === 'string' && isHistoryReference(value);
}

/** The output of a result that may be moved out of the conversation. */
export interface MovableOutput {
  /** A string is text. Everything else was sent as JSON. */
  output: unknown;
  /** The name of the full output, according to the result. */
  statedPath: string | null;
  /** The beginning of the output. */
  beginning: string;
}

const LIMITS = /* @__PURE__ */ resolveLimits({});
const BEGINNING_CHARS = 1024;

/**
 * The output of a result. `undefined` if the result stays, because it has files, reports an error, was not saved by choice, is a
 * reference, or has a form that OpenAI checks.
 */
export async function movableOutput({ output, toolName }: ToolResultPart): Promise<MovableOutput | undefined> {
  switch (output.type) {
    case 'text':
      return movableText(output.value);
    case 'json':
      return movableValue(output.value, toolName);
    case 'content': {
      const parts: readonly unknown[] = Array.isArray(output.value) ? output.value : [];
      const texts = parts.flatMap((part) => (isRecord(part) && part.type === 'text' ? [part.text] : []));
      const isText = texts.length === parts.length && texts.every((text) => typeof text === 'string');
      return isText ? movableText(texts.join('\n')) : undefined;
    }
    default:
      return undefined;
  }
}

function movableText(text: unknown): MovableOutput | undefined {
  if (typeof text !== 'string' || isHistoryReference(text)) return undefined;
  const preview = framedPreviewOf(text);
  if (preview === undefined) return { output: text, statedPath: null, beginning: text.slice(0, BEGINNING_CHARS) };
  const notice = text.slice(0, text.indexOf('\n'));
  if (isFinalNotice(notice)) return undefined;
  const at = notice.lastIndexOf(SAVED_TO);
  const statedPath = at === -1 ? null : notice.slice(at + SAVED_TO.length);
  return { output: text, statedPath, beginning: preview.slice(0, BEGINNING_CHARS) };
}

async function movableValue(value: unknown, toolName: string): Promise<MovableOutput | undefined> {
  if (outcomeOf(value).error !== undefined) return undefined;
  if (isTruncatedOutput(value)) {
    if (isFinalNotice(value.text) || value.data.media !== undefined) return undefined;
    const { truncation, preview } = value.data;
    return { output: value, statedPath: truncation.full_output_path, beginning: preview.slice(0, BEGINNING_CHARS) };
  }
  if ((await shapeOfJson(value, { toolName, openAiTools: [], limits: LIMITS })) !== 'text') return undefined;
  let beginning = '';
  for (const chunk of serialize(value).chunks) {
    beginning += chunk;
    if (beginning.length >= BEGINNING_CHARS) break;
  }
  return { output: value, statedPath: null, beginning: beginning.slice(0, BEGINNING_CHARS) };
}
