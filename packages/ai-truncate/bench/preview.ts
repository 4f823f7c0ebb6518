import { preview as choosePreview } from '../fixtures/scanned-output.ts';
import { seedTruncate } from '../fixtures/seed-004.ts';
import { serialize } from '../src/json/serialize.ts';
import { createOutputScanner } from '../src/preview/choose-preview.ts';
import { resolveLimits } from '../src/preview/limits.ts';
import { truncateText } from '../src/preview/truncate-text.ts';
import { focusTerms } from '../src/text/focus-terms.ts';
import { byteLength, countLines } from '../src/text/utf.ts';
import type { BenchPart, BenchScale } from './bench-part.ts';
import { type Column, type Contender, compare, type Rival } from './compare.ts';
import { comparisonText } from './comparison-text.ts';
import { log, logPieces, MEGABYTE, records } from './inputs.ts';
import { columnsBetween, megabytesText, mostStringBytes } from './sizes.ts';

interface Output {
  /** The same text in pieces, like a stream. */
  pieces(): Iterable<string>;
  /** Absent if the text exceeds the longest possible string. */
  text?: string;
}

interface Peer {
  name: string;
  rival: Rival;
  /** Absent if it is not installed. */
  run?(text: string): unknown;
}

const PIECE = 128 * 1024;
const cutLimits = { maxLines: 2000, maxBytes: 16_000 };
const seedLimits = { maxLines: 2000, maxBytes: 51_200 };
const floor = 'floor: count lines and bytes';
/** Names some words of every line and some numbers that are in few lines, so that neither kind of term is cheap. */
const question = 'Why did worker-7 fail to process job 48213 of customer 9921, and what happened at 15:30:42?';
/** The preview of an application that sets no option. */
const byDefault: Rival = {
  of: 'auto',
  because: 'it searches no lines between the ends and no JSON, which take most of the time of `auto`',
};
const less = 'it checks no options and counts no characters; a single line over the limit shows nothing';

/** Previews of outputs over the limits. */
export const preview: BenchPart = {
  section: 'bench-preview',
  heading: 'To make a preview',
  async measure(scale) {
    const contenders = [...texts, ...(await peers())];
    return [await sizes(contenders, scale), await shapes(contenders, scale), await values(scale)].join('\n\n');
  },
};

const texts: Contender<Output>[] = [
  { name: floor, run: ({ pieces }) => counted(pieces()) },
  { name: 'auto', run: ({ pieces }) => previewed(pieces(), { keep: 'auto' }) },
  { name: 'auto with a question', run: ({ pieces }) => previewed(pieces(), { keep: 'auto', question }) },
  { name: 'ends', run: ({ pieces }) => previewed(pieces(), { keep: 'ends' }) },
  ofText({ name: 'truncateText, head', run: (text) => truncateText(text) }),
  ofText({ name: 'truncateText, tail', run: (text) => truncateText(text, { keep: 'tail' }) }),
  ofText({ name: 'truncateText, ends', run: (text) => truncateText(text, { keep: 'ends' }) }),
  ofText({
    name: 'seed 004, head',
    rival: { of: 'truncateText, head', because: less },
    run: (text) => seedTruncate(text, { ...seedLimits, direction: 'head' }),
  }),
  ofText({
    name: 'seed 004, tail',
    rival: { of: 'truncateText, tail', because: less },
    run: (text) => seedTruncate(text, { ...seedLimits, direction: 'tail' }),
  }),
];

async function peers(): Promise<Contender<Output>[]> {
  // Imported by a computed path, so that type checks work without the peers.
  const { loadPeers }: { loadPeers(): Promise<Peer[]> } = await import(`${import.meta.dirname}/peers/index.mjs`);
  return (await loadPeers()).map(ofText);
}

