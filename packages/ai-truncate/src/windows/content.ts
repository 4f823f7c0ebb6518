/** What stored bytes are, as far as reading them line by line goes. */
export type ContentKind = 'text' | 'html' | 'gzip' | 'utf-16' | 'binary';

const LOOKED_AT = 1024;
/** With less there is nothing to judge by. */
const ENOUGH = 100;

/** What the beginning of a text tells of the bytes that it was decoded from. */
export function contentKind(beginning: string): ContentKind {
  const text = beginning.slice(0, LOOKED_AT);
  // 1f 8b: the second is no UTF-8.
  if (text.startsWith('\x1f\ufffd')) return 'gzip';
  if (text.startsWith('\ufffd\ufffd') && text.includes('\0')) return 'utf-16';
  if (text.includes('\0')) return 'binary';
  return /^\ufeff?\s*<(?:!doctype html|html|head|body)\b/i.test(text) ? 'html' : 'text';
}

/** Whether it can be read as text. */
export function isReadable(kind: ContentKind): boolean {
  return kind === 'text' || kind === 'html';
}

/** Whether a part from the middle of an artifact, which is no UTF-8, is no text at all: a NUL alone, as logs have them, says nothing. */
export function isUnreadable(part: string): boolean {
  const text = part.slice(0, LOOKED_AT);
  const strange = text.match(/[\0\ufffd]/g)?.length ?? 0;
  return text.length >= ENOUGH && strange > text.length / 3;
}
