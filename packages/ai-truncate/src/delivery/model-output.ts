import { compactJson, serialize } from '../json/serialize.ts';
import { pace } from '../pace.ts';
import type { ResolvedLimits } from '../preview/limits.ts';
import { inspectSafely, isRecord } from '../protocol/guards.ts';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import { base64Of, base64Pieces } from '../text/base64.ts';
import { boundedModelText } from '../text/frame.ts';
import { isTextType, splitParts } from './content-parts.ts';

import type { Delivery, ToolResultOutput } from './delivery.ts';
import type { TruncationEvent } from './events.ts';
import { measureOutput } from './measure-output.ts';

/** The part of an output that is measured, saved and previewed: the form that the model would receive. */
export interface ModelView {
  /** A string is text. Everything else is a value that would be sent as JSON. */
  output: unknown;
  /** File parts. They are not counted and follow the preview. */
  media: readonly unknown[];
  /** The tool's own view reports a failure. */
  isError: boolean;
}

/**
 * An output in the form that the model would receive. For a tool with its own `toModelOutput`, this is its result. If it
 * throws, it is not called again, and the output itself is used, because the SDK reports the error when it calls the function.
 */
export async function modelViewOf(output: unknown, { toModelOutput }: Delivery): Promise<ModelView> {
  if (!toModelOutput) return plainViewOf(output);
  try {
    return await viewOf(await toModelOutput(output));
  } catch {
    return plainViewOf(output);
  }
}

/** The output itself, as the SDK sends it for a tool without a `toModelOutput`. */
export function plainViewOf(output: unknown): ModelView {
  return { output, media: [], isError: false };
}

async function viewOf(sent: ToolResultOutput): Promise<ModelView> {
  switch (sent?.type) {
    case 'text':
    case 'json':
      return plainViewOf(sent.value);
    case 'error-text':
    case 'error-json':
      return { ...plainViewOf(sent.value), isError: true };
    case 'content': {
      const { texts, others } = await splitParts(sent.value);
      return { ...plainViewOf(texts.join('\n')), media: others };
    }
    default:
      return plainViewOf(sent);
  }
}

/** The form in which the SDK sends an output by default. */
export function plainModelOutput(output: unknown): ToolResultOutput {
  if (typeof output === 'string') return { type: 'text', value: output };
  try {
    return { type: 'json', value: JSON.parse(JSON.stringify(output) ?? 'null') };
  } catch {
    return { type: 'text', value: [...serialize(output).chunks].join('') };
  }
}

/**
 * The text that the model sees instead of an output over the limits. Accepts any object of this form, because the chat history
 * comes from the client, who may have changed it. So the budget is enforced again, and no text leaves the frame.
 */
export function truncatedModelOutput(
  output: TruncatedOutput,
  { previewBytes, previewChars }: Pick<ResolvedLimits, 'previewBytes' | 'previewChars'>,
): ToolResultOutput {
  const budget = { maxBytes: previewBytes, maxChars: previewChars };
  const text = boundedModelText({ text: output.text, preview: output.data.preview }, budget);
  const media = fromMedia(output.data.media);
  if (media.length === 0) return { type: 'text', value: text };
  return { type: 'content', value: [{ type: 'text', text }, ...media] as never };
}

/**
 * An MCP server answers with `content` for the model, often with the same data as `structuredContent`, and with other members.
 * The model does not receive these, but large ones would be in the UI, the chat log and every later request. So one preview
 * replaces them, unless the tool's `toModelOutput` reads them.
 */
export async function largeExtrasOf(
  output: unknown,
  { view, delivery }: { view: ModelView; delivery: Delivery },
): Promise<{ extras: unknown; rest: object; reason: TruncationEvent['reason'] } | undefined> {
  const answer =
    delivery.isMcp &&
    inspectSafely(output, ({ content, isError, ...extras }) => {
      return { extras, rest: { content, ...(isError !== undefined && { isError }) } };
    });
  if (!answer || !Array.isArray(answer.rest.content)) return undefined;
  const { extras, rest } = answer;
  const [name = '', ...more] = Object.keys(extras);
  const { reason } = await measureOutput(extras, delivery.limits);
  if (!reason || !isSameView(view, await modelViewOf(rest, delivery))) return undefined;
  return { extras: more.length === 0 ? extras[name] : extras, rest, reason };
}

/** Compares the data itself, because writing a picture as JSON again would take time. */
function isSameView(one: ModelView, other: ModelView): boolean {
  if (one.output !== other.output || one.media.length !== other.media.length) return false;
  return one.media.every((part, index) => dataOf(part) === dataOf(other.media[index]));
}

function dataOf(part: unknown): unknown {
  if (!isRecord(part)) return part;
  return isRecord(part.data) ? (part.data.data ?? part.data.url ?? part.data.reference) : part.data;
}

