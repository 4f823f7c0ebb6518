const LOOKED_AT = 8192;
const MIN_ROWS = 3;
const MAX_ROWS = 20;
/** A name, not a datum and not a sentence. */
const COLUMN_NAME = /^[^\d\s"][^"]{0,39}$/;

/**
 * Whether an output begins like records that can be queried: objects in a JSON array, JSON lines, a table with a header. A
 * glance, for a hint that would mislead elsewhere; what is asked then says for certain what it is.
 */
export function looksLikeRecords(head: string): boolean {
  const start = head.slice(0, LOOKED_AT);
  if (/^[\s\ufeff]*\[\s*\{\s*["}]/.test(start)) return true;
  // The first line break is the one that is matched: with a choice, a row of blank lines would be tried from each of them.
  if (/^[\s\ufeff]*\{\s*["}]/.test(start)) return /:\s*\[\s*\{\s*"|\}[^\S\n]*\n\s*\{\s*"/.test(start);
  return looksLikeTable(start, head.length > start.length);
}

function looksLikeTable(start: string, isCut: boolean): boolean {
  const lines = start.split('\n', MAX_ROWS + 1);
  // The last one may be cut, or be the empty one behind the last line feed.
  if (isCut || lines.length > MAX_ROWS || lines.at(-1) === '') lines.pop();
  if (lines.length < MIN_ROWS) return false;
  return [',', '\t', ';'].some((delimiter) => {
    const rows = lines.map((line) => line.replace(/"[^"]*"/g, '""').split(delimiter));
    const [header = []] = rows;
    if (header.length < 2 || !rows.every((row) => row.length === header.length)) return false;
    return (lines[0] ?? '').split(delimiter).every((cell) => COLUMN_NAME.test(unquoted(cell)));
  });
}

function unquoted(cell: string): string {
  return cell
    .replace(/^\ufeff/, '')
    .trim()
    .replace(/^"(.*)"$/, '$1');
}
