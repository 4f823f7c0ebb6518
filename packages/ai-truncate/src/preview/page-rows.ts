import type { Steps } from '../pace.ts';
import { numberedRow } from '../text/frame.ts';
import { type ChosenPlace, type HtmlPage, PARAGRAPH_CHARS, type PassagePlace } from '../text/html-page.ts';
import type { HtmlPassage } from '../text/html-passages.ts';
import { compareSalience } from '../text/salient-lines.ts';
import type { TextScan } from '../text/text-scan.ts';
import { visibleText } from '../text/visible-text.ts';
import { linesAsRows, toMiddleRow } from './middle-rows.ts';
import { type MiddleRoom, type MiddleRow, RowPicker } from './row-picker.ts';

/** The largest share of each kind of rows in the preview of a page. Unused room goes to the kinds after it. */
const SHARES = {
  about: 0.08,
  focused: 0.45,
  salient: 0.15,
  marked: 0.2,
  rare: 0.1,
  headings: 0.2,
  source: 0.12,
  paragraphs: 0.2,
} as const;
/** Passages are shown with their neighbors if they score almost as high as the best one. */
const NEAR_SCORE = 0.8;
const MAX_NEAR = 12;
/** A long line is read by columns. */
const MIN_COLUMN = 1000;

/**
 * The readable rows of a page: the title, passages that match the question or report errors, headings, and the beginning of the main
 * part. Lines of the source are added if they contain something that no passage has, such as the address of a link.
 */
export function* choosePageRows(
  scan: TextScan,
  { page, ...room }: MiddleRoom & { page: HtmlPage },
): Steps<MiddleRow[]> {
  const picker = new RowPicker(room);
  const plain = { toRow: pageRow };
  yield* picker.fill(page.about, { share: SHARES.about, ...plain });
  const missed = yield* picker.fill(page.focused.map(toAsked), { share: SHARES.focused, toRow: askedRow });
  const salient = page.salient.toSorted(compareSalience).flatMap(({ place }) => place ?? []);
  yield* picker.fill(salient, { share: SHARES.salient, ...plain });
  const isNew = ({ line }: { line: number }) => !picker.shows(line);
  // Many scripts have a word such as `error`, so only the lines that the application marks are shown.
  const marked = scan.salientLines.filter((line) => line.severity === 'marked' && isNew(line)).sort(compareSalience);
  yield* picker.fill(marked, { share: SHARES.marked, toRow: linesAsRows.plain });
  const rare = scan.patterns.rareLines.filter(isNew);
  yield* picker.fill(rare, { share: SHARES.rare, toRow: linesAsRows.plain });
  yield* picker.fillOutline(page.headings, { share: SHARES.headings, ...plain });
  const told = new Set(page.focused.flatMap(({ terms }) => terms));
  const untold = scan.focused.filter((line) => isNew(line) && line.terms.some((term) => !told.has(term)));
  yield* picker.fill(untold, { share: SHARES.source, toRow: linesAsRows.focused });
  yield* picker.fill(missed, { share: 1, toRow: askedRow });
  yield* picker.fill(neighborsOf(page), { share: 1, ...plain });
  const beginning = withoutRepeats(page.beginning);
  const paragraphs = beginning.filter(({ text }) => text.length >= PARAGRAPH_CHARS);
  yield* picker.fill(paragraphs, { share: SHARES.paragraphs, ...plain });
  yield* picker.fill(beginning, { share: 1, ...plain });
  return picker.finish();
}

type Asked = PassagePlace & { passage: HtmlPassage; terms: MiddleRow['terms'] };

function toAsked({ place, terms }: HtmlPage['focused'][number]): Asked {
  const { passage } = place as ChosenPlace;
  const { line, at, end } = passage;
  return { line, at, end, passage, terms };
}

function askedRow({ passage, terms }: Asked): MiddleRow {
  return { ...pageRow(passage), terms };
}

function pageRow({ text, line, at, end, kind = 'text', level = 0 }: PassagePlace & Partial<HtmlPassage>): MiddleRow {
  const start = text ?? '';
  const mark = {
    text: '',
    title: '<title> ',
    description: '<meta name="description"> ',
    heading: `${'#'.repeat(level)} `,
  }[kind];
  return toMiddleRow({
    line,
    at,
    end,
    text: numberedRow({
      line,
      text: mark + visibleText(start),
      count: 1,
      lastLine: line,
      column: at >= MIN_COLUMN ? at + 1 : undefined,
    }),
    chars: start.length,
    start,
  });
}

/** The passages around the best ones. */
function neighborsOf({ focused }: HtmlPage): (PassagePlace & { text: string })[] {
  const best = focused[0]?.score ?? 0;
  const near = focused.slice(0, MAX_NEAR).filter(({ score }) => score >= best * NEAR_SCORE);
  return near.flatMap(({ place, before, after }) => [
    ...after.flatMap((text, index) => placed(place?.after[index], text)),
    ...placed(place?.before, before),
  ]);
}

function placed(place: PassagePlace | undefined, text: string | undefined): (PassagePlace & { text: string })[] {
  return place && text !== undefined ? [{ ...place, text }] : [];
}

/** Skips repeated texts, because menus repeat the same words. */
function withoutRepeats(passages: readonly HtmlPassage[]): HtmlPassage[] {
  const texts = new Set<string>();
  return passages.filter(({ text }) => {
    if (texts.has(text)) return false;
    texts.add(text);
    return true;
  });
}
