import { artifactName } from 'ai-truncate';

/** Lines of an artifact, counted from 1; both ends belong to it. */
export interface LineRange {
  from: number;
  to: number;
}

/** The page that shows an artifact of a chat. The lines stand in the query: a hash never reaches the server. */
export function artifactHref(path: string, { chat, lines }: { chat: string; lines?: LineRange | undefined }): string {
  const query = new URLSearchParams({ chat });
  if (lines) query.set('lines', formatRange(lines));
  return `/a/${encodeURIComponent(nameOf(path))}?${query}${lines ? `#L${lines.from}` : ''}`;
}

/** Where all bytes of an artifact come from, as a file to save. */
export function downloadHref(path: string, { chat }: { chat: string }): string {
  return `/api/artifacts/${encodeURIComponent(nameOf(path))}?${new URLSearchParams({ chat })}`;
}

/** What a person calls an artifact: its tool and its ending, `read-server-logs.txt`. Names are too long to be read. */
export function artifactLabel(path: string): string {
  const name = nameOf(path);
  const parts = /^tool_\d{8}_\d{6}_(?<tool>[^_]+)_.*\.(?<ending>\w+)$/.exec(name)?.groups;
  return parts ? `${parts.tool}.${parts.ending}` : name;
}

/** `120–140`, or `120` for one line. */
export function rangeLabel({ from, to }: LineRange): string {
  return from === to ? String(from) : `${from}–${to}`;
}

/** Reads `120-140` and `120`; what is no range of lines is undefined. */
export function parseRange(text: string | undefined): LineRange | undefined {
  const match = /^(\d{1,12})(?:-(\d{1,12}))?$/.exec(text ?? '');
  if (!match) return undefined;
  const from = Number(match[1]);
  const to = Number(match[2] ?? match[1]);
  return from >= 1 && to >= from ? { from, to } : undefined;
}

/**
 * A link as a model wrote it, ready for the page: artifacts get the chat they belong to, other pages of this site and the web
 * stay, everything else (`javascript:`, `data:`, a path of the server's disk) is no link.
 */
export function answerHref(href: string | undefined, { chat }: { chat: string }): string | undefined {
  if (href === undefined) return undefined;
  const artifact = /^\/a\/([^/?#]+)(?:\?[^#]*)?(?:#L(\d+)(?:-L?(\d+))?)?$/.exec(href);
  if (artifact?.[1]) {
    const lines = artifact[2] ? parseRange(`${artifact[2]}-${artifact[3] ?? artifact[2]}`) : undefined;
    return artifactHref(decoded(artifact[1]), { chat, lines });
  }
  return /^(https?:\/\/|mailto:|#)/i.test(href) ? href : undefined;
}

function formatRange({ from, to }: LineRange): string {
  return from === to ? String(from) : `${from}-${to}`;
}

function nameOf(path: string): string {
  return artifactName(path) ?? path.slice(path.lastIndexOf('/') + 1);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Half an escape, as it stands in the middle of a stream: the link is made again with the next words.
    return text;
  }
}
