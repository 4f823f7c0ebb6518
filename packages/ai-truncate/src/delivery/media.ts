import { isRecord } from '../protocol/is-record.ts';
import { base64Pieces } from '../truncation/data-url.ts';

/** A file part as plain JSON: an envelope is stored and sent as JSON, and bytes or a `URL` would not come back from it. */
export function toMedia(part: unknown): unknown {
  if (!isRecord(part) || !isRecord(part.data)) return part;
  const { data } = part;
  if (data.data instanceof Uint8Array) return { ...part, data: { ...data, data: toBase64(data.data) } };
  if (data.data instanceof ArrayBuffer)
    return { ...part, data: { ...data, data: toBase64(new Uint8Array(data.data)) } };
  if (data.url instanceof URL) return { ...part, data: { ...data, url: data.url.href } };
  return part;
}

/**
 * The parts again as the SDK takes them. What is none is left out: a client may have posted it, and one part that the SDK cannot
 * take fails the whole request. So is text, which would stand outside of the preview, in any size.
 */
export function fromMedia(media: unknown): unknown[] {
  if (!Array.isArray(media)) return [];
  return (media as unknown[]).flatMap((part) => {
    if (!isRecord(part)) return [];
    const content = contentOf(part);
    if (!content) return [];
    const { type, filename, providerOptions } = part;
    const named = typeof filename === 'string' && { filename };
    return [{ type, ...content, ...named, ...(hasOnly(isRecord, providerOptions) && { providerOptions }) }];
  });
}

/** What each kind of part, but text, must have; `undefined` when it does not. Most are deprecated, and taken all the same. */
function contentOf(part: Record<string, unknown>): Record<string, unknown> | undefined {
  const { type, mediaType, url, fileId, providerReference } = part;
  switch (type) {
    case 'file':
      return typeof mediaType === 'string' ? withMembers({ mediaType, data: fileDataOf(part.data) }) : undefined;
    case 'file-data':
    case 'image-data':
      return typeof mediaType === 'string' ? withMembers({ mediaType, data: base64Of(part.data) }) : undefined;
    case 'file-url':
      return urlOf(url) && { url, ...(typeof mediaType === 'string' && { mediaType }) };
    case 'image-url':
      return urlOf(url) && { url };
    case 'file-id':
    case 'image-file-id':
      return typeof fileId === 'string' || hasOnly(isString, fileId) ? { fileId } : undefined;
    case 'file-reference':
    case 'image-file-reference':
      return hasOnly(isString, providerReference) ? { providerReference } : undefined;
    case 'custom':
      return {};
    default:
      return undefined;
  }
}

function fileDataOf(data: unknown): Record<string, unknown> | undefined {
  if (!isRecord(data)) return undefined;
  const { type, reference } = data;
  if (type === 'data') return withMembers({ type, data: base64Of(data.data) });
  if (type === 'url') return withMembers({ type, url: urlOf(data.url) });
  return type === 'reference' && hasOnly(isString, reference) ? { type, reference } : undefined;
}
/** The SDK fetches the first two, and cuts a data URL apart; it refuses others. */
function urlOf(value: unknown): URL | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  const [, data] = (url && DATA_URL.exec(url.href)) ?? [];
  return url && base64Of(data) !== undefined ? url : undefined;
}

const DATA_URL = /^data:[\w.+-]+\/[\w.+-]+(?:;[^,]*)?;base64,([^,]*)$/;

/** Without the line breaks that some servers put into it. */
function base64Of(data: unknown): string | undefined {
  if (typeof data !== 'string') return undefined;
  const text = data.replace(/\s+/g, '');
  const digits = text.replace(/={1,2}$/, '');
  if (/[^\w+/-]/.test(digits)) return undefined;
  const isWhole = digits === text ? text.length % 4 !== 1 : text.length % 4 === 0;
  return isWhole ? text : undefined;
}

function hasOnly(isWanted: (value: unknown) => boolean, value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isWanted);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

/** The members, when each has a value. */
function withMembers(members: Record<string, unknown>): Record<string, unknown> | undefined {
  return Object.values(members).includes(undefined) ? undefined : members;
}

function toBase64(bytes: Uint8Array): string {
  return [...base64Pieces(bytes)].join('');
}
