import { isArtifactId } from '../artifacts/artifact-name.ts';
import type { Artifacts, ReadOptions } from '../artifacts/artifacts.ts';

/** The path that was meant: of the random part of a name, which each further read would look up anew, the whole of it. */
export async function resolvedPath(artifacts: Artifacts, path: string, options: ReadOptions): Promise<string> {
  return isArtifactId(path) ? (await artifacts.info(path, options)).path : path;
}
