import { extensionFor } from '../artifacts/artifact-name.ts';
import { serialize } from '../json/serialize.ts';
import { pace } from '../pace.ts';
import { isRecord } from '../protocol/guards.ts';
import { base64Of, bytesOfBase64 } from '../text/base64.ts';

/** The parts of a `content` output, as its limits count them. */
export interface SplitParts {
  /** The texts that are counted, saved and previewed together. */
  texts: string[];
  /** Files, and marks of a provider. */
  others: unknown[];
  /** The options of the text parts. The last part that has options decides. */
  providerOptions: unknown;
}

/** The limit for all parts of a provider in one result. A reference or a mark is far smaller. */
const MAX_OWN_CHARS = 2048;

/** A file that contains text counts as text, and so does a part of one provider that is larger than a mark. */
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

export function textOfPart(part: unknown): string | undefined {
  if (!isRecord(part)) return undefined;
  return part.type === 'text' && typeof part.text === 'string' ? part.text : textOfFile(part);
}

/** The JSON of a part that only one provider knows, because most other providers write it as JSON into the text for the model. */
async function jsonOfOwnPart(
  part: unknown,
  { abortSignal }: { abortSignal?: AbortSignal | undefined },
): Promise<string> {
  let json = '';
  if (!isRecord(part) || part.type !== 'custom') return json;
  for await (const chunk of pace(serialize(part.providerOptions).chunks, { abortSignal })) json += chunk;
  return json;
}

/** The text of a file part that is text according to its data or its type. It counts like other text. */
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

/** The text in a `data:` address, if the address or the part says that it is text. An address without a type is text. */
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
/** Characters that are ignored in an address. */
const DROPPED = /^[\0-\x20]+|[\t\n\r]/g;

function textOfData(data: unknown): string | undefined {
  if (data instanceof Uint8Array || data instanceof ArrayBuffer) return new TextDecoder().decode(data);
  const base64 = base64Of(data);
  return base64 === undefined ? undefined : new TextDecoder().decode(bytesOfBase64(base64));
}

/** The limit for media types, which are text too. */
const MAX_TYPE_CHARS = 256;

export function isTextType(mediaType: unknown): boolean {
  if (typeof mediaType !== 'string') return false;
  // Whatever follows, a type that is too long counts as text.
  const type = mediaType.slice(0, MAX_TYPE_CHARS);
  // A drawing is written as text, but it is a picture.
  return !type.startsWith('image/') && extensionFor(type) !== 'bin';
}
