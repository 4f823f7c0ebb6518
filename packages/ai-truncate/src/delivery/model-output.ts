import { compactJson, serialize } from '../json/serialize.ts';
import { pace } from '../pace.ts';
import { inspectSafely, isRecord } from '../protocol/guards.ts';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import { base64Of, base64Pieces } from '../text/base64.ts';
import { boundedModelText } from '../text/frame.ts';
import { isTextType, splitParts } from './content-parts.ts';

import type { Delivery, ToolResultOutput } from './delivery.ts';
import type { TruncationEvent } from './events.ts';
import { measureOutput } from './measure-output.ts';

/** What of an output is measured, kept and previewed: what the model would be sent. */
export interface ModelView {
  /** A string is text; everything else is a value that would be sent as JSON. */
  output: unknown;
  /** File parts. They are not counted and go to the model behind the preview. */
  media: readonly unknown[];
  /** The tool's own view says that it failed. */
  isError: boolean;
}

/**
 * An output as the model would be sent it. Of a tool with a `toModelOutput` of its own that is what this gives; one that
 * throws is asked no more, and the output stands for itself: an error there is the SDK's to tell, when it asks.
 */
export async function modelViewOf(output: unknown, { toModelOutput }: Delivery): Promise<ModelView> {
  if (!toModelOutput) return plainViewOf(output);
  try {
    return await viewOf(await toModelOutput(output));
  } catch {
    return plainViewOf(output);
  }
}

/** The output itself, as the SDK sends it of a tool without a `toModelOutput`. */
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

/** What the SDK sends for an output when the tool says nothing else. */
export function plainModelOutput(output: unknown): ToolResultOutput {
  if (typeof output === 'string') return { type: 'text', value: output };
  try {
    return { type: 'json', value: JSON.parse(JSON.stringify(output) ?? 'null') };
  } catch {
    return { type: 'text', value: [...serialize(output).chunks].join('') };
  }
}

/**
 * What a model reads in place of an output that was too large. Takes any object of that shape: the chat history comes back
 * from the client, who may have put anything into it, so the budget holds again and nothing leaves the frame.
 */
export function truncatedModelOutput(output: TruncatedOutput, previewBytes: number): ToolResultOutput {
  const text = boundedModelText({ text: output.text, preview: output.data.preview }, previewBytes);
  const media = fromMedia(output.data.media);
  if (media.length === 0) return { type: 'text', value: text };
  return { type: 'content', value: [{ type: 'text', text }, ...media] as never };
}

/**
 * An MCP server answers with `content` for the model, often with the same once more as `structuredContent`, and with what else it
 * likes. The model is not sent that, but too large it would weigh on the UI, the chat log and every request to come. Then one
 * preview takes its place; unless the tool's `toModelOutput` does look at it.
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

/** By the data itself: a picture as JSON once more would take its time. */
function isSameView(one: ModelView, other: ModelView): boolean {
  if (one.output !== other.output || one.media.length !== other.media.length) return false;
  return one.media.every((part, index) => dataOf(part) === dataOf(other.media[index]));
}

function dataOf(part: unknown): unknown {
  if (!isRecord(part)) return part;
  return isRecord(part.data) ? (part.data.data ?? part.data.url ?? part.data.reference) : part.data;
}

/** File parts as plain JSON: an envelope is stored and sent as JSON, and bytes or a `URL` would not come back from it. */
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

/** None where the buffer was transferred: then there is no file any more. */
function bytesIn(buffer: ArrayBuffer): Uint8Array {
  return buffer.byteLength === 0 ? new Uint8Array() : new Uint8Array(buffer);
}

const MAX_PARTS = 100;
/** The limit of names and ids, which are text too. */
const MAX_NAME_CHARS = 256;
const MAX_REFERENCES = 16;
const MAX_OPTIONS_CHARS = 2048;

/**
 * The parts again as the SDK takes them. What is none is left out: a client may have posted it, and one part that the SDK cannot
 * take fails the whole request. So is text, which would stand outside of the preview, in any size.
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

/** What each kind of part, but text, must have; `undefined` when it does not. Most are deprecated, and taken all the same. */
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

/** Text that came as data would stand outside of the preview; what is elsewhere is the provider's to fetch. */
function fileDataOf(data: unknown, mediaType: string): Record<string, unknown> | undefined {
  if (!isRecord(data)) return undefined;
  const { type, reference } = data;
  if (type === 'data') return isFileType(mediaType) ? withMembers({ type, data: base64Of(data.data) }) : undefined;
  if (type === 'url') return withMembers({ type, url: urlOf(data.url) });
  return type === 'reference' && areReferences(reference) ? { type, reference } : undefined;
}

/** What the SDK fetches, or a provider that reads its own storage; a data URL is cut apart. Nothing of this machine. */
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

/** The members, when each has a value. */
function withMembers(members: Record<string, unknown>): Record<string, unknown> | undefined {
  return Object.values(members).includes(undefined) ? undefined : members;
}
