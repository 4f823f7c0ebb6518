import { join } from 'node:path';
import {
  createUIMessageStreamResponse,
  isStepCount,
  type LanguageModel,
  streamText,
  type ToolSet,
  tool,
  toUIMessageStream,
  wrapLanguageModel,
} from 'ai';
import { z } from 'zod';
import { inTemporaryDirectory } from '../fixtures/in-temporary-directory.ts';
import { scriptedModel } from '../fixtures/scripted-model.ts';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import type { TruncationEvent } from '../src/delivery/events.ts';
import type { ArtifactStore } from '../src/stores/artifact-store.ts';
import { filesystemStore } from '../src/stores/filesystem/filesystem-store.ts';
import { memoryStore } from '../src/stores/memory-store.ts';
import { truncateToolOutputs } from '../src/tools/truncate-tool-outputs.ts';
import type { BenchPart } from './bench-part.ts';
import { type Contender, compare } from './compare.ts';
import { comparisonText } from './comparison-text.ts';
import { log, logPieces, records } from './inputs.ts';
import { columnsBetween, mostStringBytes } from './sizes.ts';

/** The output that a tool returns each time. `ended` is called when the output is complete. */
interface ToolOutput {
  bytes: number;
  make(ended: () => void): unknown;
}

const ours = 'wrapped, filesystemStore';
const SCOPE = 'bench';
const SLICE = 16_000;

const kinds: { caption: string; largest: string; toOutput(bytes: number): ToolOutput['make'] }[] = [
  {
    caption: 'A tool that returns a text. A text of 1 GB would exceed the longest possible string.',
    largest: '100 MB',
    toOutput(bytes) {
      const text = log(bytes, { columns: 80 });
      return told(() => text);
    },
  },
  {
    caption:
      'A tool that returns an array of records. The JSON of 1 GB of records would exceed the longest possible string.',
    largest: '100 MB',
    toOutput(bytes) {
      const value = records(bytes);
      return told(() => value);
    },
  },
  {
    caption:
      'A tool that returns a stream of text. Without ai-truncate, the stream is collected into one text, which is the only way to use it.',
    largest: '1 GB',
    toOutput: (bytes) => (ended) =>
      ReadableStream.from(
        (function* () {
          yield* logPieces(bytes);
          ended();
        })(),
      ),
  },
];

/** The time for which a user waits, because the answer continues after a tool has ended. */
export const firstToken: BenchPart = {
  section: 'bench-first-token',
  heading: 'To continue a streamed answer',
  measure: (scale) =>
    inTemporaryDirectory(async (directory) => {
      const about =
        'From the end of a tool to the first token of the next step: `streamText`, `toUIMessageStream`, and the response that a UI ' +
        'reads, including the output. The model is a script that answers at once. It writes the prompt as JSON, as every provider ' +
        'does, so a large prompt costs only that here. A real provider receives the whole output of the bare tool, charges for it, and ' +
        'may refuse it. So the smallest outputs are compared with the bare tool, and the others with a cut by hand.';
      const contenders = contendersFor(filesystemStore({ directory: join(directory, 'store') }));
      const texts: string[] = [];
      for (const { caption, largest, toOutput } of kinds) {
        const prepare = ({ bytes }: { bytes: number }) => ({ bytes, make: toOutput(bytes) });
        const columns = columnsBetween(['1 KB', largest], { scale, prepare });
        texts.push(comparisonText(await compare(contenders, { columns, scale }), { caption, base: ours }));
      }
      return [about, ...texts].join('\n\n');
    }),
};

function contendersFor(files: ArtifactStore): Contender<ToolOutput>[] {
  const nothingKept = 'it saves nothing; ai-truncate first measures, writes and saves the whole output';
  const cannot = ({ bytes }: ToolOutput) => (bytes > mostStringBytes ? 'longer than any string' : undefined);
  return [
    wrapped(ours, files),
    wrapped('wrapped, memoryStore', memoryStore()),
    {
      name: 'bare',
      rival: { of: ours, because: `${nothingKept}; where ai-truncate has nothing to cut, it measures` },
      cannot,
      givesMilliseconds: true,
      run: ({ make }) => delayMs(async (ended) => gathered(make(ended))),
    },
    {
      name: `cut by hand: slice(0, ${SLICE.toLocaleString('en-US')})`,
      rival: { of: ours, because: `${nothingKept}; the rest of the output is lost` },
      cannot,
      givesMilliseconds: true,
      run: ({ make }) => delayMs(async (ended) => cutByHand(await gathered(make(ended)))),
    },
  ];
}

function wrapped(name: string, store: ArtifactStore): Contender<ToolOutput> {
  const artifacts = scopedArtifacts(store, { scope: SCOPE });
  let paths: (string | null)[] = [];
  const options = {
    store,
    scope: SCOPE,
    readers: false,
    onTruncate: ({ path }: TruncationEvent) => paths.push(path),
  } as const;
  return {
    name,
    givesMilliseconds: true,
    run: ({ make }) =>
      delayMs(
        async (ended) => make(ended),
        (tools) => truncateToolOutputs(tools, options) as ToolSet,
      ),
    async tidy() {
      for (const path of paths) {
        if (path === null) throw new Error(`${name}: an output was not saved, which takes less time.`);
        await artifacts.delete(path);
      }
      paths = [];
    },
  };
}

async function delayMs(
  execute: (ended: () => void) => Promise<unknown>,
  wrap: (tools: ToolSet) => ToolSet = (tools) => tools,
): Promise<number> {
  let endedAt = Number.NaN;
  const ended = () => {
    endedAt = performance.now();
  };
  const tools = wrap({ readLog: tool({ inputSchema: z.object({}), execute: () => execute(ended) }) });
  const result = streamText({ model: providerLike(), tools, prompt: 'What failed?', stopWhen: isStepCount(2) });
  const response = createUIMessageStreamResponse({ stream: toUIMessageStream({ stream: result.stream, tools }) });
  let firstAt = Number.NaN;
  for await (const bytes of response.body ?? []) {
    if (Number.isNaN(firstAt) && hasToken(bytes)) firstAt = performance.now();
  }
  const delay = firstAt - endedAt;
  if (Number.isNaN(delay)) throw new Error('No token arrived after the end of the tool.');
  return delay;
}

function hasToken({ buffer, byteOffset, length }: Uint8Array): boolean {
  return Buffer.from(buffer, byteOffset, length).includes('"type":"text-delta"');
}

function providerLike(): LanguageModel {
  return wrapLanguageModel({
    model: scriptedModel({ toolName: 'readLog' }),
    middleware: {
      async wrapStream({ doStream, params }) {
        JSON.stringify(params.prompt);
        return doStream();
      },
    },
  });
}

function told(output: () => unknown): ToolOutput['make'] {
  return (ended) => {
    ended();
    return output();
  };
}

async function gathered(output: unknown): Promise<unknown> {
  if (!(output instanceof ReadableStream)) return output;
  let text = '';
  for await (const piece of output) text += piece;
  return text;
}

function cutByHand(output: unknown): string {
  return (typeof output === 'string' ? output : JSON.stringify(output)).slice(0, SLICE);
}
