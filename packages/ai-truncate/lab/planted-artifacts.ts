import { join } from 'node:path';
import { toScopeKey } from '../src/artifacts/artifact-name.ts';
import type { Artifacts } from '../src/artifacts/artifacts.ts';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import type { ArtifactStore } from '../src/stores/artifact-store.ts';
import { filesystemStore } from '../src/stores/filesystem/filesystem-store.ts';
import { memoryStore } from '../src/stores/memory-store.ts';
import type { ForeignName } from './foreign-reference.ts';

/** The scope of all requests. */
export const OWN_SCOPE = 'chat-1';
/** A mark in the user's own artifact and its side-car, and nowhere else. */
export const OWN_MARK = 'markours';
/** Owners whose names look similar, or are hashed. */
const FOREIGN_SCOPES = ['chat-2', 'Chat-1', 'chat-1 ', 'chat-1/', 'somebody@example.com', 'ｃｈａｔ-1'];

export interface PlantedStore {
  kind: 'memoryStore' | 'filesystemStore';
  store: ArtifactStore;
  own: Artifacts;
  ownKey: string;
  foreign: readonly PlantedArtifact[];
}

export interface PlantedArtifact extends ForeignName {
  owner: Artifacts;
  content: string;
  /** A mark in the content and in the side-car, and nowhere else. */
  mark: string;
}

/** Both stores, with outputs of many owners in each. */
export async function plantStores(directory: string): Promise<[PlantedStore, PlantedStore]> {
  return [
    await plant('memoryStore', memoryStore()),
    await plant('filesystemStore', filesystemStore({ directory: join(directory, 'tool-output') })),
  ];
}

async function plant(kind: PlantedStore['kind'], store: ArtifactStore): Promise<PlantedStore> {
  const own = scopedArtifacts(store, { scope: OWN_SCOPE });
  for (const content of contentsWith(OWN_MARK)) await own.save(content, callWith(OWN_MARK));
  const foreign: PlantedArtifact[] = [];
  for (const scope of FOREIGN_SCOPES) {
    const owner = scopedArtifacts(store, { scope });
    const mark = `mark${crypto.randomUUID().replaceAll('-', '')}`;
    for (const content of contentsWith(mark)) {
      const { name, path } = await owner.save(content, callWith(mark));
      foreign.push({ name, path, scopeKey: await toScopeKey(scope), owner, content, mark });
    }
  }
  return { kind, store, own, ownKey: await toScopeKey(OWN_SCOPE), foreign };
}

/** The name shows 24 characters of the call id, so the mark in it is only in the side-car. */
function callWith(mark: string): { toolName: string; toolCallId: string } {
  return { toolName: 'readServerLogs', toolCallId: `call_${'0'.repeat(24)}${mark}` };
}

function contentsWith(mark: string): string[] {
  const rows = Array.from({ length: 20 }, (_, id) => ({ id, password: `${mark}-${id}` }));
  return [
    rows.map(({ id, password }) => `line ${id} password=${password}`).join('\n'),
    JSON.stringify(rows),
    ['id,password', ...rows.map(({ id, password }) => `${id},${password}`)].join('\n'),
  ];
}

/** How many artifacts have changed since they were planted. */
export async function countChanged(planted: readonly PlantedStore[]): Promise<number> {
  let changed = 0;
  for (const { owner, name, content } of planted.flatMap(({ foreign }) => foreign)) {
    const text = await owner.readStream(name).then(
      (stream) => new Response(stream).text(),
      () => undefined,
    );
    if (text !== content) changed++;
  }
  return changed;
}
