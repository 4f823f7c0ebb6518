import type { ArtifactStore } from '../stores/artifact-store.ts';
import { byteLength } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';

/** What a preview keeps free for a path. */
const MAX_PATH_BYTES = 512;

/**
 * How models and people name an artifact. What `filesystemStore` gives opens in any other tool; elsewhere the path is a handle,
 * for the readers alone.
 */
export function artifactPath(store: ArtifactStore, { key, name }: { key: string; name: string }): string {
  const located = store.locate(key);
  return located !== undefined && isShowable(located) ? located : shortPath(name);
}

/**
 * Whether a path could have been given out for this artifact: the short one, or any that ends in its own folder, because where
 * that lies changes with the working directory.
 */
export function isArtifactPath(path: string, { key, name }: { key: string; name: string }): boolean {
  return path === shortPath(name) || (`/${path}`.endsWith(`/${key}`) && !path.includes('://'));
}

function shortPath(name: string): string {
  return `tool-output/${name}`;
}

/** A notice has room for this, and a path with other characters could not be copied. */
function isShowable(path: string): boolean {
  return byteLength(path) <= MAX_PATH_BYTES && !/[\n\t]/.test(path) && visibleText(path) === path;
}
