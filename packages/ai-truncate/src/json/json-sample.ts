import { finished, type Steps } from '../pace.ts';
import { detach } from '../text/utf.ts';
import type { JsonContainer, JsonPlace } from './json-node.ts';
import { JSON_BLOCK, JsonOutline } from './json-outline.ts';
import { joinParts, parseJsonInSteps } from './partial-json.ts';

/** Takes JSON text in pieces of any size and keeps what a preview of it needs, in constant memory. */
export type JsonSampler = {
  push(chunk: string): void;
  /** The sampled document, or `undefined` when the text is not one JSON document whose root is an object or array. */
  finish(): JsonContainer | undefined;
  /** The same in steps: to build a document takes up to 20 ms. */
  finishInSteps(): Steps<JsonContainer | undefined>;
  /** True as soon as that is certain; from then on `push` does nothing. */
  readonly rejected: boolean;
};

const HEAD_BLOCKS = 8;
const TAIL_BLOCKS = 8;

/**
 * Samples JSON text of any size: its first and last 128 Ki characters become nodes, and of what lies between them every
 * item of the containers around the gap is counted. Up to 256 Ki characters nothing is lost.
 *
 * Everything is decided at multiples of 16 Ki characters from the start, so how the text is cut into chunks changes
 * nothing.
 *
 * @example
 * ```ts
 * const sample = createJsonSample();
 * for await (const chunk of chunks) sample.push(chunk);
 * const node = sample.finish();
 * ```
 */
export function createJsonSample(): JsonSampler {
  const outline = new JsonOutline();
  const head: string[] = [];
  /** The last complete blocks, each with the place where it starts. */
  const tail: Block[] = [];
  let headEnd: JsonPlace | undefined;
  let blockStart = outline.place('');
  let pieces: string[] = [];
  let filled = 0;
  let blocks = 0;
  let rejected = false;

  function closeBlock(): void {
    // What is kept of a chunk must not keep the chunk: it may be fifty times as large.
    const text = detach(pieces.length === 1 ? (pieces[0] as string) : pieces.join(''));
    tail.push({ start: blockStart, text });
    if (blocks < HEAD_BLOCKS) head.push(text);
    if (tail.length >= TAIL_BLOCKS) tail.shift();
    blocks++;
    blockStart = outline.place(text);
    if (blocks === HEAD_BLOCKS) headEnd = blockStart;
    pieces = [];
    filled = 0;
  }

  function push(chunk: string): void {
    if (rejected) return;
    outline.scanner.feed(chunk, 0);
    for (let from = 0; from < chunk.length; ) {
      if (filled === JSON_BLOCK) closeBlock();
      const to = Math.min(chunk.length, from + JSON_BLOCK - filled);
      outline.scanner.extend(to);
      if (!outline.read()) {
        reject();
        return;
      }
      pieces.push(chunk.slice(from, to));
      filled += to - from;
      from = to;
    }
    const piece = pieces.pop();
    if (piece !== undefined) pieces.push(detach(piece));
    letChunkGo();
  }

  /** The scanner would keep it until the next one comes. */
  function letChunkGo(): void {
    outline.scanner.feed('');
  }

  function reject(): void {
    rejected = true;
    letChunkGo();
    head.length = tail.length = pieces.length = 0;
  }

  function* finishInSteps(): Steps<JsonContainer | undefined> {
    if (rejected || !outline.isComplete) return undefined;
    const last = pieces.join('');
    if (!headEnd || blocks < HEAD_BLOCKS + TAIL_BLOCKS) {
      const afterHead = tail.slice(tail.length - (blocks - head.length)).map(({ text }) => text);
      return yield* parseJsonInSteps([...head, ...afterHead, last].join(''));
    }
    const start = tail[0]?.start ?? blockStart;
    const tailText = [...tail.map(({ text }) => text), last].join('');
    return yield* joinParts({ text: head.join(''), end: headEnd }, { text: tailText, start });
  }

  return {
    push,
    finish: () => finished(finishInSteps()),
    finishInSteps,
    get rejected() {
      return rejected;
    },
  };
}

type Block = { start: JsonPlace; text: string };
