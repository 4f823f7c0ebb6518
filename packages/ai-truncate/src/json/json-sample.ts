import { finished, type Steps } from '../pace.ts';
import { detach } from '../text/utf.ts';
import { type JsonContainer, type JsonPlace, type LongTexts, readBothEnds, readWhole } from './json-node.ts';
import { JSON_BLOCK, JsonOutline } from './json-outline.ts';
import type { JsonPassages } from './json-passages.ts';

/** Reads JSON text in pieces of any size and stores the parts that a preview needs, in constant memory. */
export type JsonSampler = {
  push(chunk: string): void;
  /**
   * The sampled document, or `undefined` if the text is not one JSON document whose root is an object or array. It takes steps,
   * because building a document takes up to 20 ms.
   */
  finish(): Steps<JsonContainer | undefined>;
  /** The strings that are long texts, after the whole text was pushed; `undefined` for a text that is not sampled. */
  longTexts(): LongTexts | undefined;
  /** True as soon as the text cannot be sampled. After that, `push` does nothing. */
  readonly rejected: boolean;
};

/** The whole text as a node, or `undefined` if it is not one JSON document with an object or array as its root. */
export function parseJson(text: string): JsonContainer | undefined {
  const outline = new JsonOutline();
  outline.scanner.feed(text);
  return outline.read() && outline.isComplete ? finished(readWhole(text)) : undefined;
}

const HEAD_BLOCKS = 8;
const TAIL_BLOCKS = 8;
/** The first character of most texts shows whether they are JSON. */
const NO_JSON = /^\s*[^\s[{]/;

/**
 * Samples JSON text of any size. Its first and last 128 Ki characters become nodes. Between them, every item of the containers
 * around the gap is counted. Up to 256 Ki characters, nothing is lost.
 *
 * All decisions are made at multiples of 16 Ki characters from the start, so the split into chunks changes nothing. A text with a
 * key of more than 16 Ki characters, or nested deeper than 512 levels, is not sampled.
 *
 * @param passages Receives the items of the same text.
 */
export function createJsonSample(passages?: JsonPassages): JsonSampler {
  let outline: JsonOutline | undefined;
  const head: string[] = [];
  /** The last complete blocks, each with the first place where reading can start. */
  const tail: { text: string; start: JsonPlace | undefined }[] = [];
  let headEnd: JsonPlace | undefined;
  let pieces: string[] = [];
  let filled = 0;
  let blocks = 0;
  let rejected = false;

  function closeBlock(read: JsonOutline): void {
    // A copy, because a slice would hold the chunk, which may be fifty times as large.
    const text = detach(pieces.length === 1 ? (pieces[0] as string) : pieces.join(''));
    const { start, end } = read.endBlock(text);
    if (blocks < HEAD_BLOCKS) head.push(text);
    blocks++;
    if (blocks === HEAD_BLOCKS) headEnd = end;
    tail.push({ text, start });
    if (tail.length >= TAIL_BLOCKS) tail.shift();
    pieces = [];
    filled = 0;
  }

  function push(chunk: string): void {
    if (rejected) return;
    if (!outline && NO_JSON.test(chunk)) {
      rejected = true;
      return;
    }
    outline ??= new JsonOutline(passages);
    outline.scanner.feed(chunk, 0);
    passages?.startChunk(chunk);
    for (let from = 0; from < chunk.length && !rejected; ) {
      if (filled === JSON_BLOCK) closeBlock(outline);
      const to = Math.min(chunk.length, from + JSON_BLOCK - filled);
      outline.scanner.extend(to);
      rejected = !outline.read();
      pieces.push(chunk.slice(from, to));
      filled += to - from;
      from = to;
    }
    if (rejected) head.length = tail.length = pieces.length = 0;
    const piece = pieces.pop();
    if (piece !== undefined) pieces.push(detach(piece));
    outline.endPiece();
    passages?.endChunk();
    // Otherwise the scanner would hold the chunk in memory until the next one arrives.
    outline.scanner.feed('');
  }

  function* finish(): Steps<JsonContainer | undefined> {
    if (rejected || !outline?.isComplete) return undefined;
    const last = pieces.join('');
    const textFrom = (block: number): string => [...tail.slice(block).map(({ text }) => text), last].join('');
    if (!headEnd || blocks < HEAD_BLOCKS + TAIL_BLOCKS)
      return yield* readWhole(head.join('') + textFrom(tail.length - (blocks - head.length)));
    const block = tail.findIndex(({ start }) => start);
    const start = tail[block]?.start;
    const blockStart = (blocks - tail.length + block) * JSON_BLOCK;
    return yield* readBothEnds(
      { text: head.join(''), end: headEnd },
      start && { text: textFrom(block).slice(start.position - blockStart), start },
    );
  }

  return {
    push,
    finish,
    longTexts: () => (rejected ? undefined : outline?.endTexts(pieces.join(''))),
    get rejected() {
      return rejected;
    },
  };
}
