import type { Artifacts } from './artifacts.ts';

/** In which store artifacts are, and whose they are. */
export interface ArtifactOwner {
  store: object;
  scope: string;
}

const owners = new WeakMap<Artifacts, ArtifactOwner>();

/** Remembers the owner beside the artifacts, because applications see all that is in them. */
export function withOwner(artifacts: Artifacts, owner: ArtifactOwner): Artifacts {
  owners.set(artifacts, owner);
  return artifacts;
}

/** The owner of artifacts. Artifacts that an application made by itself are a store of their own. */
export function artifactOwner(artifacts: Artifacts): ArtifactOwner {
  return owners.get(artifacts) ?? { store: artifacts, scope: '' };
}
