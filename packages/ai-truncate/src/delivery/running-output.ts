import { serialize } from '../json/serialize.ts';
import { inTurns, pace } from '../pace.ts';
import { previewInSteps } from '../preview/preview.ts';
import { runningNotice } from '../preview/preview-words.ts';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import { markOwn } from '../protocol/truncated-output.ts';
import { createTextScan } from '../text/text-scan.ts';
import type { Delivery } from './delivery.ts';
import { envelopeFacts } from './envelope-facts.ts';
import type { TruncationEvent } from './truncation-event.ts';

const SHOWN_BYTES = 1024;

/** What is shown of an output that is too large already, while its tool still works: its end, and nothing is kept. */
export async function toRunningOutput(
  output: unknown,
  delivery: Delivery & { reason: TruncationEvent['reason'] },
): Promise<TruncatedOutput> {
  const { chunks, mediaType } = serialize(output, { indent: 2 });
  const scanner = createTextScan({ headChars: 0, tailChars: 2 * SHOWN_BYTES, findsSalientLines: false });
  for await (const chunk of pace(chunks)) scanner.push(chunk);
  const scan = scanner.finish();
  const { toolName, limits, reason } = delivery;
  const limitsOfTail = { maxLines: limits.maxLines, maxBytes: SHOWN_BYTES };
  const shown = await inTurns(previewInSteps({ scan }, { keep: 'tail', limits: limitsOfTail }));
  return markOwn<TruncatedOutput>({
    status: 'partial',
    data: {
      truncated: true,
      truncation: {
        direction: 'tail',
        reason,
        max_lines: limits.maxLines,
        max_bytes: limits.maxBytes,
        original_lines: scan.lines,
        original_bytes: scan.bytes,
        original_chars: scan.chars,
        kept_lines: shown.lines,
        kept_bytes: shown.bytes,
        full_output_path: null,
        media_type: mediaType,
        running: true,
      },
      preview: shown.text,
    },
    text: runningNotice({ toolName, part: shown.part }),
    ...(await envelopeFacts(delivery, {})),
  });
}
