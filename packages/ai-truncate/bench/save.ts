import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Files } from 'files-sdk';
import { s3 } from 'files-sdk/s3';
import { type BlobServer, startBlobServer } from '../fixtures/blob-server.ts';
import { inTemporaryDirectory } from '../fixtures/in-temporary-directory.ts';
import { redirectBlobHosts } from '../fixtures/redirect-blob-hosts.ts';
import { type S3Server, startS3Server } from '../fixtures/s3-server.ts';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import type { ArtifactStore } from '../src/stores/artifact-store.ts';
import { filesSdkStore } from '../src/stores/files-sdk/files-sdk-store.ts';
import { filesystemStore } from '../src/stores/filesystem/filesystem-store.ts';
import { memoryStore } from '../src/stores/memory-store.ts';
import { vercelBlobStore } from '../src/stores/vercel-blob/vercel-blob-store.ts';
import type { BenchPart } from './bench-part.ts';
import { type Contender, compare } from './compare.ts';
import { comparisonText } from './comparison-text.ts';
import { logPieces, MEGABYTE } from './inputs.ts';
import { columnsBetween } from './sizes.ts';

interface Content {
  bytes: number;
  pieces: readonly Uint8Array[];
}

const SCOPE = 'bench';
const floor = 'floor: write, fsync, rename';
const ours = 'filesystemStore';
/** The servers for Blob and S3 hold all received values in the memory of this process. */
const mostServedBytes = 100 * MEGABYTE;

/** The cost of `save` over each store. */
export const save: BenchPart = {
  section: 'bench-save',
  heading: 'To save an output',
  async measure(scale) {
    const blobServer = await startBlobServer();
    const s3Server = await startS3Server();
    try {
      return await inTemporaryDirectory(async (directory) => {
        const store = filesystemStore({ directory });
        // Creates the folder of the scope, which the floor uses too, because new files cost more in some places of a disk than
        // in others.
        await scopedArtifacts(store, { scope: SCOPE }).save('first', { toolName: 'readLog', toolCallId: 'call_0' });
        const contenders: Contender<Content>[] = [
          durableFile(join(directory, SCOPE)),
          saver(ours, store),
          saver('memoryStore', memoryStore()),
          served(saver('vercelBlobStore', await loopbackBlobStore(blobServer))),
          served(saver('filesSdkStore over S3', loopbackS3Store(s3Server))),
        ];
        const columns = columnsBetween(['1 KB', '1 GB'], {
          scale,
          prepare: ({ bytes }) => ({ bytes, pieces: Array.from(logPieces(bytes), (piece) => Buffer.from(piece)) }),
        });
        const caption =
          '`save` of bytes in pieces of 1 MB, including the side-car with its metadata and line index. The floor is the least ' +
          'that a durable file costs: a write, a sync, a rename and a sync of its directory. The servers of Blob and S3 are in the same process, so ' +
          'their rows show the cost of the protocol, not of a network.';
        return comparisonText(await compare(contenders, { columns, scale }), {
          caption,
          base: floor,
          tellsThroughput: true,
        });
      });
    } finally {
      await blobServer.close();
      await s3Server.close();
    }
  },
};

function saver(name: string, store: ArtifactStore): Contender<Content> {
  const artifacts = scopedArtifacts(store, { scope: SCOPE, sweep: false });
  let paths: string[] = [];
  return {
    name,
    async run({ pieces }) {
      paths.push((await artifacts.save(pieces, { toolName: 'readLog', toolCallId: 'call_1' })).path);
    },
    async tidy() {
      for (const path of paths) await artifacts.delete(path);
      paths = [];
    },
  };
}

function served(contender: Contender<Content>): Contender<Content> {
  return {
    ...contender,
    cannot: ({ bytes }) => (bytes > mostServedBytes ? 'its server here has too little memory' : undefined),
  };
}

function durableFile(directory: string): Contender<Content> {
  let paths: string[] = [];
  return {
    name: floor,
    rival: {
      of: ours,
      because:
        'ai-truncate makes two such files, counts lines, and checks the size before the second file gets its name',
    },
    async run({ pieces }) {
      // Each time under a new name, because replacing an old file costs more.
      const path = join(directory, randomUUID());
      paths.push(path);
      const file = await open(`${path}.part`, 'w', 0o600);
      // `writeFile` of a handle would write half a megabyte at a time.
      for (const piece of pieces) await file.write(piece);
      await file.sync();
      await file.close();
      await rename(`${path}.part`, path);
      const folder = await open(directory, 'r');
      await folder.sync();
      await folder.close();
    },
    async tidy() {
      for (const path of paths) await rm(path);
      paths = [];
    },
  };
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
