import { RecordError } from '../json/json-pieces.ts';
import { recordFormat } from '../json/record-format.ts';
import { delimitedRecords } from './delimited-records.ts';
import { jsonRecords, ndjsonRecords } from './json-records.ts';
import { type OpenBytes, type Records, textsOf } from './record-text.ts';
import { atInTableText, noListInLinesText, noTableText, placeName, wrongPathText } from './record-words.ts';
import { RowShaper } from './row-shaper.ts';

export interface RecordSourceOptions {
  /** The keys that lead to the records, and the names of lists within them. */
  at?: readonly string[] | undefined;
  abortSignal?: AbortSignal | undefined;
}

/** The optional byte order mark of UTF-8. */
const BYTE_ORDER_MARK_BYTES = 3;
const HEAD_CHARS = 64 * 1024;
/** The most characters of a first line that are needed to detect lines after it. */
const LONGEST_HEAD_CHARS = 1024 * 1024;
const MAX_KEYS = 20;
const LONGEST_KEY = 500;
const MAX_PATH = MAX_KEYS * (LONGEST_KEY + 1);

/** The records of an artifact in any format: JSON, NDJSON, CSV or TSV. */
export function readRecords(open: OpenBytes, options: RecordSourceOptions = {}): Records {
  const { abortSignal } = options;
  let records: Records | undefined;
  let used: readonly string[] | undefined;
  let markBytes = 0;
  const openText: OpenBytes = (range) => open(range && { start: range.start + markBytes, end: range.end + markBytes });

  async function* read(): AsyncGenerator<unknown[]> {
    const at = checkedPath(options.at);
    const onMark = () => {
      markBytes = BYTE_ORDER_MARK_BYTES;
    };
    const texts = textsOf(open(), { onMark });
    try {
      const { head, isWhole } = await readHead(texts);
      const start = head.join('').slice(0, LONGEST_HEAD_CHARS);
      const format = recordFormat(start);
      if (!format && isWhole && start === '') throw new RecordError('not found', 'The artifact is empty.');
      if (!format) throw new RecordError('no table', noTableText);
      const begun = { head: start, texts: rejoin(head, texts) };
      if (format.kind === 'json') records = jsonRecords(openText, { at, begun, abortSignal });
      else if (format.kind === 'ndjson') records = linesWithin(ndjsonRecords(begun.texts, { abortSignal }), at);
      else {
        if (at && at.length > 0) throw new RecordError('not found', atInTableText);
        records = delimitedRecords(begun.texts, { delimiter: format.delimiter, abortSignal });
      }
      if (used) records.use?.(used);
      yield* records;
    } finally {
      await texts.return(undefined);
    }
  }
  return {
    [Symbol.asyncIterator]: read,
    use: (names) => {
      used = names;
    },
    place: () => records?.place?.(),
    others: () => records?.others?.(),
    notes: () => records?.notes?.() ?? [],
  };
}

/** Lines, or the items of lists inside them. */
function linesWithin(lines: AsyncIterable<unknown[]>, at: readonly string[] = []): Records {
  const shaper = new RowShaper({ rest: at });
  async function* read(): AsyncGenerator<unknown[]> {
    for await (const batch of lines) yield* shaper.push(batch);
    yield* shaper.finish();
    if (shaper.lacksRest) throw new RecordError('not found', noListInLinesText(at));
  }
  return { [Symbol.asyncIterator]: read, place: () => placeName({ at, kind: 'items' }) };
}

/** The keys that a model sends. A text is one key, or several keys with dots between them. `$`, `[]` and `[*]` are ignored. */
function checkedPath(at: unknown): readonly string[] | undefined {
  if (at === undefined || at === null) return undefined;
  const keys: unknown[] | undefined = typeof at === 'string' ? splitPath(at) : Array.isArray(at) ? at : undefined;
  const isKey = (key: unknown): key is string => typeof key === 'string' && key.length <= LONGEST_KEY;
  if (!keys || keys.length > MAX_KEYS || !Array.from(keys).every(isKey))
    throw new RecordError('not found', wrongPathText(MAX_KEYS));
  const plain = (keys as string[]).map((key) => key.replace(/(?:\[\*?\])+$/, ''));
  return plain.filter((key, index) => key !== '*' && (key !== '$' || index > 0) && (key !== '' || keys[index] === ''));
}

function splitPath(path: string): string[] {
  const inner = path
    .slice(0, MAX_PATH)
    .replace(/^\$\.?/, '')
    .replace(/^\//, '');
  return inner === '' ? [] : inner.split(inner.includes('.') ? '.' : '/', MAX_KEYS + 1);
}

async function readHead(texts: AsyncIterator<string>): Promise<{ head: string[]; isWhole: boolean }> {
  const head: string[] = [];
  let hasLine = false;
  for (let length = 0; length < (hasLine ? HEAD_CHARS : LONGEST_HEAD_CHARS); ) {
    const { done, value } = await texts.next();
    if (done) return { head, isWhole: true };
    head.push(value);
    length += value.length;
    hasLine ||= value.includes('\n');
  }
  return { head, isWhole: false };
}

async function* rejoin(head: string[], texts: AsyncIterable<string>): AsyncGenerator<string> {
  // Releases the chunks one by one, because they would otherwise stay in memory until the last one is read.
  for (let text = head.shift(); text !== undefined; text = head.shift()) yield text;
  yield* texts;
}
