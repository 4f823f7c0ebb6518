import { type Artifacts, requireArtifacts } from '../artifacts/artifacts.ts';
import type { FindArtifacts } from './create-reader.ts';
import { globArtifactsTool } from './glob-artifacts-tool.ts';
import { grepArtifactsTool } from './grep-artifacts-tool.ts';
import { listArtifactsTool } from './list-artifacts-tool.ts';
import { queryArtifactTool } from './query-artifact-tool.ts';
import { readArtifactTool } from './read-artifact-tool.ts';

/** The tools with which a model reads saved outputs: read-only, bounded, and limited to one owner. */
// A type and not an interface, because only a type is a `ToolSet`.
export type ArtifactTools = {
  listArtifacts: ReturnType<typeof listArtifactsTool>;
  globArtifacts: ReturnType<typeof globArtifactsTool>;
  grepArtifacts: ReturnType<typeof grepArtifactsTool>;
  readArtifact: ReturnType<typeof readArtifactTool>;
  queryArtifact: ReturnType<typeof queryArtifactTool>;
};

export type ReaderName = keyof ArtifactTools;

/**
 * Tools over the artifacts of one owner, for your own agent. `truncateToolOutputs` adds three of them itself.
 *
 * @example
 * const { grepArtifacts, readArtifact } = createArtifactTools(scopedArtifacts(store, { scope: chatId }));
 */
export function createArtifactTools(artifacts: Artifacts): ArtifactTools {
  requireArtifacts(artifacts);
  return artifactToolsOf(() => artifacts);
}

/** The same, but the owner is determined for each call. */
export function artifactToolsOf(find: FindArtifacts): ArtifactTools {
  return {
    listArtifacts: listArtifactsTool(find),
    globArtifacts: globArtifactsTool(find),
    grepArtifacts: grepArtifactsTool(find),
    readArtifact: readArtifactTool(find),
    queryArtifact: queryArtifactTool(find),
  };
}
