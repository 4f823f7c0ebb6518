import type { Artifacts } from '../../artifacts/artifacts.ts';
import { artifactOwner, withOwner } from '../../artifacts/scoped-artifacts.ts';
import { textViewOf, withTextView } from '../../artifacts/text-views.ts';
import { AiTruncateError } from '../../errors.ts';
import { exploreWords } from './explore-words.ts';

/** Artifacts that count the bytes that are read from them. */
export interface MeteredArtifacts {
  artifacts: Artifacts;
  bytesRead(): number;
  isSpent(): boolean;
}

/** The same artifacts with a shared budget for all reads. The last chunk may exceed it. */
export function meteredArtifacts(artifacts: Artifacts, { maxBytes }: { maxBytes: number }): MeteredArtifacts {
  let bytesRead = 0;

  function requireBudget(): void {
    if (bytesRead < maxBytes) return;
    throw new AiTruncateError(exploreWords.scanBudgetSpent, { code: 'BUDGET_SPENT' });
  }

  const metered: Artifacts = {
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
          requireBudget();
          bytesRead += chunk.length;
          controller.enqueue(chunk);
        },
      });
      const stream = await artifacts.readStream(path, options);
      const metered = stream.pipeThrough(count);
      return textViewOf(stream) ? withTextView(metered) : metered;
    },
  };
  return {
    artifacts: withOwner(metered, artifactOwner(artifacts)),
    bytesRead: () => bytesRead,
    isSpent: () => bytesRead >= maxBytes,
  };
}
