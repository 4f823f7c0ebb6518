import type { Steps } from '../pace.ts';
import { AlikeLines } from '../text/alike-lines.ts';
import type { FocusMatcher, KnownTerms, WordSteps } from '../text/focus-matcher.ts';
import type { FocusTerm } from '../text/focus-terms.ts';
import { FocusedLines } from '../text/focused-lines.ts';
import type { LineMarks } from '../text/line-marks.ts';
import {
  compareSalience,
  createSalientLines,
  nextSalientWord,
  SALIENT_REACH,
  type SalientLines,
} from '../text/salient-lines.ts';
import { Words } from '../text/words.ts';
import type { JsonContainer, JsonItem } from './json-node.ts';
import { type JsonPassage, JsonPassages, type LargeContainer } from './json-passages.ts';
import { JsonProfile } from './json-profile.ts';
import { parseJson } from './json-sample.ts';

/** Lists and dictionaries whose records are counted. */
const MAX_PROFILES = 8;
/** With fewer records, a profile would not be shorter than the records. */
const MIN_RECORDS = 8;
/** The most items that match the question. The best ones are stored. */
const MAX_FOCUSED = 128;
/** The most salient items that are stored. A preview has room for fewer. */
const MAX_SALIENT = 96;

/**
 * Finds the items of a JSON document that match the question or report failures, and counts the records of its lists, in one pass
 * and in constant memory.
 */
export class JsonHighlights {
  /** To be filled by a sampler of the same text. */
  readonly passages: JsonPassages = new JsonPassages((passage) => this.#read(passage));
  readonly #terms: () => readonly FocusTerm[];
  #focused: FocusedLines<Place> | undefined;
  #isAsked: boolean | undefined;
  readonly #salient: SalientLines<Place>;
  readonly #isMarked: boolean;
  readonly #profiles = new Map<LargeContainer, JsonProfile>();
  readonly #words = new Words();
  readonly #alike = new AlikeLines<KnownTerms>();
  /** The text whose items are compared. */
  #loaded = '';
  #count = 0;
  /** The text that contains the last item, and one less than the end of the next salient word in it. */
  #searched = '';
  #nextSalient = -1;

  /** @param marks The items that the application marks as important. Each item is a line for them. */
  constructor(terms: () => readonly FocusTerm[], marks?: LineMarks) {
    this.#terms = terms;
    this.#salient = createSalientLines(marks);
    this.#isMarked = marks !== undefined;
  }

  /** Releases the memory of a chunk, after it was sampled. */
  endChunk(): void {
    this.#searched = this.#loaded = '';
    this.#focused?.endChunk();
    for (const profile of this.#profiles.values()) profile.endChunk();
  }

  #read(passage: JsonPassage): void {
    const { source, from, to, key } = passage;
    const line = ++this.#count;
    if (source.charCodeAt(from) === OPEN_BRACE) this.#countRecord(passage);
    const focused = this.#focusedLines();
    // A question usually names a member by its key.
    const prefix = key === undefined ? '' : `${key}: `;
    const isSalient = this.#isMarked || this.#isSalient(passage, prefix);
    if (!focused && !isSalient) return;
    const place = { key, index: passage.index, container: passage.container, start: prefix.length };
    if (focused && prefix === '') {
      this.#readTerms(passage, focused.matcher);
      focused.endLine({ text: source, from, to, line, at: 0, place });
    } else if (focused) {
      const text = prefix + source.slice(from, to);
      this.#readWords({ text, from: 0, to: text.length }, focused.matcher);
      focused.endLine({ text, from: 0, to: text.length, line, at: 0, place });
    }
    if (!isSalient) return;
    const text = prefix + source.slice(from, to);
    if (this.#isMarked) this.#salient.consider(line, text, place);
    else this.#salient.add(line, text, place);
  }

  /** Reads the words of an item only if no earlier item was equal except for its digits. */
  #readTerms({ source, from, to, members }: JsonPassage, matcher: FocusMatcher): void {
    const alike = this.#alike;
    // There are few other items, and each may be in a different text.
    const mayBeKnown = members !== undefined;
    if (mayBeKnown && this.#loaded !== source) {
      alike.load(source);
      this.#loaded = source;
    }
    const isComparable = mayBeKnown && alike.length === source.length;
    const known = isComparable ? alike.find(from, to) : null;
    if (known) matcher.readKnown({ text: source, from }, known);
    else {
      const steps: WordSteps | undefined = known === undefined ? [] : undefined;
      this.#readWords({ text: source, from, to }, matcher, steps);
      const terms = steps && matcher.knownTerms(steps);
      if (terms) alike.remember(terms);
    }
  }

  #readWords(part: { text: string; from: number; to: number }, matcher: FocusMatcher, steps?: WordSteps): void {
    const { text, from } = part;
    const words = this.#words;
    words.read(text, part);
    matcher.start();
    for (let index = 0; words.next(); index++) {
      const isFound = matcher.read(text, words);
      if (steps) matcher.addStep(steps, words, { text, from, index, isFound });
    }
  }

