import { seedTruncate } from '../fixtures/seed-004.ts';
import { isTruncatedOutput } from '../src/protocol/truncated-output.ts';
import { memoryStore } from '../src/stores/memory-store.ts';
import { boundedModelText } from '../src/text/frame.ts';
import { truncateOutput } from '../src/tools/truncate-output.ts';

/** Something that makes a preview of a tool output. */
export interface PreviewMaker {
  name: string;
  /** Whether it keeps the whole output, so that readers find it. */
  keepsOutput: boolean;
  /** What a model reads of the output. */
  preview(text: string, options: { bytes: number }): Promise<string> | string;
}

const ourKeeps = ['auto', 'head', 'tail', 'ends'] as const;

/** Ours pay for notice and hint out of the budget; the content of all others has the budget alone. */
export async function previewMakers(): Promise<PreviewMaker[]> {
  // By address, so that nobody needs the peers installed to check types.
  const { peerPreviews }: { peerPreviews(): Promise<PreviewMaker[]> } = await import(
    `${import.meta.dirname}/peers/previews.mjs`
  );
  return [...ourKeeps.map(ours), ...(['head', 'tail'] as const).map(seed), ...(await peerPreviews())];
}

export function ours(keep: (typeof ourKeeps)[number]): PreviewMaker {
  return {
    name: keep,
    keepsOutput: true,
    async preview(text, { bytes }) {
      const output = await truncateOutput(text, {
        store: memoryStore(),
        scope: 'bench',
        toolName: 'runCommand',
        toolCallId: 'call_1',
        tools: ['grepArtifacts', 'readArtifact', 'queryArtifact'],
        keep,
        previewBytes: bytes,
      });
      if (!isTruncatedOutput(output)) throw new Error('An output of the benchmark is within the limits.');
      return boundedModelText({ text: output.text, preview: output.data.preview }, bytes);
    },
  };
}

function seed(direction: 'head' | 'tail'): PreviewMaker {
  return {
    name: `seed 004, ${direction}`,
    keepsOutput: true,
    preview: (text, { bytes }) => seedTruncate(text, { maxLines: 2000, maxBytes: bytes, direction }).content,
  };
}
