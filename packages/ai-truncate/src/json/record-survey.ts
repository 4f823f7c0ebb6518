import { detach } from '../text/utf.ts';
import { type JsonPieces, RecordError, type RecordProblem } from './json-pieces.ts';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  LITERAL,
  MAX_DEPTH,
  NONE,
  OPEN_ARRAY,
  OPEN_OBJECT,
  OTHER,
  STRING,
} from './json-scanner.ts';
import {
  areAlike,
  type Choice,
  choosePlace,
  type Holds,
  isColumns,
  isDictionary,
  isSamePath,
  type JsonList,
  type JsonObject,
  namesFor,
  placeOfNamed,
  type RecordPlace,
} from './record-places.ts';

/** Records that more keys lead to are found only when they are named. */
const MAX_KEYS = 8;
const MAX_KEY_LENGTH = 1024;
const MAX_PLACES = 20;
const MAX_NAMES = 1000;
/** The characters of all lists of names. */
const MAX_NAME_CHARS = 4_000_000;
const MAX_COMPARED_KEYS = 50;
const MAX_LISTS = 5000;

/** An open container that is reached through keys only. */
interface Frame extends JsonObject {
  isObject: boolean;
  key: string | undefined;
  keys: Set<string>;
  /** The keys of the last member that is an object. */
  previous: Set<string> | undefined;
  holds: Holds;
  width: number | undefined;
  names: string[] | undefined;
  start: number | undefined;
  /** The number of places that were known before it. */
  placesBefore: number;
}

/**
 * Finds the places of a JSON document that can be read as records. It inspects every container that is reached through keys only.
 * The inside of lists is skipped, except for the cells of a first row. A `target` is not inspected either, because its reader does
 * so.
 */
export class RecordSurvey {
  readonly #text: JsonPieces;
  readonly #at: readonly string[] | undefined;
  readonly #target: RecordPlace | undefined;
  readonly #maxKeys: number;
  readonly #frames: Frame[] = [];
  /** The containers inside of a list, or too deep: whether each is an object. */
  readonly #inner: boolean[] = [];
  #cells = 0;
  #expectsKey = false;
  #hasStarted = false;
  #hasMetTarget = false;
  #lists = 0;
  #nameChars = 0;
  #root: RecordPlace | undefined;
  readonly #places: RecordPlace[] = [];
  readonly #named = new Map<number, RecordPlace | undefined>();

  constructor(
    text: JsonPieces,
    { at, target }: { at: readonly string[] | undefined; target?: RecordPlace | undefined },
  ) {
    this.#text = text;
    this.#at = at;
    this.#target = target;
    this.#maxKeys = Math.max(MAX_KEYS, at?.length ?? 0);
  }

  get places(): readonly RecordPlace[] {
    return this.#places;
  }