  /** Searches each text once, because most items are far from the next salient word. */
  #isSalient({ source, from, to }: JsonPassage, prefix: string): boolean {
    if (prefix !== '' && nextSalientWord(prefix, 0) < SALIENT_REACH) return true;
    if (this.#searched !== source) {
      this.#searched = source;
      this.#nextSalient = -1;
    }
    if (this.#nextSalient < from) this.#nextSalient = nextSalientWord(source, from);
    return this.#nextSalient < Math.min(to, from + SALIENT_REACH - prefix.length);
  }

  /** Created at the first item, because most outputs are not JSON. */
  #focusedLines(): FocusedLines<Place> | undefined {
    if (this.#isAsked === undefined) {
      const terms = this.#terms();
      this.#isAsked = terms.length > 0;
      if (this.#isAsked) this.#focused = new FocusedLines(terms);
    }
    return this.#focused;
  }

  #countRecord({ source, from, to, container, members }: JsonPassage): void {
    const known = this.#profiles.get(container);
    if (!known && this.#profiles.size === MAX_PROFILES) return;
    const profile = known ?? new JsonProfile();
    if (!known) this.#profiles.set(container, profile);
    if (members && profile.addScanned(members)) return;
    // The outline checks the grammar of the whole text. If it is wrong, there is no document to show.
    profile.addText(source, { from, to });
  }

  /** Adds the items and the profiles to the sample of the same document. */
  *addTo(root: JsonContainer | undefined): Steps<JsonContainer | undefined> {
    if (!root || this.passages.isBroken) return root;
    const focused = this.#focused?.finish() ?? [];
    const salient = this.#salient.finish().sort(compareSalience).slice(0, MAX_SALIENT);
    root.focus = [...new Set(focused.slice(0, MAX_FOCUSED).flatMap(({ terms }) => terms.map((term) => term.text)))];
    for (const [rank, { text, place }] of [...focused.slice(0, MAX_FOCUSED), ...salient].entries()) {
      if (!place) continue;
      yield;
      addItem(containerAt(root, place.container), {
        index: place.index,
        rank,
        isAsked: rank < Math.min(focused.length, MAX_FOCUSED),
        item: itemOf(place.key, text.slice(place.start)),
      });
    }
    for (const [container, profile] of this.#profiles) {
      const { count } = profile;
      if (count >= MIN_RECORDS) containerAt(root, container).profile = { fields: yield* profile.finish(), count };
      yield;
    }
    return root;
  }
}

const OPEN_BRACE = 0x7b;

/** The place of an item in its document. */
interface Place {
  key: string | undefined;
  index: number;
  container: LargeContainer;
  /** The start of its value in the searched text. */
  start: number;
}

function addItem(
  container: JsonContainer,
  added: { index: number; rank: number; isAsked: boolean; item: JsonItem | undefined },
): void {
  const { item, ...place } = added;
  if (!item) return;
  container.middle ??= [];
  if (!container.middle.some(({ index }) => index === place.index)) container.middle.push({ ...place, item });
}

function itemOf(key: string | undefined, text: string): JsonItem | undefined {
  const value = parseJson(`[${text}]`)?.first[0]?.value;
  return value && (key === undefined ? { value } : { key, value });
}

/** The node of a container. If the sample does not have it, it becomes an item of the middle. */
function containerAt(root: JsonContainer, { kind, key, index, parent, count }: LargeContainer): JsonContainer {
  root.isHighlighted = true;
  if (!parent) return root;
  const around = containerAt(root, parent);
  const fromEnd = around.count - index;
  const item =
    around.first[index] ??
    (fromEnd <= around.last.length ? around.last[around.last.length - fromEnd] : undefined) ??
    around.middle?.find((each) => each.index === index)?.item;
  if (item && (item.value.kind === 'array' || item.value.kind === 'object')) {
    item.value.isHighlighted = true;
    return item.value;
  }
  const node: JsonContainer = { kind, first: [], last: [], count, isHighlighted: true };
  addItem(around, { index, rank: 0, isAsked: true, item: key === undefined ? { value: node } : { key, value: node } });
  return node;
}
