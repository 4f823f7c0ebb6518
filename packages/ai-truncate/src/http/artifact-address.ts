import { artifactName } from '../artifacts/artifact-name.ts';

/** What of an artifact is asked for: what is known of it, its bytes, lines, characters of a line, or where something is. */
export type ArtifactView = 'info' | 'raw' | 'lines' | 'chars' | 'grep';

export interface ArtifactAddress {
  /** Empty when the path holds no name: an artifact that nobody has. */
  name: string;
  view: ArtifactView;
  parameters: URLSearchParams;
}

/**
 * Reads `…/<name>` and `…/<name>/<view>` under whatever path the handler is mounted. Only the end of the path counts, and it
 * has to be a name by the grammar, written out: a parameter, a suffix or an escape makes no other one of it.
 */
export function parseArtifactAddress(url: string): ArtifactAddress {
  const { pathname, searchParams: parameters } = new URL(url);
  // Some servers end every path with a slash.
  const path = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  const view = /\/(raw|lines|chars|grep)$/.exec(path)?.[1] as ArtifactView | undefined;
  const name = artifactName(view ? path.slice(0, -view.length - 1) : path) ?? '';
  return { name, view: view ?? 'info', parameters };
}
