import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { returning } from '../fixtures/returning-tool.ts';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import { isTruncatedOutput } from '../src/protocol/truncated-output.ts';
import type { ArtifactStore } from '../src/stores/artifact-store.ts';
import { truncateToolOutputs } from '../src/tools/truncate-tool-outputs.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

export interface BrokenStore {
  calls: number;
  /** The time in which other programs used the processor is not counted, for machines that run other tests too. */
  forgivesOthers: boolean;
  /** Opens another store over the same service. */
  open: () => ArtifactStore;
  setBroken: (isBroken: boolean) => void;
  /** Requests that the service has not answered completely. */
  underWay: () => number;
}

export interface Delivered {
  calls: number;
  /** Calls that rejected, or whose result is not a bounded preview. */
  lost: number;
  late: number;
  longestMs: number;
  /** Artifacts that have a path, and all their bytes. */
  kept: number;
  /** Outputs without a path whose text says so. */
  told: number;
  /** Outputs whose path has missing or additional bytes, or that have no path although the text does not say so. */
  untrue: number;
  unhandled: number;
  /** Requests and timers that are still there after enough time to end. */
  left: number;
}

export const SAVE_TIMEOUT_MS = 1000;
export const LATE_MS = 250;
const MAX_BYTES = 1024;
const AT_ONCE = 12;
/** The longest work of a store after its caller has left. */
const AFTERMATH_MS = 15_000;

/** Lets tools return outputs over the limits while the service fails, and checks the result of each. */
export async function callBrokenStore({
  calls,
  forgivesOthers,
  open,
  setBroken,
  underWay,
}: BrokenStore): Promise<Delivered> {
  const delivered: Delivered = {
    calls,
    lost: 0,
    late: 0,
    longestMs: 0,
    kept: 0,
    told: 0,
    untrue: 0,
    unhandled: 0,
    left: 0,
  };
  const onUnhandled = (): void => void delivered.unhandled++;
  process.on('unhandledRejection', onUnhandled);
  const random = seededRandom(7);
  const paths = new Map<string, string>();
  let left = calls;

  async function lane(): Promise<void> {
    while (left-- > 0) {
      const output = outputFor(random, left);
      const result = await timed(open(), output);
      if (!isTruncatedOutput(result) || !isBounded(result)) {
        delivered.lost++;
        continue;
      }
      const path = result.data.truncation.full_output_path;
      if (path !== null && !paths.has(path)) paths.set(path, output);
      else if (path === null && result.text.includes('was not saved and cannot be retrieved')) delivered.told++;
      else delivered.untrue++;
    }
  }

  async function timed(store: ArtifactStore, output: string): Promise<unknown> {
    const { readLog } = truncateToolOutputs(
      { readLog: returning(output) },
      { store, scope: 'lab', maxBytes: MAX_BYTES, saveTimeoutMs: SAVE_TIMEOUT_MS, onTruncate: () => {} },
    );
    const startedAt = performance.now();
    const waitedBefore = forgivesOthers ? waitedMs() : 0;
    const call = { toolCallId: `call_${left}`, messages: [], context: {} };
    const result: unknown = await Promise.resolve(readLog.execute?.({}, call)).catch((error: unknown) => error);
    const elapsedMs = performance.now() - startedAt;
    const forgivenMs = forgivesOthers ? waitedMs() - waitedBefore : 0;
    if (elapsedMs - forgivenMs > SAVE_TIMEOUT_MS + LATE_MS) delivered.late++;
    delivered.longestMs = Math.max(delivered.longestMs, elapsedMs);
    return result;
  }

  setBroken(true);
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const endsAt = performance.now() + AFTERMATH_MS;
  do {
    await delay(100);
    delivered.left = underWay() + process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  } while (delivered.left > 0 && performance.now() < endsAt);
  setBroken(false);
  for (const [path, output] of paths) {
    if ((await readBack(open(), path)) === output) delivered.kept++;
    else delivered.untrue++;
  }
  process.off('unhandledRejection', onUnhandled);
  return delivered;
}

/** The time in which this thread was ready to run but had no processor, as Linux reports it; 0 on other systems. */
function waitedMs(): number {
  if (process.platform !== 'linux') return 0;
  const [, nanoseconds] = readFileSync('/proc/self/schedstat', 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

/** Text over the limits: usually slightly, sometimes by far. */
function outputFor(random: SeededRandom, index: number): string {
  const lines = random.below(10) === 0 ? 2000 : 40 + random.below(100);
  return Array.from({ length: lines }, (_, line) => `output ${index} line ${line}: nothing unusual`).join('\n');
}

/** The text that the model sees, and the object around it. */
function isBounded(result: { data: { preview: string }; text: string }): boolean {
  const size = Buffer.byteLength(result.data.preview) + Buffer.byteLength(result.text);
  return result.data.preview.length > 0 && size <= MAX_BYTES && JSON.stringify(result).length <= 2 * MAX_BYTES + 8192;
}

async function readBack(store: ArtifactStore, path: string): Promise<string> {
  return new Response(await scopedArtifacts(store, { scope: 'lab' }).readStream(path)).text();
}
