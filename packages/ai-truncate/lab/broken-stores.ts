import { Files } from 'files-sdk';
import { s3 } from 'files-sdk/s3';
import { type BlobFault, startBlobServer } from '../fixtures/blob-server.ts';
import { redirectBlobHosts } from '../fixtures/redirect-blob-hosts.ts';
import { type S3Fault, startS3Server } from '../fixtures/s3-server.ts';
import { filesSdkStore } from '../src/stores/files-sdk/files-sdk-store.ts';
import { vercelBlobStore } from '../src/stores/vercel-blob/vercel-blob-store.ts';
import { thousands } from '../src/text/utf.ts';
import { callBrokenStore, type Delivered, LATE_MS, SAVE_TIMEOUT_MS } from './broken-store-calls.ts';
import type { LabPromise, LabTrial, TrialOutcome, TrialSize } from './lab-promise.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

const target = `0 tool results lost, each within saveTimeoutMs + ${LATE_MS} ms, every path has the whole output, 0 unhandled rejections, nothing left`;
const calls: Record<TrialSize, number> = { full: 5000, small: 120 };

const blobFaults: readonly [BlobFault, ...BlobFault[]] = [
  { kind: 'status', status: 429, code: 'rate_limited' },
  { kind: 'status', status: 503, code: 'service_unavailable' },
  { kind: 'reset' },
  { kind: 'hang' },
  { kind: 'loseAnswer' },
  { kind: 'hangAfter' },
  { kind: 'brokenJson' },
  { kind: 'drip', pieceBytes: 1, everyMs: 20 },
  { kind: 'breakOff', afterBytes: 20 },
];

const s3Faults: readonly [S3Fault, ...S3Fault[]] = [
  { status: 429, code: 'TooManyRequests' },
  { status: 503, code: 'SlowDown' },
  'reset',
  'hang',
  'do, then reset',
  'do, then hang',
  'do, then garble',
  'do, then drip',
  'reset half-way',
];

const blob: LabTrial = {
  name: 'Vercel Blob',
  target,
  async run(size) {
    const server = await startBlobServer();
    process.env.VERCEL_BLOB_API_URL = server.apiUrl;
    await import('@vercel/blob');
    const restoreHosts = redirectBlobHosts(server.origin);
    const faults = countedFaults(blobFaults, (fault) => (fault.kind === 'status' ? String(fault.status) : fault.kind));
    try {
      const delivered = await callBrokenStore({
        calls: calls[size],
        forgivesOthers: size === 'small',
        open: () => vercelBlobStore({ token: 'vercel_blob_rw_store_secret', timeoutMs: 2000 }),
        setBroken(isBroken) {
          server.requests.length = 0;
          server.fault = isBroken ? () => faults.next() : undefined;
        },
        underWay: () => Object.values(server.underWay).reduce((sum, count) => sum + count, 0),
      });
      return judge(delivered, { store: '@vercel/blob', met: faults.met });
    } finally {
      restoreHosts();
      await server.close();
    }
  },
};

const bucket: LabTrial = {
  name: 'S3',
  target,
  async run(size) {
    const server = await startS3Server();
    const { bucket, endpoint, credentials } = server;
    const adapter = s3({ bucket, region: 'us-east-1', endpoint, forcePathStyle: true, credentials, conditional: true });
    const files = new Files({ adapter });
    const faults = countedFaults(s3Faults, (fault) => (typeof fault === 'object' ? String(fault.status) : fault));
    try {
      const delivered = await callBrokenStore({
        calls: calls[size],
        forgivesOthers: size === 'small',
        open: () => filesSdkStore(files, { timeoutMs: 2000 }),
        setBroken(isBroken) {
          server.requests.length = 0;
          server.fault = isBroken ? () => faults.next() : undefined;
        },
        underWay: () => server.underWay,
      });
      return judge(delivered, { store: 'files-sdk over the AWS client', met: faults.met });
    } finally {
      await server.close();
    }
  },
};

/** A store that fails costs the path of an output, and little time. */
export const brokenStores: LabPromise = {
  promise: 'A broken store loses no tool result',
  trials: [blob, bucket],
};

interface CountedFaults<Fault> {
  next(): Fault | undefined;
  met: Map<string, number>;
}

/** Every fourth request meets a fault, chosen by a seed. Counts the faults that occurred. */
function countedFaults<Fault>(
  faults: readonly [Fault, ...Fault[]],
  nameOf: (fault: Fault) => string,
): CountedFaults<Fault> {
  const random: SeededRandom = seededRandom(11);
  const met = new Map(faults.map((fault) => [nameOf(fault), 0]));
  return {
    met,
    next() {
      if (random.below(4) > 0) return undefined;
      const fault = random.oneOf(faults);
      met.set(nameOf(fault), (met.get(nameOf(fault)) ?? 0) + 1);
      return fault;
    },
  };
}

function judge(delivered: Delivered, { store, met }: { store: string; met: Map<string, number> }): TrialOutcome {
  const { calls, lost, late, kept, told, untrue, longestMs, unhandled, left } = delivered;
  const allMet = [...met.values()].every((count) => count > 0);
  const faults = [...met].map(([name, count]) => `${name} ${thousands(count)}`).join(', ');
  return {
    status: lost + late + untrue + unhandled + left === 0 && kept >= calls / 10 && allMet ? 'met' : 'missed',
    how: `${thousands(calls)} calls of a wrapped tool, 12 at a time, each with its own store (after three failures, a store is not used for a while), ${store} against a server on this machine, saveTimeoutMs ${thousands(SAVE_TIMEOUT_MS)}. Requests that met a fault: ${faults}`,
    measured: `${lost} results lost, ${late} late (the longest ${longestMs.toFixed(0)} ms), ${thousands(kept)} saved and read back completely, ${thousands(told)} with a preview that says that the output was not saved, ${untrue} untrue, ${unhandled} unhandled rejections, ${left} requests or timers left`,
  };
}