/** File parts as plain JSON, because an envelope is stored and sent as JSON, which cannot carry bytes or a `URL`. */
export async function toMedia(parts: readonly unknown[]): Promise<unknown[]> {
  const media: unknown[] = [];
  for (const part of parts.slice(0, MAX_PARTS)) media.push(await toPlainPart(part));
  return media;
}

async function toPlainPart(part: unknown): Promise<unknown> {
  if (!isRecord(part) || !isRecord(part.data)) return part;
  const { data } = part;
  if (data.url instanceof URL) return { ...part, data: { ...data, url: data.url.href } };
  const bytes = data.data instanceof ArrayBuffer ? bytesIn(data.data) : data.data;
  if (!(bytes instanceof Uint8Array)) return part;
  let base64 = '';
  for await (const piece of pace(base64Pieces(bytes))) base64 += piece;
  return { ...part, data: { ...data, data: base64 } };
}

/** Empty if the buffer was transferred, because the file no longer exists. */
function bytesIn(buffer: ArrayBuffer): Uint8Array {
  return buffer.byteLength === 0 ? new Uint8Array() : new Uint8Array(buffer);
}

const MAX_PARTS = 100;
/** The limit of names and ids, which are text too. */
const MAX_NAME_CHARS = 256;
const MAX_REFERENCES = 16;
const MAX_OPTIONS_CHARS = 2048;

/**
 * The parts in the form of the SDK. Invalid parts are left out, because a client may have posted them, and one invalid part
 * makes the whole request fail. Text is left out too, because it would be outside of the preview, in any size.
 */
export function fromMedia(media: unknown): unknown[] {
  if (!Array.isArray(media)) return [];
  return (media as unknown[]).slice(0, MAX_PARTS).flatMap((part) => {
    if (!isRecord(part)) return [];
    const content = contentOf(part);
    if (!content) return [];
    const { type, filename, providerOptions } = part;
    const named = isName(filename) && { filename };
    return [{ type, ...content, ...named, ...(areOptions(providerOptions) && { providerOptions }) }];
  });
}

/**
 * The required members of each kind of part, except text; `undefined` if they are missing. Most kinds are deprecated, but still
 * accepted.
 */
function contentOf(part: Record<string, unknown>): Record<string, unknown> | undefined {
  const { type, mediaType, url, fileId, providerReference } = part;
  switch (type) {
    case 'file':
      return isName(mediaType) ? withMembers({ mediaType, data: fileDataOf(part.data, mediaType) }) : undefined;
    case 'file-data':
    case 'image-data':
      return isFileType(mediaType) ? withMembers({ mediaType, data: base64Of(part.data) }) : undefined;
    case 'file-url':
    case 'image-url':
      return urlOf(url) && { url, ...(isName(mediaType) && { mediaType }) };
    case 'file-id':
    case 'image-file-id':
      return isName(fileId) || areReferences(fileId) ? { fileId } : undefined;
    case 'file-reference':
    case 'image-file-reference':
      return areReferences(providerReference) ? { providerReference } : undefined;
    case 'custom':
      return {};
    default:
      return undefined;
  }
}

/** Text in data would be outside of the preview. Other addresses are fetched by the provider. */
function fileDataOf(data: unknown, mediaType: string): Record<string, unknown> | undefined {
  if (!isRecord(data)) return undefined;
  const { type, reference } = data;
  if (type === 'data') return isFileType(mediaType) ? withMembers({ type, data: base64Of(data.data) }) : undefined;
  if (type === 'url') return withMembers({ type, url: urlOf(data.url) });
  return type === 'reference' && areReferences(reference) ? { type, reference } : undefined;
}

/**
 * An address that the SDK fetches, or a provider that reads its own storage. A data URL is parsed. Never a file of this
 * machine.
 */
function urlOf(value: unknown): URL | undefined {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (url && FETCHED.has(url.protocol)) return url.href.length <= MAX_URL_CHARS ? url : undefined;
  const [, mediaType, data] = (url && DATA_URL.exec(url.href)) ?? [];
  return url && isFileType(mediaType) && base64Of(data) !== undefined ? url : undefined;
}

const FETCHED: ReadonlySet<string> = new Set(['http:', 'https:', 'gs:', 's3:']);
const MAX_URL_CHARS = 2048;
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)(?:;[^,]{0,256})?;base64,([^,]*)$/;

function isFileType(mediaType: unknown): mediaType is string {
  return isName(mediaType) && !isTextType(mediaType);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_NAME_CHARS;
}

function areReferences(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const entries = Object.entries(value);
  return entries.length <= MAX_REFERENCES && entries.every((entry) => entry.every(isName));
}

function areOptions(value: unknown): boolean {
  if (!isRecord(value) || !Object.values(value).every(isRecord)) return false;
  const json = compactJson(value, MAX_OPTIONS_CHARS);
  return json !== undefined && json.length <= MAX_OPTIONS_CHARS;
}

/** The members, if each has a value. */
function withMembers(members: Record<string, unknown>): Record<string, unknown> | undefined {
  return Object.values(members).includes(undefined) ? undefined : members;
}
