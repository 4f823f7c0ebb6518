import { JsonPieces, RecordError } from '../json/json-pieces.ts';
import { recordsInHead } from '../json/record-format.ts';
import { type Choice, isSamePlace, type JsonList, likelyPlaces, type RecordPlace } from '../json/record-places.ts';
import { RecordSurvey } from '../json/record-survey.ts';
import { pace } from '../pace.ts';
import { columnRecords, columnsToRead } from './column-records.ts';
import { RecordReader } from './record-reader.ts';
import { type OpenBytes, type Records, START_AGAIN, textsOf } from './record-text.ts';
import { noArrayText, otherPlacesText, placeName, recordNotes, severalArraysText } from './record-words.ts';
import { RowShaper } from './row-shaper.ts';

export interface JsonRecordsOptions {
  /**
   * The keys that lead to the records, outermost first. `[]` is the document itself. Names after the first list lead to lists
   * inside its items. If a key occurs twice, the first one is used.
   * @default the only place that looks like records
   */
  at?: readonly string[] | undefined;
  /** The first chunks of the text, and an iterable of the whole text, if reading has already started. */
  begun?: { head: string; texts: AsyncIterable<string> } | undefined;
  abortSignal?: AbortSignal | undefined;
}

/**
 * The records at one place in a JSON document, in batches of a few hundred. The document is never completely in memory. The
 * beginning of the document determines their place, and the rest is surveyed while the records are read. If the survey finds
 * another place, the records are read again from there. So the answer depends only on the document, not on its layout. Columns
 * are always read in a second pass.
 *
 * The scanner finds the borders of records, and records are parsed natively. So each record equals the result of `JSON.parse`,
 * except that integers beyond 2^53 are a `bigint`. Anything else is a `RecordError` that names the byte: a missing comma, a
 * bracket that does not match, an early end, text after the end, or several possible places.
 */
export function jsonRecords(open: OpenBytes, options: JsonRecordsOptions = {}): Records {
  const { at, begun, abortSignal } = options;
  let found: RecordPlace | undefined;
  let others: RecordPlace[] = [];
  let names: readonly string[] | undefined;
  let shaper = new RowShaper({});
  let columns: JsonList[] = [];

  async function* read(): AsyncGenerator<unknown[]> {
    const guess = begun && guessedPlace(begun.head, at);
    const survey = new SurveyedPass({ at, target: guess, abortSignal });
    yield* rowsOf(survey.records(begun?.texts ?? textsOf(open())), guess);
    found = placeOf(survey.choice, at);
    others = likelyPlaces(survey.places).filter(({ at: path }) => path.join('\n') !== found?.at.join('\n'));
    const isRight = guess && survey.isSure && isSamePlace(guess, found);
    if (!isRight && guess) yield START_AGAIN;
    if (!isRight && !survey.isSure) found = await surveyedAgain();
    if (!isRight) yield* readPlace(found);
    if (shaper.lacksRest) throw new RecordError('not found', noArrayText([found, ...others], at));
  }

  async function* rowsOf(batches: AsyncIterable<unknown[]>, place: RecordPlace | undefined): AsyncGenerator<unknown[]> {
    shaper = new RowShaper(place ?? {});
    for await (const batch of batches) yield* shaper.push(batch);
    yield* shaper.finish();
  }

  /** The members of a dictionary turned out to have different types, and were not inspected. */
  async function surveyedAgain(): Promise<RecordPlace> {
    const survey = new SurveyedPass({ at, abortSignal });
    for await (const _ of survey.records(textsOf(open())));
    return placeOf(survey.choice, at);
  }

  async function* readPlace(place: RecordPlace): AsyncGenerator<unknown[]> {
    if (place.kind === 'columns') {
      columns = columnsToRead(place.columns ?? [], names);
      const values: RecordPlace = { at: [], kind: 'items', count: 0, holds: 'values' };
      yield* columnRecords(columns, ({ bytes }) => recordsAt(textsOf(open(bytes)), values));
    } else if (place.kind === 'document') yield* recordsAt(inBrackets(textsOf(open())), { ...place, kind: 'items' });
    else yield* rowsOf(recordsAt(textsOf(open()), place), place);
  }

  function recordsAt(texts: AsyncIterable<string>, target: RecordPlace): AsyncIterable<unknown[]> {
    return new SurveyedPass({ at: target.at, target, abortSignal, endsWithTarget: true }).records(texts);
  }

  return {
    [Symbol.asyncIterator]: read,
    use: (used) => {
      names = used;
    },
    place: () => found && placeName(found),
    others: () => (others.length > 0 ? otherPlacesText(others) : undefined),
    notes: () =>
      found ? recordNotes(found, { columns: names ? found.columns : columns, hasHeaderRow: shaper.hasHeaderRow }) : [],
  };
}

