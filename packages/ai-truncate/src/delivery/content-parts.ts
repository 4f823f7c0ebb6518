import { extensionFor } from '../artifacts/artifact-name.ts';
import { serialize } from '../json/serialize.ts';
import { pace } from '../pace.ts';
import { isRecord } from '../protocol/guards.ts';
import { base64Of, bytesOfBase64 } from '../text/base64.ts';

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
  return base64 === undefined ? undefined : new TextDecoder().decode(bytesOfBase64(base64));
}

/** Of media types, which are text too: more is no name. */
const MAX_TYPE_CHARS = 256;

export function isTextType(mediaType: unknown): boolean {
  if (typeof mediaType !== 'string') return false;
  // However much follows it: what is too long for a name is text all the same.
  const type = mediaType.slice(0, MAX_TYPE_CHARS);
  // A drawing is written as text, and is a picture.
  return !type.startsWith('image/') && extensionFor(type) !== 'bin';
}