  /** Reads on, to the end of the piece or the beginning of the target. Returns whether the target begins. */
  read(): boolean {
    const { scanner } = this.#text;
    let isAtTarget = false;
    for (let token = scanner.next(); token !== NONE; token = scanner.next()) {
      if (this.#inner.length > 0) this.#skip(token);
      else if (this.#take(token)) {
        isAtTarget = true;
        break;
      }
    }
    if (scanner.open !== NONE && this.#frames.length === 0) this.#requireRoot(OTHER);
    const isNeeded = this.#inner.length === 0 && (this.#expectsKey || this.#frames.at(-1)?.names !== undefined);
    const isShort = scanner.open === STRING && scanner.end - scanner.start <= MAX_KEY_LENGTH + 2;
    this.#text.discardTo(isNeeded && isShort ? scanner.start : scanner.end);
    return isAtTarget;
  }

  /** Continues after the target, which was read to its closing bracket. `objects` of its records are objects. */
  leaveTarget({ count, objects }: { count: number; objects: number }): void {
    const frame = this.#frames.at(-1) as Frame;
    const { holds = 'nothing', width } = this.#target ?? {};
    Object.assign(frame, { count, objects, alike: count, holds: count > 0 ? holds : 'nothing', width });
    this.#close();
  }

  /** The text is over: requires that the document is. */
  finish(): void {
    if (!this.#hasStarted) throw new RecordError('not found', 'The artifact is empty.');
    if (this.#frames.length > 0 || this.#text.scanner.open === STRING)
      throw new RecordError('broken', 'The JSON ends too early: it is cut off.');
  }

  /** The records, as far as the document was read. */
  choose(): Choice {
    for (let open = this.#frames.at(-1); open; open = this.#frames.at(-1)) {
      // An open column is shorter than the others.
      const parent = open.holds === 'values' && !open.isObject ? this.#frames.at(-2) : undefined;
      if (parent) {
        this.#frames.pop();
        parent.count--;
      } else this.#close();
    }
    return choosePlace({ root: this.#root, places: this.#places, named: this.#named }, this.#at);
  }

  #skip(token: number): void {
    const inner = this.#inner;
    if (inner.length === 1 && (token === STRING || token === LITERAL || token === OPEN_ARRAY || token === OPEN_OBJECT))
      this.#cells++;
    if (token === OPEN_ARRAY || token === OPEN_OBJECT) {
      if (this.#frames.length + inner.length >= MAX_DEPTH)
        throw this.#error('too large', `The JSON is nested deeper than ${MAX_DEPTH} levels`);
      inner.push(token === OPEN_OBJECT);
    } else if (token === CLOSE_ARRAY || token === CLOSE_OBJECT) {
      if (inner.pop() !== (token === CLOSE_OBJECT)) throw this.#unopened();
      const frame = this.#frames.at(-1);
      if (inner.length === 0 && frame?.isObject === false) frame.width ??= this.#cells;
    }
  }

  /** Takes a token that no list leads to. Returns whether it opens the target. */
  #take(token: number): boolean {
    const frame = this.#frames.at(-1);
    if (!frame) this.#requireRoot(token);
    else if (token === OTHER) throw this.#error('broken', 'This is not valid JSON');
    if (token === COMMA || token === COLON) this.#expectsKey = token === COMMA && frame?.isObject === true;
    else if (token === OPEN_ARRAY || token === OPEN_OBJECT) {
      if (frame) this.#count(frame, token);
      return this.#enter(token === OPEN_OBJECT);
    } else if (token === CLOSE_ARRAY || token === CLOSE_OBJECT) {
      if (frame?.isObject !== (token === CLOSE_OBJECT)) throw this.#unopened();
      this.#close();
    } else if (token === STRING && frame?.isObject && this.#expectsKey) {
      frame.key = this.#lastString();
      if (frame.key !== undefined && frame.keys.size < MAX_COMPARED_KEYS) frame.keys.add(frame.key);
      this.#expectsKey = false;
    } else if (frame) this.#count(frame, token);
    return false;
  }

  /** Counts an item or a member that begins. */
  #count(frame: Frame, token: number): void {
    frame.count++;
    if (frame.isObject) return;
    if (frame.count === 1) frame.holds = token === OPEN_OBJECT ? 'objects' : token === OPEN_ARRAY ? 'lists' : 'values';
    const mayBeName = token === STRING && frame.count <= MAX_NAMES && this.#nameChars <= MAX_NAME_CHARS;
    const name = mayBeName && frame.names ? this.#lastString() : undefined;
    this.#nameChars += name?.length ?? 0;
    if (name === undefined) frame.names = undefined;
    else frame.names?.push(detach(name));
  }

  #enter(isObject: boolean): boolean {
    const frames = this.#frames;
    const parent = frames.at(-1);
    const isFollowed = !parent || (parent.isObject && parent.key !== undefined && frames.length <= this.#maxKeys);
    if (!isFollowed) {
      this.#cells = 0;
      this.#inner.push(isObject);
      return false;
    }
    const at = parent ? [...parent.at, detach(parent.key as string)] : [];
    const isLocated = parent !== undefined && !isObject && this.#lists++ < MAX_LISTS;
    frames.push({
      ...{ isObject, at, count: 0, objects: 0, alike: 0, columnMembers: 0, lists: [] },
      ...{ key: undefined, keys: new Set(), previous: undefined },
      ...{ holds: 'nothing', width: undefined, names: isObject ? undefined : [] },
      start: isLocated ? this.#text.byteAt(this.#text.scanner.start) : undefined,
      placesBefore: this.#places.length,
    });
    this.#expectsKey = isObject;
    const target = this.#target;
    if (!target || this.#hasMetTarget || isObject !== (target.kind === 'members') || !isSamePath(at, target.at))
      return false;
    if (target.kind !== 'items' && target.kind !== 'members') return false;
    this.#hasMetTarget = true;
    return true;
  }

  #close(): void {
    const frame = this.#frames.pop() as Frame;
    const parent = this.#frames.at(-1);
    this.#expectsKey = false;
    if (frame.isObject) this.#closeObject(frame, parent);
    else this.#closeList(frame, parent);
  }

  #closeList({ at, count, holds, width, names, start }: Frame, parent: Frame | undefined): void {
    const place: RecordPlace = { at, kind: 'items', count, holds, width };
    if (!parent) this.#root = place;
    this.#note(place);
    if (holds === 'objects' || holds === 'lists' || count === 0) this.#add(place);
    if (!parent || parent.lists.length >= MAX_LISTS) return;
    const bytes = start === undefined ? undefined : { start, end: this.#text.byteAt(this.#text.scanner.end) };
    parent.lists.push({ key: at.at(-1) as string, count, holds, width, names: count > 0 ? names : undefined, bytes });
  }

  #closeObject(frame: Frame, parent: Frame | undefined): void {
    const { at, count, lists, placesBefore } = frame;
    const areColumns = isColumns(frame);
    const isOfRecords = areColumns || isDictionary(frame);
    if (isOfRecords) {
      this.#places.length = Math.min(this.#places.length, placesBefore);
      const columns = areColumns ? lists : undefined;
      const holds = areColumns ? 'values' : 'objects';
      this.#add({
        at,
        kind: columns ? 'columns' : 'members',
        count: lists[0] && columns ? lists[0].count : count,
        holds,
        columns,
      });
    } else for (const list of lists) this.#nameRows(list, frame);
    if (!parent) this.#root = { at, kind: 'document', count: 1, holds: 'objects' };
    this.#note({ at, kind: 'document', count, holds: 'objects' }, frame);
    if (!parent) return;
    parent.objects++;
    if (areColumns) parent.columnMembers++;
    // The keys of a dictionary name records, so they say nothing of the kind of an object.
    if (!isOfRecords && parent.previous && areAlike(parent.previous, frame.keys)) parent.alike++;
    parent.previous = isOfRecords ? undefined : frame.keys;
  }

  #nameRows(list: JsonList, frame: Frame): void {
    const names = namesFor(list, frame);
    if (!names) return;
    const isOfList = (place: RecordPlace) => isSamePath(place.at, [...frame.at, list.key]);
    for (const place of [...this.#places, ...this.#named.values()]) if (place && isOfList(place)) place.names = names;
  }

  #add(place: RecordPlace): void {
    if (this.#places.length < MAX_PLACES) this.#places.push(place);
  }

  /** Remembers a container on the way that was named. The first of two with the same keys counts. */
  #note(place: RecordPlace, object?: JsonObject): void {
    const isOnTheWay =
      place.at.length <= (this.#at?.length ?? -1) && place.at.every((key, index) => key === this.#at?.[index]);
    if (!isOnTheWay || this.#named.has(place.at.length)) return;
    this.#named.set(place.at.length, object ? placeOfNamed(object) : place);
  }

  #lastString(): string | undefined {
    const { start, end, escapeUnits } = this.#text.scanner;
    if (escapeUnits === 0 && end - start - 2 <= MAX_KEY_LENGTH) return this.#text.slice(start + 1, end - 1);
    return this.#text.stringAt({ start, end, maxChars: MAX_KEY_LENGTH });
  }

  #requireRoot(token: number): void {
    if (this.#hasStarted) throw this.#error('broken', 'More text follows after the end of the JSON');
    if (token !== OPEN_ARRAY && token !== OPEN_OBJECT)
      throw this.#error('broken', 'This is not a JSON object or array');
    this.#hasStarted = true;
  }

  #unopened(): RecordError {
    return this.#error('broken', 'A bracket is closed that is not open');
  }

  /** An error about the token that was read last. */
  #error(problem: RecordProblem, message: string): RecordError {
    return new RecordError(problem, `${message} (byte ${this.#text.byteAt(this.#text.scanner.start)}).`);
  }
}