/** A contender that reads a whole text. It has no `run` if it is not installed. */
function ofText({ name, rival, run }: Omit<Peer, 'rival'> & Partial<Pick<Peer, 'rival'>>): Contender<Output> {
  return {
    name,
    ...(rival && { rival }),
    cannot({ text }) {
      if (!run) return 'not installed';
      return text === undefined ? 'longer than any string' : undefined;
    },
    run: ({ text }) => run?.(text ?? ''),
  };
}

function sizes(contenders: Contender<Output>[], scale: BenchScale): Promise<string> {
  const columns = columnsBetween(['1 KB', '1 GB'], {
    scale,
    prepare: ({ bytes }) =>
      bytes < mostStringBytes ? ofOne(log(bytes, { columns: 80 })) : { pieces: () => logPieces(bytes) },
  });
  const caption =
    'A log of 80 columns. `auto` and `ends` work piece by piece, like a wrapped tool with a stream; all others read a whole text.';
  return compared(contenders, { columns, scale, caption });
}

function shapes(contenders: Contender<Output>[], scale: BenchScale): Promise<string> {
  const bytes = Math.min(10 * MEGABYTE, scale.mostBytes);
  const made: [string, () => string][] = [
    ['20 columns', () => log(bytes, { columns: 20 })],
    ['1,000 columns', () => log(bytes, { columns: 1000 })],
    ['in one line', () => log(bytes, { columns: 80 }).replaceAll('\n', ' ')],
    ['JSON', () => JSON.stringify(records(bytes))],
  ];
  const columns = made.map(([name, make]) => ({ name, bytes, prepare: () => ofOne(make()) }));
  return compared(contenders, { columns, scale, caption: `${megabytesText(bytes)} of other shapes.` });
}

interface ComparedSizes {
  columns: Column<Output>[];
  scale: BenchScale;
  caption: string;
}

async function compared(contenders: Contender<Output>[], { columns, scale, caption }: ComparedSizes): Promise<string> {
  const comparison = await compare(contenders, { columns, scale });
  return comparisonText(comparison, { caption, base: floor, alsoWith: byDefault, tellsThroughput: true });
}

async function values(scale: BenchScale): Promise<string> {
  const ours = 'auto, of the value';
  const contenders: Contender<unknown[]>[] = [
    { name: 'floor: JSON.stringify', run: (value) => JSON.stringify(value) },
    { name: ours, run: (value) => previewed(serialize(value).chunks, { keep: 'auto', isValue: true }) },
    {
      name: 'JSON.stringify, then seed 004',
      rival: {
        of: ours,
        because: 'the engine writes the JSON at once, blocking the process as long, and its preview is not JSON',
      },
      run: (value) => seedTruncate(JSON.stringify(value), { ...seedLimits, direction: 'head' }),
    },
  ];
  const columns = columnsBetween(['1 KB', '100 MB'], { scale, prepare: ({ bytes }) => records(bytes) });
  const comparison = await compare(contenders, { columns, scale });
  const caption = 'An array of records. ai-truncate writes a smaller document that still parses, in slices.';
  return comparisonText(comparison, { caption, base: 'floor: JSON.stringify', tellsThroughput: true });
}

/** The preview of an output that arrives in pieces. */
async function previewed(
  pieces: Iterable<string>,
  { keep, question: asked, isValue = false }: { keep: 'auto' | 'ends'; question?: string; isValue?: boolean },
): Promise<unknown> {
  const terms = () => (asked === undefined ? [] : focusTerms([asked]));
  const scanner = createOutputScanner(resolveLimits({ keep }), { isValue, terms });
  for (const piece of pieces) await scanner.push(piece);
  return choosePreview(await scanner.finish(), { keep, limits: cutLimits });
}

function counted(pieces: Iterable<string>): number {
  let count = 0;
  for (const piece of pieces) count += countLines(piece) + byteLength(piece);
  return count;
}

function ofOne(text: string): Output {
  // In one piece, as no engine has seen it before.
  const flat = Buffer.from(text).toString('latin1');
  return { text: flat, pieces: () => piecesOf(flat) };
}

function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE);
}