async function* inBrackets(texts: AsyncIterable<string>): AsyncGenerator<string> {
  yield '[';
  yield* texts;
  yield ']';
}

/** The place found in the beginning of a document, if reading can start at once. */
function guessedPlace(head: string, at: readonly string[] | undefined): RecordPlace | undefined {
  const choice = recordsInHead(head, at);
  const place = choice.status === 'found' ? choice.place : undefined;
  return place?.kind === 'items' || place?.kind === 'members' ? place : undefined;
}

function placeOf(choice: Choice | undefined, at: readonly string[] | undefined): RecordPlace {
  if (choice?.status === 'found') return choice.place;
  throw new RecordError(
    'not found',
    choice?.status === 'several' ? severalArraysText(choice.places) : noArrayText([], at),
  );
}

interface PassOptions {
  at: readonly string[] | undefined;
  target?: RecordPlace | undefined;
  abortSignal?: AbortSignal | undefined;
  /** The rest of the document is already known. */
  endsWithTarget?: boolean;
}

/** One pass over a document: the records of its target, and a survey of everything else. */
class SurveyedPass {
  readonly #options: PassOptions;
  choice: Choice | undefined;
  places: readonly RecordPlace[] = [];
  /** Whether the target has the expected form. Its members were not surveyed. */
  isSure = true;

  constructor(options: PassOptions) {
    this.#options = options;
  }

  async *records(texts: AsyncIterable<string>): AsyncGenerator<unknown[]> {
    const { at, target, abortSignal, endsWithTarget } = this.#options;
    const text = new JsonPieces();
    const survey = new RecordSurvey(text, { at, target });
    let records: RecordReader | undefined;
    for await (const piece of pace(texts, { abortSignal })) {
      text.append(piece);
      if (records?.isClosed) survey.read();
      else if (!records && survey.read())
        records = new RecordReader(text, target?.kind === 'members' ? 'members' : 'items');
      if (!records || records.isClosed) continue;
      records.read();
      const batch = records.take();
      if (batch) yield batch;
      if (!records.isClosed) continue;
      if (endsWithTarget) return;
      survey.leaveTarget(records);
      survey.read();
    }
    if (records && !records.isClosed) {
      const message = `The JSON ends inside the records, after record ${records.count}: it is cut off.`;
      throw new RecordError('broken', message);
    }
    survey.finish();
    this.isSure = at !== undefined || target?.kind !== 'members' || !records || records.objects === records.count;
    this.choice = survey.choose();
    this.places = survey.places;
    if (this.choice.status === 'none') throw new RecordError('not found', noArrayText(likelyPlaces(this.places), at));
  }
}

/**
 * The records of NDJSON, one JSON value per line. Blank lines are skipped. A broken line is a `RecordError` that names it, and so
 * is a value that continues on the next line.
 */
export async function* ndjsonRecords(
  texts: AsyncIterable<string>,
  { abortSignal }: { abortSignal?: AbortSignal | undefined } = {},
): AsyncGenerator<unknown[]> {
  const text = new JsonPieces();
  const records = new RecordReader(text, 'lines');
  for await (const piece of pace(texts, { abortSignal })) {
    text.append(piece, 0);
    for (let from = 0; from <= piece.length; ) {
      const newline = piece.indexOf('\n', from);
      const end = newline < 0 ? piece.length : newline;
      text.scanner.extend(end);
      records.read();
      if (newline >= 0) records.endLine();
      from = end + 1;
    }
    const batch = records.take();
    if (batch) yield batch;
  }
  records.endLine();
  const last = records.take();
  if (last) yield last;
}
