/** How a piece of a line is drawn: one of the classes below, or plain. */
export type SegmentKind = 'plain' | 'control';

export interface TextSegment {
  text: string;
  kind: SegmentKind;
  className: string;
}

interface Style {
  colour: number | undefined;
  isBold: boolean;
  isDim: boolean;
  isUnderlined: boolean;
}

const plain: Style = { colour: undefined, isBold: false, isDim: false, isUnderlined: false };

/** The colours of a terminal, as this page has them: each is readable in both themes. */
const colours = [
  'text-muted',
  'text-failure',
  'text-success',
  'text-warning',
  'text-accent',
  'text-magenta',
  'text-cyan',
];

// Colours and cursor movements (CSI), titles and links (OSC, to its end or the end of the line), and the short escapes.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const ESCAPE = /\u001b(?:\[([0-?]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|[@-Z\\-_])/g;
// Also what hides in a text or reorders it: bidirectional controls, characters without a width, tag characters.
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: see above.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/**
 * A line of a tool's output, ready to be drawn as text: colours become classes, other sequences of terminals are left out, and
 * characters that hide or reorder text stand as their code. Whoever wrote the line decides nothing about the page.
 *
 * Each line begins without a colour: one that an earlier line opened is not known here.
 */
export function textSegments(line: string): TextSegment[] {
  const segments: TextSegment[] = [];
  let style = plain;
  let end = 0;
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  for (const match of text.matchAll(ESCAPE)) {
    pushVisible(segments, { text: text.slice(end, match.index), className: classOf(style) });
    end = match.index + match[0].length;
    if (match[2] === 'm') style = styled(style, match[1] ?? '');
  }
  pushVisible(segments, { text: text.slice(end), className: classOf(style) });
  return segments;
}

/** The text of a line as it is shown, without colours. */
export function shownText(line: string): string {
  return textSegments(line)
    .map(({ text }) => text)
    .join('');
}

function pushVisible(segments: TextSegment[], { text, className }: { text: string; className: string }): void {
  let end = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > end) segments.push({ text: text.slice(end, match.index), kind: 'plain', className });
    const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    segments.push({ text: `U+${code}`, kind: 'control', className: 'control-character' });
    end = match.index + match[0].length;
  }
  if (end < text.length) segments.push({ text: text.slice(end), kind: 'plain', className });
}

/** What `ESC [ … m` makes of a style. Colours of 256 and of 16 million are passed over: few of them are readable in both themes. */
function styled(style: Style, parameters: string): Style {
  let next = style;
  const codes = parameters.split(/[;:]/).map(Number);
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? 0;
    if (code === 0) next = plain;
    else if (code === 1) next = { ...next, isBold: true };
    else if (code === 2) next = { ...next, isDim: true };
    else if (code === 4) next = { ...next, isUnderlined: true };
    else if (code === 22) next = { ...next, isBold: false, isDim: false };
    else if (code === 24) next = { ...next, isUnderlined: false };
    else if (code === 39) next = { ...next, colour: undefined };
    else if (code >= 30 && code <= 37) next = { ...next, colour: code - 30 };
    else if (code >= 90 && code <= 97) next = { ...next, colour: code - 90 };
    else if (code === 38 || code === 48) index += codes[index + 1] === 2 ? 4 : 2;
  }
  return next;
}

function classOf({ colour, isBold, isDim, isUnderlined }: Style): string {
  return [
    // White is the colour of the text.
    colour === undefined ? isDim && 'text-muted' : colours[colour],
    isBold && 'font-semibold',
    isUnderlined && 'underline',
  ]
    .filter(Boolean)
    .join(' ');
}
