import type { Artifacts } from '../artifacts/artifacts.ts';
import { AiTruncateError } from '../errors.ts';
import { exploreWords } from './explore-words.ts';

/** Artifacts whose reading is counted. */
export interface MeteredArtifacts {
  artifacts: Artifacts;
  bytesRead(): number;
  isSpent(): boolean;
}

/**
 * The same artifacts, of which no more is read than a budget. A read that began within it ends: each is bounded by itself, a
 * search by its two seconds.
 */
export function meteredArtifacts(artifacts: Artifacts, { maxBytes }: { maxBytes: number }): MeteredArtifacts {
  let bytesRead = 0;

  function requireBudget(): void {
    if (bytesRead < maxBytes) return;
    throw new AiTruncateError(exploreWords.scanBudgetSpent, { code: 'BUDGET_SPENT' });
  }

  return {
    artifacts: {
      ...artifacts,
      async readLines(path, options) {
        requireBudget();
        const window = await artifacts.readLines(path, options);
        for (const { shownBytes } of window.lines) bytesRead += shownBytes + 1;
        return window;
      },
      async readBytes(path, options) {
        requireBudget();
        const window = await artifacts.readBytes(path, options);
        bytesRead += window.bytes.length;
        return window;
      },
      async readStream(path, options) {
        requireBudget();
        const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
          transform(chunk, controller) {
            bytesRead += chunk.length;
            controller.enqueue(chunk);
          },
        });
        return (await artifacts.readStream(path, options)).pipeThrough(count);
      },
    },
    bytesRead: () => bytesRead,
    isSpent: () => bytesRead >= maxBytes,
  };
}
