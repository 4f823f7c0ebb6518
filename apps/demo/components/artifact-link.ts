import { artifactNameOf } from 'ai-truncate/ui';
import { formatLineAddress, type LineAddress, parseLineAddress } from './line-address';

interface ArtifactPlace {
  chat: string;
  lines?: LineAddress | undefined;
}

/** The page that shows an artifact of a chat, at its lines. */
export function artifactHref(path: string, { chat, lines }: ArtifactPlace): string {
  const query = new URLSearchParams({ chat });
  return `/a/${encodeURIComponent(nameOf(path))}?${query}${lines ? formatLineAddress(lines) : ''}`;
}

/** Where all bytes of an artifact come from, as a file to save. */
export function downloadHref(path: string, { chat }: { chat: string }): string {
  return `/api/artifacts/${encodeURIComponent(nameOf(path))}/raw?${new URLSearchParams({ chat })}`;
}

/** What a person calls an artifact: its tool and its ending, `read-server-logs.txt`. Names are too long to be read. */
export function artifactLabel(path: string): string {
  const name = nameOf(path);
  const parts = /^tool_\d{8}_\d{6}_(?<tool>[^_]+)_.*\.(?<ending>\w+)$/.exec(name)?.groups;
  return parts ? `${parts.tool}.${parts.ending}` : name;
}

/**
 * A link as a model wrote it, ready for the page: artifacts get the chat they belong to, other pages of this site and the web
 * stay, everything else (`javascript:`, `data:`, a path of the server's disk) is no link.
 */
export function answerHref(href: string | undefined, { chat }: { chat: string }): string | undefined {
  if (href === undefined) return undefined;
  const artifact = /^\/a\/([^/?#]+)(?:\?[^#]*)?(#L[^#]*)?$/.exec(href);
  if (artifact?.[1]) return artifactHref(decoded(artifact[1]), { chat, lines: parseLineAddress(artifact[2] ?? '') });
  return /^(https?:\/\/|mailto:|#)/i.test(href) ? href : undefined;
}

function nameOf(path: string): string {
  return artifactNameOf(path) ?? path.slice(path.lastIndexOf('/') + 1);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Half an escape, as it stands in the middle of a stream: the link is made again with the next words.
    return text;
  }
}
