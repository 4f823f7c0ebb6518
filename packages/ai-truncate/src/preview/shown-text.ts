import type { Steps } from '../text/steps.ts';
import type { TextScan } from '../text/text-scan.ts';
import { byteLength, codePointStart } from '../text/utf.ts';
import { visibleTextInSteps, withVisibleSequencesInSteps } from '../text/visible-text.ts';
import { type Cut, type CutLimits, cutHead, cutTail } from './truncate-text.ts';
import type { Gap } from './truncation-notice.ts';

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

export function* showHead({ text: window, next }: EndWindow, limits: CutLimits): Steps<ShownText> {
  const { cut, text } = yield* fitVisible((raw) => cutHead(window, raw), { window, limits });
  return { text, lines: cut.lines, chars: cut.end - cut.start, splitsLine: (window[cut.end] ?? next) !== '\n' };
}

export function* showTail({ text: window, next }: EndWindow, limits: CutLimits): Steps<ShownText> {
  const { cut, text } = yield* fitVisible((raw) => cutTail(window, raw), { window, limits });
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
/** A preview that fills this share of its room is not made again. */
const ENOUGH = 0.9;

/**
 * The cut is made in the raw text, so that its lines and characters are the output's own. What becomes visible there can
 * weigh more than it does raw, up to a dozen bytes for one, or less, when it is full of colours: then less or more is taken.
 */
function* fitVisible(
  cutAt: (limits: CutLimits) => Cut,
  { window, limits }: { window: string; limits: CutLimits },
): Steps<{ cut: Cut; text: string }> {
  const { maxBytes, maxChars = Number.POSITIVE_INFINITY } = limits;
  const render = yield* rendererOf(window);
  // One number for both limits: a character weighs as much of `maxBytes` as it takes of `maxChars`.
  const weigh = (bytes: number, chars: number) => Math.max(bytes, Math.floor((chars * maxBytes) / maxChars));
  const limitsOf = (weight: number): CutLimits => {
    const chars = maxChars === Number.POSITIVE_INFINITY ? maxChars : Math.floor((maxChars * weight) / maxBytes);
    // With more room, a line would stop to be giant, and the preview would be smaller than with less.
    return { ...limits, maxBytes: weight, maxChars: chars, giant: weight > maxBytes ? limits : undefined };
  };
  let best = { cut: cutAt({ ...limits, maxBytes: 0 }), text: '' };
  let tooMuch = Number.POSITIVE_INFINITY;
  for (let raw = maxBytes, enough = 0, tries = 0; raw > enough && tries < MAX_CUTS; tries++) {
    const cut = cutAt(limitsOf(raw));
    yield;
    const text = yield* render(window.slice(cut.start, cut.end));
    const weight = weigh(cut.bytes, cut.end - cut.start);
    const visible = weigh(byteLength(text), text.length);
    if (visible <= maxBytes && text.length <= maxChars) {
      best = { cut, text };
      enough = raw;
      // Where nothing was removed, whole lines are what leaves room.
      const isFull = visible >= maxBytes * ENOUGH || (tooMuch === Number.POSITIVE_INFINITY && visible >= weight);
      if (isFull || cut.hit === 'lines') break;
      raw = Math.min(raw * 2, Math.floor((enough + tooMuch) / 2));
    } else {
      // The cut can weigh less than it was allowed to: only below its own weight it changes.
      tooMuch = Math.min(raw, weight);
      raw = Math.floor(enough > 0 ? (enough + tooMuch) / 2 : tooMuch * Math.min(0.9, maxBytes / visible));
    }
  }
  return best;
}

/** In a window that holds hardly anything but colours and cursor moves, these are shown: a preview is never empty. */
function* rendererOf(window: string): Steps<(raw: string) => Steps<string>> {
  const visible = yield* visibleTextInSteps(window);
  const isAllSequences = visible.trim().length * 100 < window.trim().length;
  return isAllSequences ? withVisibleSequencesInSteps : visibleTextInSteps;
}
