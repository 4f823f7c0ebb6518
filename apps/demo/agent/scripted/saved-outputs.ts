import { artifactNameOf } from 'ai-truncate';

const FRAME_START = '<tool-output-preview>\n';
const FRAME_END = '</tool-output-preview>';
const SAVED_PATH = /Full output saved to: (\S+)/;
const CURSOR = /\bcursor "([^"]+)"/;
// Bounded, because the search from each `tool_` of a long text would otherwise run to its end.
const NAME = /tool_\d{8}_\d{6}_[a-z0-9_-]{1,100}\.(?:txt|json|bin)/;

/** What stands in the frame of a result, or all of it when it has none: a small output has no frame. */
export function contentOf(text: string): string {
  return frameIn(text)?.content ?? text;
}

/** What stands around the frame of a result: what the tool itself says. */
function contextOf(text: string): string {
  const frame = frameIn(text);
  return frame ? text.slice(0, frame.start) + text.slice(frame.end) : text;
}

/** The first frame that is closed. Two plain searches, because a pattern would search for the end from every start. */
function frameIn(text: string): { start: number; end: number; content: string } | undefined {
  const start = text.indexOf(FRAME_START);
  const close = start === -1 ? -1 : text.indexOf(FRAME_END, start + FRAME_START.length);
  if (close === -1) return undefined;
  const content = text.slice(start + FRAME_START.length, close);
  return { start, end: close + FRAME_END.length, content: content.endsWith('\n') ? content.slice(0, -1) : content };
}

/** Where a reader says that it can go on. */
export function cursorIn(text: string): string | undefined {
  return CURSOR.exec(contextOf(text))?.[1];
}

/** Where all of a truncated output was saved; `undefined` when it was not truncated, or could not be saved. */
export function savedPathOf(text: string): string | undefined {
  return SAVED_PATH.exec(text)?.[1];
}

/** The first path of an artifact in a text, and its position. */
export function artifactPathIn(text: string): { path: string; start: number; end: number } | undefined {
  const name = NAME.exec(text);
  if (!name) return undefined;
  let start = name.index;
  while (start > 0 && !isBlank(text.charAt(start - 1))) start--;
  const end = name.index + name[0].length;
  return { path: text.slice(start, end), start, end };
}

function isBlank(character: string): boolean {
  return character.trim() === '';
}

/** A line as readers and previews show it, behind its number. */
export interface NumberedLine {
  line: number;
  text: string;
}

/** The lines that have a number in front. */
export function numberedLinesOf(text: string): NumberedLine[] {
  return contentOf(text)
    .split('\n')
    .flatMap((row) => {
      const [, line, rest] = /^(\d+): ?(.*)$/.exec(row) ?? [];
      return line === undefined || rest === undefined ? [] : [{ line: Number(line), text: rest }];
    });
}

/** Lines of an artifact as a link that the page opens. */
export function linkTo(path: string, { start, end = start }: { start: number; end?: number }): string {
  const name = artifactNameOf(path) ?? path;
  const lines = start === end ? String(start) : `${start}-${end}`;
  const hash = start === end ? `L${start}` : `L${start}-L${end}`;
  return `[${shortNameOf(name)}:${lines}](/a/${name}#${hash})`;
}

/** The tool in the name of an artifact: `read-server-logs`. */
function shortNameOf(name: string): string {
  return /^tool_\d+_\d+_([a-z0-9-]+)_/.exec(name)?.[1] ?? name;
}

/** The name of a saved output as a link to the complete output. */
export function linkToAll(path: string): string {
  const name = artifactNameOf(path) ?? path;
  return `[${shortNameOf(name)}](/a/${name})`;
}

/** The number of lines that a search found. A search that ran out of time knows only a lower bound. */
export interface Count {
  lines: number;
  isExact: boolean;
}

/** The number of matches that a reader reports. */
export function countIn(text: string): Count {
  const [, isLeast, digits = '0'] = /Found (at least )?([\d,]+) match/.exec(contextOf(text)) ?? [];
  return { lines: Number(digits.replaceAll(',', '')), isExact: isLeast === undefined && !isUnfinished(text) };
}

/** Whether a search stopped before the end of the output, as on a busy server. There may be more matches. */
export function isUnfinished(text: string): boolean {
  return /\b(Try again|The time was up)\b/.test(contextOf(text));
}

/** The number of all lines, from the notice of an output or of a window of it. An empty line at the end does not count. */
export function lineCountIn(text: string): number | undefined {
  const digits = /\bof ([\d,]{1,15})(?: lines shown|\.)/.exec(contextOf(text))?.[1];
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''));
}

/** Each truncated output in these results, with the size of the part that the model received. */
export function savingsIn(results: readonly { toolName: string; text: string }[]): string[] {
  return results.flatMap(({ toolName, text }) => {
    const shown = /its output is incomplete: ([^.]{1,200}) shown\./.exec(text)?.[1];
    return shown === undefined ? [] : [`\`${toolName}\`: the model received ${shown}.`];
  });
}
