/** A file as a patch makes it, or why it cannot be made. */
export type PatchResult =
  | { status: 'patched'; text: string; diff: string; linesAdded: number; linesRemoved: number }
  /** No patch that this reads. */
  | { status: 'malformed'; message: string }
  /** The lines that it means to change are not in the file. */
  | { status: 'conflict'; message: string };

interface Hunk {
  /** Counted from 1; where the patch says that it begins. */
  start: number;
  before: string[];
  after: string[];
  /** With the sign in front. */
  lines: string[];
}

/**
 * Applies a unified diff to the text of one file. Its lines have to stand in the file exactly as the patch has them; where they
 * stand may differ from its line numbers, which models count badly, as long as there is only one such place.
 */
export function applyPatch(text: string, patch: string): PatchResult {
  const hunks = parseHunks(patch);
  if (typeof hunks === 'string') return { status: 'malformed', message: hunks };

  const lines = text.split('\n');
  const diff: string[] = [];
  let moved = 0;
  for (const hunk of hunks) {
    const index = findPlace(lines, { lines: hunk.before, expected: hunk.start - 1 + moved });
    if (index === undefined) {
      const first = hunk.before.find((line) => line.trim() !== '') ?? '';
      const message = `The lines of the hunk at line ${hunk.start} are not in the file as it is now, beginning with ${JSON.stringify(first.slice(0, 80))}.`;
      return { status: 'conflict', message };
    }
    lines.splice(index, hunk.before.length, ...hunk.after);
    diff.push(`@@ -${index - moved + 1},${hunk.before.length} +${index + 1},${hunk.after.length} @@`, ...hunk.lines);
    moved += hunk.after.length - hunk.before.length;
  }
  return {
    status: 'patched',
    text: lines.join('\n'),
    diff: diff.join('\n'),
    linesAdded: diff.filter((line) => line.startsWith('+')).length,
    linesRemoved: diff.filter((line) => line.startsWith('-')).length,
  };
}

/** The lines of a patch, as they are applied. */
export function patchLines(patch: string): string[] {
  return patch.replace(/\r\n/g, '\n').replace(/\n$/, '').split('\n');
}

/** Whether a hunk begins with this line. Lines before the first hunk are not read, even when they name a file. */
export function isHunkHeader(line: string): boolean {
  return HUNK_HEADER.test(line);
}

/** Limited because each hunk is searched for in the whole file. */
const MAX_HUNKS = 100;
const HUNK_HEADER = /^@@ -(\d{1,7})(?:,\d{1,7})? \+\d{1,7}(?:,\d{1,7})? @@/;

/** The hunks, or a sentence that says why there are none. The counts in their headers are not believed. */
function parseHunks(patch: string): Hunk[] | string {
  const hunks: Hunk[] = [];
  for (const line of patchLines(patch)) {
    const header = HUNK_HEADER.exec(line);
    const hunk = hunks.at(-1);
    if (header) {
      hunks.push({ start: Math.max(1, Number(header[1])), before: [], after: [], lines: [] });
    } else if (hunk && !line.startsWith('\\')) {
      // An empty line is context whose blank was lost on the way.
      const sign = line[0] ?? ' ';
      if (!' +-'.includes(sign))
        return `A line of the patch begins with ${JSON.stringify(sign)}: each has to begin with a blank, + or -.`;
      if (sign !== '+') hunk.before.push(line.slice(1));
      if (sign !== '-') hunk.after.push(line.slice(1));
      hunk.lines.push(line);
    }
  }
  if (hunks.length > MAX_HUNKS) return `The patch has more than ${MAX_HUNKS} hunks. Split it into several patches.`;
  if (hunks.length === 0)
    return 'The patch has no hunk: it needs a line such as "@@ -3,4 +3,4 @@" and the changed lines below it.';
  if (hunks.every(({ before, after }) => before.join('\n') === after.join('\n'))) return 'The patch changes nothing.';
  return hunks;
}

function findPlace(file: string[], { lines, expected }: { lines: string[]; expected: number }): number | undefined {
  const isAt = (index: number) => lines.every((line, offset) => file[index + offset] === line);
  // A hunk without context has no other place than the one it names.
  if (lines.length === 0) return expected <= file.length ? expected : undefined;
  if (isAt(expected)) return expected;
  const places = placesOf(lines, file);
  return places.length === 1 ? places[0] : undefined;
}

/** The first two places, by the Knuth-Morris-Pratt algorithm, because a patch may repeat one line thousands of times. */
function placesOf(lines: string[], file: string[]): number[] {
  const places: number[] = [];
  const borders = [0];
  for (let index = 1, length = 0; index < lines.length; index++) {
    while (length > 0 && lines[index] !== lines[length]) length = borders[length - 1] ?? 0;
    if (lines[index] === lines[length]) length++;
    borders.push(length);
  }
  for (let index = 0, length = 0; index < file.length && places.length < 2; index++) {
    while (length > 0 && (length === lines.length || file[index] !== lines[length])) length = borders[length - 1] ?? 0;
    if (file[index] === lines[length]) length++;
    if (length === lines.length) places.push(index - length + 1);
  }
  return places;
}
