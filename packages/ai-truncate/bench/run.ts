// How fast and how lean truncation is, as ratios within one run: `pnpm bench`. Machines differ; ratios hardly do.

import { seedTruncate } from '../fixtures/seed-004.ts';
import { byteLength } from '../src/truncation/byte-length.ts';
import { createJsonSample } from '../src/truncation/json-sample.ts';
import { preview } from '../src/truncation/preview.ts';
import { serialize } from '../src/truncation/serialize.ts';
import { createTextScan } from '../src/truncation/text-scan.ts';
import { truncateText } from '../src/truncation/truncate-text.ts';
import { grep } from './grep.ts';
import { log, MEGABYTE, records, textInputs } from './inputs.ts';
import { type Contender, extraMegabytes, medians, microseconds, table } from './measure.ts';
import { query } from './query.ts';
import { stores } from './stores.ts';
import { windows } from './windows.ts';
import { wrapper } from './wrapper.ts';

const PIECE = 128 * 1024;
const limits = { maxLines: 2000, maxBytes: 16_000 };
const seedLimits = { maxLines: 2000, maxBytes: 51_200 };

function auto(chunks: Iterable<string>): unknown {
  const scan = createTextScan({ headChars: 16_384, tailChars: 16_384, findsSalientLines: true });
  const sample = createJsonSample();
  for (const chunk of chunks) {
    scan.push(chunk);
    sample.push(chunk);
  }
  return preview({ scan: scan.finish(), json: sample.finish() }, { keep: 'auto', limits });
}

function* pieces(text: string): Iterable<string> {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE);
}

function countsAlone(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines + byteLength(text);
}

const floor = 'floor: count lines and bytes';
const textContenders: Contender<string>[] = [
  { name: floor, run: countsAlone },
  { name: 'head', run: (text) => truncateText(text) },
  { name: 'tail', run: (text) => truncateText(text, { keep: 'tail' }) },
  { name: 'ends', run: (text) => truncateText(text, { keep: 'ends' }) },
  { name: 'auto', run: (text) => auto(pieces(text)) },
  { name: 'seed 004, head', run: (text) => seedTruncate(text, { ...seedLimits, direction: 'head' }) },
  { name: 'seed 004, tail', run: (text) => seedTruncate(text, { ...seedLimits, direction: 'tail' }) },
];

/** A copy, as a tool would return it: no engine has seen it before. */
const freshCopy = (text: string) => Buffer.from(text).toString('latin1');

async function texts(): Promise<void> {
  // By address, so that nobody needs the peers installed to check types.
  const { loadPeers }: { loadPeers(): Promise<Contender<string>[]> } = await import(
    `${import.meta.dirname}/peers/index.mjs`
  );
  const contenders = [...textContenders, ...(await loadPeers())];
  const inputs = textInputs();
  const results: Map<string, number>[] = [];
  for (const { text } of inputs) results.push(await medians(contenders, { rounds: 7, input: () => freshCopy(text) }));
  const rows = contenders.map(({ name }) => [
    name,
    ...results.map((times) => {
      const time = times.get(name) ?? Number.NaN;
      return name === floor ? `${time.toFixed(1)} ms` : `×${(time / (times.get(floor) ?? Number.NaN)).toFixed(2)}`;
    }),
  ]);
  console.log(`\n## Large texts, in multiples of the floor\n\n${table(['', ...inputs.map(({ name }) => name)], rows)}`);
}

function smallTexts(): void {
  const rows = [1, 20].map((kilobytes) => {
    const text = log(kilobytes * 1024, { columns: 80 });
    const ours = microseconds(() => truncateText(text));
    const seeds = microseconds(() => seedTruncate(text, { ...seedLimits, direction: 'head' }));
    return [`${kilobytes} KB`, `${ours.toFixed(2)} µs`, `${seeds.toFixed(2)} µs`];
  });
  console.log(`\n## Small texts, within the limits\n\n${table(['', 'truncateText', 'seed 004'], rows)}`);
}

async function values(): Promise<void> {
  const value = records(50 * MEGABYTE);
  const native = 'JSON.stringify';
  const contenders: Contender<unknown>[] = [
    { name: native, run: (input) => JSON.stringify(input) },
    { name: 'serialize', run: (input) => [...serialize(input).chunks].length },
    { name: 'serialize, scan, sample, preview', run: (input) => auto(serialize(input).chunks) },
  ];
  const times = await medians(contenders, { rounds: 5, input: () => value });
  const rows = contenders.map(({ name }) => [
    name,
    `×${((times.get(name) ?? 0) / (times.get(native) ?? 1)).toFixed(2)}`,
  ]);
  console.log(`\n## A 50 MB value, in multiples of JSON.stringify\n\n${table(['', 'time'], rows)}`);
}

async function memory(): Promise<void> {
  const text = freshCopy(log(50 * MEGABYTE, { columns: 80 }));
  const value = records(100 * MEGABYTE);
  const rows: string[][] = [];
  for (const [name, run] of [
    ['truncateText of 50 MB', () => truncateText(text)],
    ['auto of 50 MB of log', () => auto(pieces(text))],
    ['auto of a 100 MB value', () => auto(serialize(value).chunks)],
    ['JSON.stringify of that value', () => JSON.stringify(value)],
  ] as const) {
    const megabytes = await extraMegabytes(run);
    rows.push([name, megabytes === undefined ? 'not told here' : `${megabytes.toFixed(0)} MB`]);
  }
  console.log(`\n## Memory at the peak, beyond the input\n\n${table(['', 'extra'], rows)}`);
}

smallTexts();
await wrapper();
await texts();
await values();
await stores();
await grep();
await memory();
// Last: what a database leaves behind in the process would hide what others need.
await query();
await windows();
