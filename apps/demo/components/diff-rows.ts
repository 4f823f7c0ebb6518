import { isHunkHeader, patchLines } from '../agent/unified-patch';

/** One line of a diff, and its effect when the diff is applied. */
export interface DiffRow {
  text: string;
  /** An `ignored` line has no effect, whatever file it names. */
  kind: 'same' | 'added' | 'removed' | 'hunk' | 'file' | 'ignored';
}

/**
 * The lines of a diff of the file `path`, as `applyPatch` reads them. A header before the first hunk has no effect, and a line
 * inside a hunk that looks like a header is a change like any other.
 */
export function diffRows(diff: string, { path }: { path: string | undefined }): DiffRow[] {
  const names = path === undefined ? [] : ['--- a/', '+++ b/', '--- ', '+++ '].map((mark) => `${mark}${path}`);
  let isInHunk = false;
  return patchLines(diff).map((text) => {
    const isHunk = isHunkHeader(text);
    isInHunk ||= isHunk;
    if (isHunk) return { text, kind: 'hunk' };
    if (!isInHunk) return { text, kind: names.includes(text) ? 'file' : 'ignored' };
    if (text.startsWith('\\')) return { text, kind: 'ignored' };
    if (text.startsWith('+')) return { text, kind: 'added' };
    return { text, kind: text.startsWith('-') ? 'removed' : 'same' };
  });
}
