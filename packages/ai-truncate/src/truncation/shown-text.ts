import { byteLength, codePointStart } from './byte-length.ts';
import type { TextScan } from './text-scan.ts';
import { type Cut, type CutLimits, cutHead, cutTail } from './truncate-text.ts';
import type { Gap } from './truncation-notice.ts';
import { visibleText, withVisibleSequences } from './visible-text.ts';

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

/** As much of one end of an output as could be shown. */
export interface EndWindow {
  text: string;
  /** The character of the output that comes next, towards its middle, where it is known. */
  next?: string | undefined;
}

export function showHead({ text: window, next }: EndWindow, limits: CutLimits): ShownText {
  const { cut, text } = fitVisible((maxBytes) => cutHead(window, { ...limits, maxBytes }), { window, ...limits });
  return { text, lines: cut.lines, chars: cut.end - cut.start, splitsLine: (window[cut.end] ?? next) !== '\n' };
}

export function showTail({ text: window, next }: EndWindow, limits: CutLimits): ShownText {
  const { cut, text } = fitVisible((maxBytes) => cutTail(window, { ...limits, maxBytes }), { window, ...limits });
  return { text, lines: cut.lines, chars: cut.end - cut.start, splitsLine: (window[cut.start - 1] ?? next) !== '\n' };
}

/**
 * Beginning and end for a preview that shows both. Neither reaches the middle, so nothing is shown twice and something is
 * always missing between them.
 */
export function halves(scan: TextScan): { head: EndWindow; tail: EndWindow } {
  const half = Math.max(0, Math.floor(scan.chars / 2) - 1);
  let headEnd = codePointStart(scan.head, Math.min(scan.head.length, half));
  let tailStart = scan.tail.length - Math.min(scan.tail.length, half);
  if (codePointStart(scan.tail, tailStart) < tailStart) tailStart++;
  // A line feed at the edge would show nothing of the line beyond it.
  if (scan.head[headEnd - 1] === '\n') headEnd--;
  if (scan.tail[tailStart] === '\n') tailStart++;
  return {
    head: { text: scan.head.slice(0, headEnd), next: scan.head[headEnd] },
    tail: { text: scan.tail.slice(tailStart), next: scan.tail[tailStart - 1] },
  };
}

/** What is missing between a beginning and an end. */
export function gapBetween(head: ShownText, { tail, of }: { tail: ShownText; of: TextScan }): Gap {
  const firstOfTail = of.lines - tail.lines + 1;
  return {
    lines: Math.max(0, firstOfTail - head.lines - 1),
    from: head.lines + 1,
    chars: of.chars - head.chars - tail.chars,
    restOf: head.splitsLine ? head.lines : undefined,
    startOf: tail.splitsLine ? firstOfTail : undefined,
  };
}

/** The search for a cut ends after so many: by then it is within a hundredth. */
const MAX_CUTS = 12;

/**
 * The cut is made in the raw text, so that its lines and characters are the output's own. What becomes visible there can
 * weigh more than it does raw, up to a dozen bytes for one, or less, when it is full of colours: then less or more is taken.
 */
function fitVisible(
  cutAt: (maxBytes: number) => Cut,
  { window, maxBytes }: { window: string; maxBytes: number },
): { cut: Cut; text: string } {
  const render = rendererOf(window);
  let best = { cut: cutAt(0), text: '' };
  let tooMuch = Number.POSITIVE_INFINITY;
  for (let rawBytes = maxBytes, enough = 0, tries = 0; rawBytes > 0 && tries < MAX_CUTS; tries++) {
    const cut = cutAt(rawBytes);
    const text = render(window.slice(cut.start, cut.end));
    const bytes = byteLength(text);
    if (bytes <= maxBytes) {
      best = { cut, text };
      enough = rawBytes;
      if (bytes > maxBytes / 2 || cut.hit === 'lines') break;
      rawBytes = Math.min(rawBytes * 2, Math.floor((enough + tooMuch) / 2));
    } else {
      // The cut can weigh less than it was allowed to: only below its own weight it changes.
      tooMuch = cut.bytes;
      rawBytes = Math.floor(enough > 0 ? (enough + tooMuch) / 2 : tooMuch * Math.min(0.9, maxBytes / bytes));
    }
  }
  return best;
}

/** In a window that holds hardly anything but colours and cursor moves, these are shown: a preview is never empty. */
function rendererOf(window: string): (raw: string) => string {
  const isAllSequences = visibleText(window).trim().length * 100 < window.trim().length;
  return isAllSequences ? withVisibleSequences : visibleText;
}
