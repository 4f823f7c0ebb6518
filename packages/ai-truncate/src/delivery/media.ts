import { extensionFor } from '../artifacts/artifact-name.ts';
import { compactJson } from '../json/compact-json.ts';
import { serialize } from '../json/serialize.ts';
import { pace } from '../pace.ts';
import { isRecord } from '../protocol/guards.ts';
import { base64Pieces } from '../text/base64.ts';

/** What the parts of a `content` output are for its limits. */
export interface SplitParts {
  /** The texts that are counted, saved and previewed together. */
  texts: string[];
  /** Files, and the marks of a provider. */
  others: unknown[];
  /** The options of the text parts; the last one that has some decides. */
  providerOptions: unknown;
}

/** What providers have of their own in one result, together: a reference or a mark is far smaller. */
const MAX_OWN_CHARS = 2048;

/** A file whose content is text is text, and so is a part of one provider that is more than a mark. */
export async function splitParts(
  parts: readonly unknown[],
  options: { abortSignal?: AbortSignal | undefined } = {},
): Promise<SplitParts> {
  const split: SplitParts = { texts: [], others: [], providerOptions: undefined };
  let ownChars = 0;
  for await (const part of pace(parts)) {
    const text = textOfPart(part);
    const own = text ?? (await jsonOfOwnPart(part, options));
    if (text === undefined && own.length <= MAX_OWN_CHARS - ownChars) {
      ownChars += own.length;
      split.others.push(part);
      continue;
    }
    split.texts.push(own);
    // The options of the last part with text win, because a mark for the prompt cache is at the end.
    if (text !== undefined && isRecord(part) && isRecord(part.providerOptions)) {
      split.providerOptions = part.providerOptions;
    }
  }
  return split;
}

function textOfPart(part: unknown): string | undefined {
  if (!isRecord(part)) return undefined;
  return part.type === 'text' && typeof part.text === 'string' ? part.text : textOfFile(part);
}

/** Of a part that only one provider knows: most others write it as JSON into the text that the model reads. */
async function jsonOfOwnPart(
  part: unknown,
  { abortSignal }: { abortSignal?: AbortSignal | undefined },
): Promise<string> {
  let json = '';
  if (!isRecord(part) || part.type !== 'custom') return json;
  for await (const chunk of pace(serialize(part.providerOptions).chunks, { abortSignal })) json += chunk;
  return json;
}

/** The text of a file part that is text, told so by its data or by its type: for it counts what counts for text. */
export function textOfFile({ type, data, mediaType, url }: Record<string, unknown>): string | undefined {
  if (type === 'file-data') return isTextType(mediaType) ? textOfData(data) : undefined;
  if (type === 'file-url' || type === 'image-url') return textOfDataUrl(url, mediaType);
  if (type !== 'file') return undefined;
  // A `data:` address can be in the member for data and in the member for a URL.
  if (!isRecord(data)) return textOfDataUrl(data, mediaType);
  if (data.type === 'text' && typeof data.text === 'string') return data.text;
  if (data.type === 'url') return textOfDataUrl(data.url, mediaType);
  if (data.type !== 'data') return undefined;
  return textOfDataUrl(data.data, mediaType) ?? (isTextType(mediaType) ? textOfData(data.data) : undefined);
}

/** The text in a `data:` address, where the address or the part says that it is text; an address without a type is. */
function textOfDataUrl(url: unknown, mediaType: unknown): string | undefined {
  const address = url instanceof URL ? url.href : url;
  if (typeof address !== 'string') return undefined;
  const contentStart = address.indexOf(',') + 1;
  const [head, type = ''] = DATA_URL_HEAD.exec(address.slice(0, contentStart).replace(DROPPED, '')) ?? [];
  if (head === undefined || !(isTextType(type || 'text/plain') || isTextType(mediaType))) return undefined;
  const content = address.slice(contentStart);
  if (/;base64,$/i.test(head)) return textOfData(content);
  try {
    return decodeURIComponent(content);
  } catch {
    return content;
  }
}

const DATA_URL_HEAD = /^data:([^,;]*)[^,]*,/i;
/** Characters that whoever parses an address drops from it. */
const DROPPED = /^[\0-\x20]+|[\t\n\r]/g;

function textOfData(data: unknown): string | undefined {
  if (data instanceof Uint8Array || data instanceof ArrayBuffer) return new TextDecoder().decode(data);
  const base64 = base64Of(data);
  return base64 === undefined ? undefined : new TextDecoder().decode(bytesOf(base64));
}

function bytesOf(base64: string): Uint8Array {
  // A hundred times as quick as a loop over `atob`.
  if (typeof globalThis.Buffer === 'function') return globalThis.Buffer.from(base64, 'base64');
  const text = atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
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
  if (data.data instanceof Uint8Array) return { ...part, data: { ...data, data: await toBase64(data.data) } };
  if (data.data instanceof ArrayBuffer) {
    return { ...part, data: { ...data, data: await toBase64(bytesIn(data.data)) } };
  }
  if (data.url instanceof URL) return { ...part, data: { ...data, url: data.url.href } };
  return part;
}

/** None where the buffer was transferred: then there is no file any more. */
function bytesIn(buffer: ArrayBuffer): Uint8Array {
  return buffer.byteLength === 0 ? new Uint8Array() : new Uint8Array(buffer);
}

async function toBase64(bytes: Uint8Array): Promise<string> {
  let text = '';
  for await (const piece of pace(base64Pieces(bytes))) text += piece;
  return text;
}

const MAX_PARTS = 100;
/** Of names and ids, which are text too. */
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
      return urlOf(url) && { url, ...(isName(mediaType) && { mediaType }) };
    case 'image-url':
      return urlOf(url) && { url };
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
  const url = typeof value === 'string' ? parseUrl(value) : undefined;
  if (url && FETCHED.has(url.protocol)) return url.href.length <= MAX_URL_CHARS ? url : undefined;
  const [, mediaType, data] = (url && DATA_URL.exec(url.href)) ?? [];
  return url && isFileType(mediaType) && base64Of(data) !== undefined ? url : undefined;
}

const FETCHED: ReadonlySet<string> = new Set(['http:', 'https:', 'gs:', 's3:']);
const MAX_URL_CHARS = 2048;
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)(?:;[^,]{0,256})?;base64,([^,]*)$/;

/** Without the line breaks that some servers put into it. */
function base64Of(data: unknown): string | undefined {
  if (typeof data !== 'string') return undefined;
  const text = data.replace(/\s+/g, '');
  const digits = text.replace(/={1,2}$/, '');
  if (/[^\w+/-]/.test(digits)) return undefined;
  const isWhole = digits === text ? text.length % 4 !== 1 : text.length % 4 === 0;
  return isWhole ? text : undefined;
}

function isFileType(mediaType: unknown): mediaType is string {
  return isName(mediaType) && !isTextType(mediaType);
}

function isTextType(mediaType: unknown): boolean {
  if (typeof mediaType !== 'string') return false;
  // However much follows it: what is too long for a name is text all the same.
  const type = mediaType.slice(0, MAX_NAME_CHARS);
  // A drawing is written as text, and is a picture.
  return !type.startsWith('image/') && extensionFor(type) !== 'bin';
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

/** `URL.parse`, which Node has from 22.1. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
