import { parseArtifactName } from '../artifacts/artifact-name.ts';
import type { Artifacts, ListedArtifact } from '../artifacts/artifacts.ts';
import type { Entry } from '../protocol/tool-response.ts';
import { shortened, thousands } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import type { GlobArtifactsResult } from './glob-artifacts.ts';

/** What a model is told of an artifact before it opens it. */
export interface ArtifactEntry extends Entry {
  tool: string;
  bytes: number;
  /** Absent when it could not be looked up. */
  lines?: number;
  /** ISO 8601. */
  created_at: string;
}

const MAX_PAGE_CHARS = 8000;
const MAX_TOOL_CHARS = 64;

/** As many as an answer has room for, where each costs `chars` beside its path; at least one. */
export function fitPage(found: GlobArtifactsResult, chars: number): GlobArtifactsResult {
  let room = MAX_PAGE_CHARS;
  const artifacts = found.artifacts.filter(({ path }, index) => {
    room -= path.length + chars;
    return room >= 0 || index === 0;
  });
  const last = artifacts.at(-1);
  if (last === undefined || artifacts.length === found.artifacts.length) return found;
  return { ...found, artifacts, next: parseArtifactName(last.name)?.id ?? last.name };
}

export async function entriesOf(
  listed: readonly ListedArtifact[],
  { artifacts, abortSignal }: { artifacts: Artifacts; abortSignal: AbortSignal | undefined },
): Promise<ArtifactEntry[]> {
  return Promise.all(
    listed.map(async ({ path, tool, bytes, createdAt }) => {
      // It may be gone by now, and the others must be told all the same.
      const info = await artifacts.info(path, { abortSignal }).catch(() => undefined);
      abortSignal?.throwIfAborted();
      const lines = info && { lines: info.lines };
      // A name may have 65,536 characters, of any kind.
      const name = shortened(visibleText((info?.toolName ?? tool).slice(0, 2 * MAX_TOOL_CHARS)), MAX_TOOL_CHARS);
      return { path, type: 'file', tool: name, bytes, ...lines, created_at: createdAt.toISOString() };
    }),
  );
}

export function shownEntry({ path, tool, bytes, lines, created_at: createdAt }: ArtifactEntry): string {
  const size = `${thousands(bytes)} bytes${lines === undefined ? '' : `, ${thousands(lines)} lines`}`;
  return `${path} (${tool}, ${size}, ${createdAt})`;
}
