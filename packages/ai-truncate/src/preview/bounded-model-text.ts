import { byteLength, endOfFirstBytes } from '../text/utf.ts';
import { wellFormedText, withoutFrameTags } from '../text/visible-text.ts';
import { gapRow, modelText } from './truncation-notice.ts';

/**
 * What a model reads of an envelope that may have come back from a client, who may have put anything into it: within the budget
 * again, and nothing leaves the frame. Of an envelope of ours nothing changes, so that the same history gives the same bytes.
 */
export function boundedModelText(output: { text: string; preview: string }, maxBytes: number): string {
  // A character weighs at least a byte: no more than that is ever looked at.
  const text = safe(output.text.slice(0, maxBytes));
  const preview = safe(output.preview.slice(0, maxBytes));
  const whole = modelText({ text, preview });
  if (byteLength(whole) <= maxBytes) return whole;
  const words = text.slice(0, endOfFirstBytes(text, Math.floor(maxBytes / 2)));
  // The notice tells how much was shown before: the row says that it is less now.
  const row = (shown: string) => `\n${gapRow({ lines: 0, from: 0, chars: output.preview.length - shown.length })}`;
  const room = maxBytes - byteLength(modelText({ text: words, preview: row('') }));
  const shown = preview.slice(0, endOfFirstBytes(preview, Math.max(0, room)));
  return modelText({ text: words, preview: shown.length < output.preview.length ? shown + row(shown) : shown });
}

function safe(text: string): string {
  return withoutFrameTags(wellFormedText(text));
}
