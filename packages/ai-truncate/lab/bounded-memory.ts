import { join } from 'node:path';
import { Readable } from 'node:stream';
import { generateText, isStepCount, tool } from 'ai';
import { z } from 'zod';
import { log, MEGABYTE, records } from '../bench/inputs.ts';
import { extraMegabytes } from '../bench/measure.ts';
import { inTemporaryDirectory } from '../fixtures/in-temporary-directory.ts';
import { scriptedModel } from '../fixtures/scripted-model.ts';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import { isTruncatedOutput } from '../src/protocol/truncated-output.ts';
import type { ArtifactStore } from '../src/stores/artifact-store.ts';
import { filesystemStore } from '../src/stores/filesystem/filesystem-store.ts';
import { thousands } from '../src/text/utf.ts';
import { truncateToolOutputs } from '../src/tools/truncate-tool-outputs.ts';
import type { LabPromise, LabTrial, TrialOutcome } from './lab-promise.ts';

const scope = 'lab';
// V8 lets its young generation grow with code that makes many short-lived strings. At this size, retained memory shows.
const youngGeneration = '--max-semi-space-size=8';

interface MemoryTrial {
  mostMegabytes: number;
  how: string;
  /** The output that the tool returns. Its own memory is not counted. */
  output: unknown;
  /** The size of the output, read when the memory is measured. */
  bytes: () => number;
}

// The chunk size of a file or a socket. Node joins pairs of larger chunks, which would be measured too.
const NODE_CHUNK = 64 * 1024;

function streamTrial({ name, gives, output }: StreamTrial): LabTrial {
  return {
    name: `${name}, under a heap of 64 MB`,
    target: 'at most 40 MB extra, every byte saved',
    flags: [youngGeneration, '--max-old-space-size=64'],
    run(size) {
      const megabytes = { full: 1024, small: 96 }[size];
      return measure({
        mostMegabytes: 40,
        how: `generateText, a tool that ${gives} of ${megabytes} MB, filesystemStore, a young generation of at most 24 MB; peak RSS`,
        output: output(megabytes),
        bytes: () => megabytes * MEGABYTE,
      });
    },
  };
}

interface StreamTrial {
  name: string;
  gives: string;
  output(megabytes: number): unknown;
}

const webStream = streamTrial({
  name: 'a web stream',
  gives: 'returns a ReadableStream',
  output: (megabytes) => webStreamOf(logOf(MEGABYTE), megabytes),
});

const oneLine = streamTrial({
  name: 'a web stream of one line',
  gives: 'promises a ReadableStream',
  output: (megabytes) => Promise.resolve(webStreamOf('x'.repeat(MEGABYTE), megabytes)),
});

const nodeStream = streamTrial({
  name: 'a Node stream of bytes',
  gives: 'promises a Readable',
  output: (megabytes) => Promise.resolve(nodeStreamOf(Buffer.from(logOf(NODE_CHUNK)), 16 * megabytes)),
});

const values: LabTrial = {
  name: 'an object in memory',
  target: 'at most 96 MB extra, every byte saved',
  flags: [youngGeneration],
  run(size) {
    const megabytes = { full: 100, small: 20 }[size];
    const output = records(megabytes * MEGABYTE);
    return measure({
      mostMegabytes: { full: 96, small: 40 }[size],
      how: `generateText, a tool that returns ${megabytes} MB of objects, filesystemStore, a young generation of at most 24 MB; peak RSS beyond the objects`,
      output,
      bytes: () => Buffer.byteLength(JSON.stringify(output, null, 2)),
    });
  },
};

/** The memory for an output, beyond the output itself, does not grow with its size. */
export const boundedMemory: LabPromise = {
  promise: 'Memory does not grow with the output',
  trials: [webStream, oneLine, nodeStream, values],
};

function measure({ mostMegabytes, how, output, bytes }: MemoryTrial): Promise<TrialOutcome> {
  return inTemporaryDirectory(async (directory) => {
    const store = filesystemStore({ directory: join(directory, 'store') });
    const delivered: { path: string | null } = { path: null };
    const extra = await extraMegabytes(async () => {
      delivered.path = await runAgent(output, store);
    });
    if (extra === undefined) return { status: 'skipped', reason: 'only Linux reports the peak memory of a process' };
    const { path } = delivered;
    const kept = path === null ? 0 : (await scopedArtifacts(store, { scope }).info(path)).bytes;
    const given = bytes();
    return {
      status: kept === given && extra <= mostMegabytes ? 'met' : 'missed',
      how,
      measured: `${extra.toFixed(0)} MB extra, ${thousands(kept)} of ${thousands(given)} bytes saved`,
    };
  });
}

/** A model calls the tool and sees the replacement of its output. Returns the path of the saved output. */
async function runAgent(output: unknown, store: ArtifactStore): Promise<string | null> {
  const readLog = tool({ inputSchema: z.object({}), execute: () => output });
  const { toolResults } = await generateText({
    model: scriptedModel({ toolName: 'readLog' }),
    tools: truncateToolOutputs({ readLog }, { store, scope }),
    prompt: 'Read the log.',
    stopWhen: isStepCount(2),
  });
  const delivered: unknown = toolResults[0]?.output;
  return isTruncatedOutput(delivered) ? delivered.data.truncation.full_output_path : null;
}

function logOf(size: number): string {
  return log(size, { columns: 64 }).padEnd(size, '\n');
}

function webStreamOf(piece: string, count: number): ReadableStream<string> {
  let pieces = 0;
  return new ReadableStream<string>({
    pull(controller) {
      if (pieces++ < count) controller.enqueue(piece);
      else controller.close();
    },
  });
}

function nodeStreamOf(piece: Buffer, count: number): Readable {
  let pieces = 0;
  return new Readable({
    read() {
      this.push(pieces++ < count ? piece : null);
    },
  });
}
