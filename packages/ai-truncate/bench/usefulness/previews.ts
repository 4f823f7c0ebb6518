import { seedTruncate } from '../../fixtures/seed-004.ts';
import { isTruncatedOutput } from '../../src/protocol/truncated-output.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import { boundedModelText } from '../../src/text/frame.ts';
import { truncateOutput } from '../../src/tools/truncate-output.ts';

/** A function that makes a preview of a tool output. */
export interface PreviewMaker {
  name: string;
  /** Whether it saves the whole output, so that readers find it. */
  keepsOutput: boolean;
  /** The text that the model sees. */
  preview(text: string, options: { bytes: number; question: string }): Promise<string> | string;
}

const ourKeeps = ['auto', 'head', 'tail', 'ends'] as const;

/** In ai-truncate, notice and hint are part of the budget. All others use the whole budget for content. */
export async function previewMakers(): Promise<PreviewMaker[]> {
  return [...ourKeeps.map((keep) => ours(keep)), asked, askedAnythingElse, ...(await peerMakers())];
}

/** Previews by others: the function of the requirement documents, and other packages. */
export async function peerMakers(): Promise<PreviewMaker[]> {
  // Imported by a computed path, so that type checks work without the peers.
  const { peerPreviews }: { peerPreviews(): Promise<PreviewMaker[]> } = await import(
    `${import.meta.dirname}/../peers/previews.mjs`
  );
  return [...(await peerPreviews()), ...(['head', 'tail'] as const).map(seed)];
}

export function ours(keep: (typeof ourKeeps)[number], focusOf: FocusOf = () => ''): PreviewMaker {
  return {
    name: keep,
    keepsOutput: true,
    async preview(text, { bytes, question }) {
      const output = await truncateOutput(text, {
        store: memoryStore(),
        scope: 'bench',
        toolName: 'runCommand',
        toolCallId: 'call_1',
        hint: { grep: 'grepArtifacts', read: 'readArtifact', query: 'queryArtifact' },
        keep,
        focus: focusOf(question),
        previewBytes: bytes,
      });
      if (!isTruncatedOutput(output)) throw new Error('An output of the benchmark is within the limits.');
      return boundedModelText({ text: output.text, preview: output.data.preview }, { maxBytes: bytes });
    },
  };
}

type FocusOf = (question: string) => string;

const asked: PreviewMaker = {
  ...ours('auto', (question) => question),
  name: 'auto, with the question',
};

/** A question about another output costs nothing, because the preview is chosen from what the output says. */
const askedAnythingElse: PreviewMaker = {
  ...ours('auto', () => 'How long does a bread of rye flour have to rest before I bake it in Vienna?'),
  name: 'auto, with an unrelated question',
};

function seed(direction: 'head' | 'tail'): PreviewMaker {
  return {
    name: `seed 004, ${direction}`,
    keepsOutput: true,
    preview: (text, { bytes }) => seedTruncate(text, { maxLines: 2000, maxBytes: bytes, direction }).content,
  };
}
