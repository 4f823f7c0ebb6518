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

// Only colours, with at most sixteen numbers. Every other sequence of a terminal is drawn, because a title or a link can contain
// words that a model reads.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const COLOUR = /\u001b\[((?:\d{0,3}[;:]){0,15}\d{0,3})m/g;

/**
 * Characters that hide or reorder text, the same as in previews of the library. A joiner or a variation selector stays where emoji
 * and scripts need it, which is after a character that is not ASCII, and only one of each.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: it matches each character alone.
  /(?![\t\n])\p{Cc}|[\u2028\u2029\ufff9-\ufffb]|(?![\u200c\u200d\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}|(?<![^\0-\x7f]|[0-9#*])[\ufe0e\ufe0f]|(?<![^\0-\x7f])[\u200c\u200d]|(?<=[\u200c\u200d])[\u200c\u200d\ufe0e\ufe0f]|(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]|\p{Surrogate}/gu;

const LINE_END_RETURN = /\r(?=\n|$)/g;

/** More elements make a page slow. The rest of the text is drawn without colours and marks, but complete. */
const maxSegments = 2_000;

/**
 * Text of a tool, a model or a visitor, ready to be drawn. Colours become classes, and characters that hide or reorder text are
 * shown as their code, so that a person sees everything that a model reads, and the text cannot change the rest of the page.
 *
 * Each text begins without a colour, even if an earlier line opened one.
 */
export function textSegments(raw: string): TextSegment[] {
  const segments: TextSegment[] = [];
  let style = plain;
  let end = 0;
  const text = raw.replace(LINE_END_RETURN, '');
  for (const match of text.matchAll(COLOUR)) {
    pushVisible(segments, { text: text.slice(end, match.index), className: classOf(style) });
    end = match.index + match[0].length;
    style = styled(style, match[1] ?? '');
  }
  pushVisible(segments, { text: text.slice(end), className: classOf(style) });
  if (segments.length <= maxSegments) return segments;
  return [
    ...segments.slice(0, maxSegments),
    { text: joined(segments.slice(maxSegments)), kind: 'plain', className: '' },
  ];
}

/** The text as it is shown, without colours. */
export function shownText(text: string): string {
  return joined(textSegments(text));
}

function joined(segments: readonly TextSegment[]): string {
  return segments.map(({ text }) => text).join('');
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
