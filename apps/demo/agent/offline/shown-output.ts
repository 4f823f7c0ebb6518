const FRAME = /<tool-output-preview>\n([\s\S]*?)\n?<\/tool-output-preview>/;
const SAVED_PATH = /Full output saved to: (\S+)/;
const CURSOR = /\bcursor "([^"]+)"/;
const NAME = /tool_\d{8}_\d{6}_[a-z0-9_-]+\.(?:txt|json|bin)$/;

/** What stands in the frame of a result, or all of it when it has none: a small output has no frame. */
export function contentOf(text: string): string {
  return FRAME.exec(text)?.[1] ?? text;
}

/** What stands around the frame of a result: what the tool itself says. */
function contextOf(text: string): string {
  return text.replace(FRAME, '');
}

/** Where a reader says that it can go on. */
export function cursorIn(text: string): string | undefined {
  return CURSOR.exec(contextOf(text))?.[1];
}

/** Whether a reader had no time, as happens on a busy server: what it did not find may still be there. */
export function asksToTryAgain(text: string): boolean {
  return /\bTry again\b/.test(contextOf(text));
}

/** Where all of a truncated output was saved; `undefined` when it was not truncated, or could not be saved. */
export function savedPathOf(text: string): string | undefined {
  return SAVED_PATH.exec(text)?.[1];
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
  const name = NAME.exec(path)?.[0] ?? path;
  const lines = start === end ? String(start) : `${start}-${end}`;
  const hash = start === end ? `L${start}` : `L${start}-L${end}`;
  return `[${shortNameOf(name)}:${lines}](/a/${name}#${hash})`;
}

/** The tool in the name of an artifact: `read-server-logs`. */
function shortNameOf(name: string): string {
  return /^tool_\d+_\d+_([a-z0-9-]+)_/.exec(name)?.[1] ?? name;
}
