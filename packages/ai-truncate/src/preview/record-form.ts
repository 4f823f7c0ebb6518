import { omission, writeMark } from '../json/json-text.ts';
import type { TextScan } from '../text/text-scan.ts';
import { byteLength } from '../text/utf.ts';
import { fitFields } from './fit-profile.ts';
import { shrinkJsonLine } from './preview-json.ts';
import { writeProfileField } from './preview-json-leaf.ts';
import type { RecordForm } from './preview-records.ts';
import type { ScannedNdjson, ScannedRecords } from './record-scan.ts';
import { tableForm } from './table-form.ts';
import type { CutLimits } from './truncate-text.ts';

/** The form of the records of an output; `undefined` if it has no records. */
export function recordForm(scan: TextScan, records: ScannedRecords | undefined): RecordForm | undefined {
  return records?.kind === 'table' ? tableForm(scan, records) : ndjsonForm(scan, records);
}

/**
 * One JSON value per line. A gap is a JSON string, and the profile is an object with a special key, so every line of the preview parses.
 * `undefined` if the output does not start like JSON.
 */
function ndjsonForm(scan: TextScan, records: ScannedNdjson | undefined): RecordForm | undefined {
  if (!/^\s*[{[]/.test(scan.head)) return undefined;
  const head = scan.head.split('\n').slice(0, -1);
  const tail = scan.tail.split('\n').slice(1);
  // The text after a closing newline is not a record.
  const lines = tail.at(-1) === '' ? scan.lines - 1 : scan.lines;
  if (tail.at(-1) === '') tail.pop();
  return {
    head: head.map((text, index) => ({ line: index + 1, lines: 1, text })),
    tail: tail.map((text, index) => ({ line: lines - tail.length + 1 + index, lines: 1, text })),
    lines,
    show: ({ text }, maxBytes) => shrinkJsonLine(text, maxBytes),
    isShort: false,
    write: (words) => JSON.stringify(words),
    profile: (limits) => records && writeProfile(records, limits),
  };
}

function writeProfile({ fields, count, total }: ScannedNdjson, { maxBytes, maxLines }: CutLimits): string | undefined {
  const open = `{${writeMark(omission.counted(count, total, 'record'))}:{`;
  const close = '}}';
  const room = maxBytes - byteLength(open) - close.length;
  const members = fitFields(fields, { records: count, maxBytes: room, write: writeProfileField });
  return members.length === 0 || maxLines < 1 ? undefined : open + members.join(',') + close;
}
