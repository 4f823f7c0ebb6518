import { randomUUID } from 'node:crypto';
import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Files } from 'files-sdk';
import { s3 } from 'files-sdk/s3';
import { type BlobServer, startBlobServer } from '../fixtures/blob-server.ts';
import { redirectBlobHosts } from '../fixtures/redirect-blob-hosts.ts';
import { type S3Server, startS3Server } from '../fixtures/s3-server.ts';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import type { ArtifactStore } from '../src/stores/artifact-store.ts';
import { filesSdkStore } from '../src/stores/files-sdk-store.ts';
import { filesystemStore } from '../src/stores/filesystem-store.ts';
import { memoryStore } from '../src/stores/memory-store.ts';
import { vercelBlobStore } from '../src/stores/vercel-blob-store.ts';
import { log, MEGABYTE } from './inputs.ts';
import { type Contender, medians, table } from './measure.ts';

interface Saves {
  bytes: Uint8Array;
  count: number;
}

const sizes = [
  { name: '60 KB', bytes: 60 * 1024, count: 50 },
  { name: '1 MB', bytes: MEGABYTE, count: 20 },
  { name: '50 MB', bytes: 50 * MEGABYTE, count: 1 },
];
const ROUNDS = 9;
const floor = 'floor: one durable file';
const SCOPE = 'bench';

/**
 * What `save` costs over each store, side-car and line index included, in multiples of the least that a durable file costs:
 * written, synced, renamed, and its directory synced. The servers of Blob and S3 are on this machine, so theirs is the cost of
 * the protocol, not of a network.
 */
export async function stores(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'ai-truncate-bench-'));
  const blobServer = await startBlobServer();
  const s3Server = await startS3Server();
  try {
    const fileSaver = saver('filesystemStore', filesystemStore({ directory }));
    await fileSaver.run({ bytes: new Uint8Array(), count: 1 });
    // In the same folder, because folders lie in parts of a disk that differ in what a new file costs; and under a new name
    // each, because to replace an old file costs more.
    const durable = (bytes: Uint8Array) => durableFile(join(directory, SCOPE, randomUUID()), bytes);
    const contenders: Contender<Saves>[] = [
      { name: floor, run: (saves) => repeat(saves, durable) },
      fileSaver,
      saver('memoryStore', memoryStore()),
      saver('vercelBlobStore', await loopbackBlobStore(blobServer)),
      saver('filesSdkStore over S3', loopbackS3Store(s3Server)),
    ];
    const results: Map<string, number>[] = [];
    for (const { bytes, count } of sizes) {
      const content = Buffer.from(log(bytes, { columns: 80 }));
      results.push(await medians(contenders, { rounds: ROUNDS, input: () => ({ bytes: content, count }) }));
    }
    const rows = contenders.map(({ name }) => [name, ...results.map((times, at) => cell(name, { times, at }))]);
    console.log(`\n## Saving, in multiples of the floor\n\n${table(['', ...sizes.map(({ name }) => name)], rows)}`);
  } finally {
    await blobServer.close();
    await s3Server.close();
    await rm(directory, { recursive: true });
  }
}

function saver(name: string, store: ArtifactStore): Contender<Saves> {
  const artifacts = scopedArtifacts(store, { scope: SCOPE });
  return {
    name,
    run: (saves) => repeat(saves, (bytes) => artifacts.save(bytes, { toolName: 'readLog', toolCallId: 'call_1' })),
  };
}

async function repeat({ bytes, count }: Saves, run: (bytes: Uint8Array) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index++) await run(bytes);
}

async function durableFile(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(`${path}.part`, 'w', 0o600);
  await file.writeFile(bytes);
  await file.sync();
  await file.close();
  await rename(`${path}.part`, path);
  const directory = await open(join(path, '..'), 'r');
  await directory.sync();
  await directory.close();
}

async function loopbackBlobStore(server: BlobServer): Promise<ArtifactStore> {
  await import('@vercel/blob');
  redirectBlobHosts(server.origin);
  process.env.VERCEL_BLOB_API_URL = server.apiUrl;
  return vercelBlobStore({ token: 'vercel_blob_rw_bench_secret' });
}

function loopbackS3Store({ bucket, endpoint, credentials }: S3Server): ArtifactStore {
  const adapter = s3({ bucket, region: 'us-east-1', endpoint, forcePathStyle: true, credentials, conditional: true });
  return filesSdkStore(new Files({ adapter }));
}

function cell(name: string, { times, at }: { times: Map<string, number>; at: number }): string {
  const time = times.get(name) ?? Number.NaN;
  if (name === floor) return `${(time / (sizes[at]?.count ?? 1)).toFixed(2)} ms`;
  return `×${(time / (times.get(floor) ?? Number.NaN)).toFixed(2)}`;
}
