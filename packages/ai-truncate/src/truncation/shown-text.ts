import { byteLength } from './byte-length.ts';
import { type Cut, type CutLimits, cutHead, cutTail } from './truncate-text.ts';
import { visibleText } from './visible-text.ts';

/** One end of an output as the model sees it, and how much of the raw output that is. */
export interface ShownText {
  text: string;
  /** Lines of the output, the one that is cut inside counted as shown. */
  lines: number;
  /** Characters of the raw output. */
  chars: number;
  /** The cut went through a line. */
  splitsLine: boolean;
}

/** @param window the beginning of the output, as much of it as could be shown. */
export function showHead(window: string, limits: CutLimits): ShownText {
  const cut = fitVisible((maxBytes) => cutHead(window, { ...limits, maxBytes }), { window, maxBytes: limits.maxBytes });
  return { ...cut, splitsLine: window[cut.end] !== '\n' };
}

/** @param window the end of the output, as much of it as could be shown. */
export function showTail(window: string, limits: CutLimits): ShownText {
  const cut = fitVisible((maxBytes) => cutTail(window, { ...limits, maxBytes }), { window, maxBytes: limits.maxBytes });
  return { ...cut, splitsLine: window[cut.start - 1] !== '\n' };
}

/**
 * The cut is made in the raw text, so that its lines and characters are the output's own; what becomes visible there can
 * weigh more, up to a dozen bytes for one, and then less of the raw text is taken.
 */
function fitVisible(
  cutAt: (maxBytes: number) => Cut,
  { window, maxBytes }: { window: string; maxBytes: number },
): { text: string; lines: number; chars: number; start: number; end: number } {
  for (let rawBytes = maxBytes; ; ) {
    const { start, end, lines } = cutAt(rawBytes);
    const text = visibleText(window.slice(start, end));
    const bytes = byteLength(text);
    if (bytes <= maxBytes) return { text, lines, chars: end - start, start, end };
    rawBytes = Math.floor(rawBytes * Math.min(0.9, maxBytes / bytes));
  }
}
