import { compactJson } from '../json/serialize.ts';
import { pace } from '../pace.ts';
import { isRecord } from '../protocol/guards.ts';
import { base64Of, base64Pieces } from '../text/base64.ts';
import { isTextType } from './content-parts.ts';

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

/** `URL.parse`, which Node has from 22.1. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
