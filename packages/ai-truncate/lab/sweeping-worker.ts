// Sweeps, writes or reads for some time in a store that other processes use at the same time, and reports to its parent: node
// lab/sweeping-worker.ts <sweeper | writer | reader> <directory> <milliseconds>
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hashOf } from '../fixtures/hashed-values.ts';
import { serializeInfo } from '../src/artifacts/artifact-info.ts';
import { artifactKey, createArtifactName, infoKey, parseArtifactName } from '../src/artifacts/artifact-name.ts';
import type { Artifacts } from '../src/artifacts/artifacts.ts';
import { ArtifactNotFoundError } from '../src/artifacts/artifacts.ts';
import { createLineIndex } from '../src/artifacts/line-index.ts';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import { DAY_MS, sweepArtifacts } from '../src/artifacts/sweep-artifacts.ts';
import { filesystemStore } from '../src/stores/filesystem/filesystem-store.ts';

/** The counts of each role. */
export interface SweepingReports {
  sweeper: { passes: number; deleted: number };
  writer: { fresh: number; lost: number; expired: number };
  reader: { reads: number; gone: number; torn: number };
}

/** Only a few, so that the last value of a folder is deleted while another process writes to it. */
const scopes = ['chat-0', 'chat-1', 'chat-2', 'chat-3'];
const artifactsPerRound = 16;
const callFor = { toolName: 'write', mediaType: 'text/plain' };

const [, , role = '', directory = '', milliseconds = ''] = process.argv;
const store = filesystemStore({ directory });
const endsAt = performance.now() + Number(milliseconds);
const roles: { [Role in keyof SweepingReports]: () => Promise<SweepingReports[Role]> } = { sweeper, writer, reader };
process.send?.(await roles[role as keyof SweepingReports]());

async function sweeper(): Promise<SweepingReports['sweeper']> {
  const count = { passes: 0, deleted: 0 };
  let after: string | undefined;
  for (; performance.now() < endsAt; count.passes++) {
    const swept = await sweepArtifacts(store, after ? { after } : {});
    count.deleted += swept.deletedArtifacts;
    after = swept.next;
  }
  return count;
}

interface Saved {
  artifacts: Artifacts;
  names: string[];
}

/** Saves fresh and expired artifacts in turns. Fresh artifacts must still exist a round later, when their owner deletes them. */
async function writer(): Promise<SweepingReports['writer']> {
  const count = { fresh: 0, lost: 0, expired: 0 };
  let last: Saved | undefined;
  for (let round = 0; performance.now() < endsAt; round++) {
    const saved = await saveRound(round);
    count.fresh += saved.names.length;
    count.expired += saved.names.length;
    if (last) count.lost += await deleteSaved(last);
    last = saved;
  }
  if (last) count.lost += await deleteSaved(last);
  return count;
}

/** Returns the fresh artifacts. */
async function saveRound(round: number): Promise<Saved> {
  const scope = scopes[round % scopes.length] ?? '';
  const artifacts = scopedArtifacts(store, { scope });
  const names: string[] = [];
  for (let seed = round * artifactsPerRound; names.length < artifactsPerRound; seed++) {
    // Its times are set after it can be read, which looks like another file to a read in many steps.
    await saveExpired(scope, bytesOf(1000 + seed, seed));
    const content = bytesOf(seed % 8 === 0 ? 600_000 : 1000 + seed, seed);
    names.push((await artifacts.save(content, { ...callFor, toolCallId: hashOf(content) })).name);
  }
  return { artifacts, names };
}

/** Returns how many were already lost. */
async function deleteSaved({ artifacts, names }: Saved): Promise<number> {
  let lost = 0;
  for (const name of names) {
    if ((await readWhole(artifacts, name)) !== 'whole') lost++;
    await artifacts.delete(name);
  }
  return lost;
}

async function reader(): Promise<SweepingReports['reader']> {
  const count = { reads: 0, gone: 0, torn: 0 };
  while (performance.now() < endsAt) {
    for (const scope of scopes) {
      const artifacts = scopedArtifacts(store, { scope });
      for await (const { name } of artifacts.list()) {
        const outcome = await readWhole(artifacts, name);
        if (outcome === 'whole') count.reads++;
        else count[outcome]++;
        if (performance.now() >= endsAt) return count;
      }
    }
  }
  return count;
}

function bytesOf(length: number, seed: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(length).fill(seed);
}

/** Saves an artifact that expired weeks ago, according to its name, its side-car and the times of its files. */
async function saveExpired(scope: string, content: Uint8Array<ArrayBuffer>): Promise<void> {
  const createdAt = new Date(Date.now() - 30 * DAY_MS);
  const call = { ...callFor, toolCallId: hashOf(content), createdAt };
  const key = artifactKey(scope, createArtifactName(call));
  const indexer = createLineIndex();
  indexer.push(content);
  const index = indexer.finish();
  const expiresAt = new Date(createdAt.getTime() + DAY_MS);
  const info = serializeInfo({ ...call, bytes: index.bytes, lines: index.lines, expiresAt, index });
  await store.put(key, ReadableStream.from([content]), { contentType: 'text/plain' });
  await store.put(infoKey(key), ReadableStream.from([info]), { contentType: 'application/json' });
  for (const each of [key, infoKey(key)]) await utimes(join(directory, each), createdAt, createdAt);
}

/** A read is torn if it returns other bytes than the saved ones, or if an existing artifact cannot be read. */
async function readWhole(artifacts: Artifacts, name: string): Promise<'whole' | 'gone' | 'torn'> {
  try {
    const parts: Uint8Array[] = [];
    for await (const part of await artifacts.readStream(name)) {
      parts.push(part);
      // Leaves time for a deletion in the middle.
      await delay(1);
    }
    return parseArtifactName(name)?.call === hashOf(...parts) ? 'whole' : 'torn';
  } catch (error) {
    if (ArtifactNotFoundError.isInstance(error)) return 'gone';
    return artifacts.info(name).then(
      () => 'torn',
      (reason: unknown) => {
        if (ArtifactNotFoundError.isInstance(reason)) return 'gone';
        throw reason;
      },
    );
  }
}
