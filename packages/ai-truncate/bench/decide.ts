import { seedTruncate } from '../fixtures/seed-004.ts';
import { measureOutput } from '../src/delivery/measure-output.ts';
import { resolveLimits } from '../src/preview/limits.ts';
import type { ArtifactStore } from '../src/stores/artifact-store.ts';
import { byteLength, countLines } from '../src/text/utf.ts';
import { truncateOutput } from '../src/tools/truncate-output.ts';
import type { BenchPart, BenchScale } from './bench-part.ts';
import { type Contender, compare } from './compare.ts';
import { comparisonText } from './comparison-text.ts';
import { log, logPieces, records } from './inputs.ts';
import { columnsBetween } from './sizes.ts';
import { smallOutputs } from './small-outputs.ts';

const limits = resolveLimits({});
const ours = 'ai-truncate';

/** Decides whether an output is within the limits. This runs for every output, so it must cost almost nothing. */
export const decide: BenchPart = {
  section: 'bench-decide',
  heading: 'To decide whether an output is within the limits',
  async measure(scale) {
    return [await smallOutputs(scale), await texts(scale), await values(scale), await streams(scale)].join('\n\n');
  },
};

async function texts(scale: BenchScale): Promise<string> {
  const contenders: Contender<string>[] = [
    { name: ours, run: (text) => measureOutput(text, limits) },
    {
      name: 'count lines and bytes',
      rival: { of: ours, because: 'ai-truncate does the same, and awaits the result' },
      run: (text) => countLines(text) + byteLength(text),
    },
    {
      name: 'seed 004',
      rival: { of: ours, because: 'it counts outputs within the limits like ai-truncate, without an `await`' },
      run: (text) => seedTruncate(text, { maxLines: 2000, maxBytes: 51_200, direction: 'head' }),
    },
  ];
  const columns = columnsBetween(['1 KB', '100 MB'], { scale, prepare: ({ bytes }) => log(bytes, { columns: 80 }) });
  const caption =
    'A text. Its length alone shows that it is over the byte limit, so ai-truncate ends there; seed 004 also cuts it.';
  return comparisonText(await compare(contenders, { columns, scale }), { caption, base: ours });
}

async function values(scale: BenchScale): Promise<string> {
  const contenders: Contender<unknown[]>[] = [
    { name: ours, run: (value) => measureOutput(value, limits) },
    {
      name: 'JSON.stringify, bytes counted',
      rival: {
        of: ours,
        because:
          'it is one step of the engine; ai-truncate first checks whether that may run code of the tool, or take long',
      },
      run: (value) => byteLength(JSON.stringify(value)),
    },
  ];
  const columns = columnsBetween(['1 KB', '100 MB'], { scale, prepare: ({ bytes }) => records(bytes) });
  const caption = 'An array of records. ai-truncate ends at the limit; JSON.stringify writes all records, in one step.';
  return comparisonText(await compare(contenders, { columns, scale }), { caption, base: ours });
}

async function streams(scale: BenchScale): Promise<string> {
  const call = { store: nowhere, scope: 'bench', toolName: 'readLog', toolCallId: 'call_1' };
  const contenders: Contender<number>[] = [
    { name: ours, run: async (bytes) => truncateOutput(ReadableStream.from(logPieces(bytes)), call) },
    {
      name: 'count lines and bytes',
      rival: {
        of: ours,
        because:
          'it does the minimum; ai-truncate also selects lines for a preview, indexes the starts of lines, and passes on all bytes',
      },
      async run(bytes) {
        let count = 0;
        for await (const piece of ReadableStream.from(logPieces(bytes))) count += countLines(piece) + byteLength(piece);
        return count;
      },
    },
  ];
  const columns = columnsBetween(['1 KB', '1 GB'], { scale, prepare: ({ bytes }) => bytes });
  const caption = 'A log as a stream, read to its end by `truncateOutput`, with a store that saves nothing.';
  return comparisonText(await compare(contenders, { columns, scale }), { caption, base: ours, tellsThroughput: true });
}

/** Reads everything and saves nothing, so that only the library's own time is left. */
const nowhere: ArtifactStore = {
  async put(_key, body) {
    for await (const _ of body);
  },
  get: async () => undefined,
  head: async () => undefined,
  async *list() {},
  delete: async () => {},
  locate: () => undefined,
};
