import type { JsonContainer, JsonItem, JsonNode } from '../json/json-node.ts';
import {
  isIdentifier,
  isIdentifyingKey,
  keyBytes,
  type Layout,
  measure,
  omission,
  SHORT,
  type Shape,
  shapeOf,
  writeItem,
  writeKey,
  writeMark,
  writeWhole,
} from '../json/json-text.ts';
import { byteLength } from '../text/utf.ts';
import { PROFILE_SHARE } from './fit-profile.ts';
import { fitLeaf, fitProfile, gapOf, isCut } from './preview-json-leaf.ts';

type Place = { layout: Layout; key?: string | undefined };

/** An object with more members is a map, and its keys are data. */
const MAX_RECORD = 200;
/** The fewest bytes for which a large member of a record is useful. */
const MIN_SHARE = 96;
const LARGE_SHARE = 0.4;
/** The fewest items that are shrunk because they are too large to be shown completely. With more room, more of them are shown. */
const MIN_SHRUNK = 3;
const MAX_SHRUNK = 6;
const SHRUNK_BYTES = 800;

/**
 * The node as JSON text of at most `maxBytes`, or `undefined` if nothing useful fits. For a long array or object, it chooses
 * the items to show.
 */
export function fitNode(node: JsonNode, maxBytes: number, place: Place): string | undefined {
  const isLeaf = node.kind === 'string' || node.kind === 'literal';
  return isLeaf ? fitLeaf(node, maxBytes, place.key) : fitContainer(node, maxBytes, place.layout);
}

function fitContainer(node: JsonContainer, maxBytes: number, layout: Layout): string | undefined {
  if (measure(node, maxBytes) <= maxBytes) {
    const broken = writeWhole(node, layout);
    return byteLength(broken) <= maxBytes ? broken : writeWhole(node, 'line');
  }
  const shape = shapeOf(node, layout);
  const gap = gapOf(node);
  // Without this, each level of a deep nest would try its items repeatedly in room that does not exist: 4 ** depth.
  if (maxBytes < shape.bytes + gap.maxBytes) return undefined;
  const room = maxBytes - shape.bytes - gap.maxBytes - shape.separator.length;
  const isRecord = node.kind === 'object' && node.first.length + node.last.length <= MAX_RECORD;
  if (!(isRecord && node.middle === undefined) && (node.middle || node.profile))
    return fitHighlighted(node, room, shape);
  const items = (isRecord ? chooseMembers(node, room, shape) : undefined) ?? takeEnds(node, room, shape);
  const shown = items.before.length + items.after.length;
  const words = shown < node.count ? [gap.text(shown)] : [];
  return shape.open + [...items.before, ...words, ...items.after].join(shape.separator) + shape.close;
}

/** The shares of a list's room for its highlights: items that match the question, and others. */
const ASKED_SHARE = 0.6;
const UNASKED_SHARE = 0.3;
/** The largest share of one item. */
const HIGHLIGHT_SHARE = 0.5;

/** The first and last items, with the important items between them, their indexes, and a profile of all items. */
function fitHighlighted(node: JsonContainer, maxBytes: number, shape: Shape): string {
  const profile = fitProfile(node, Math.floor(maxBytes * PROFILE_SHARE));
  const separator = shape.separator.length;
  let room = maxBytes - (profile === undefined ? 0 : byteLength(profile) + separator);
  const byRank = (node.middle ?? []).toSorted((one, other) => one.rank - other.rank);
  const isAsked = byRank.some((each) => each.isAsked);
  let forMiddle = Math.floor(room * (isAsked ? ASKED_SHARE : UNASKED_SHARE));
  const chosen: { index: number; text: string }[] = [];
  for (const { index, item } of byRank) {
    const mark = node.kind === 'array' ? byteLength(writeMark(omission.itemsBefore(node.count, node.count))) : 0;
    const around = keyBytes(item) + mark + 2 * separator;
    const most = Math.min(forMiddle, Math.floor(maxBytes * HIGHLIGHT_SHARE)) - around;
    const value = most < MIN_SHARE / 2 ? undefined : fitNode(item.value, most, { layout: 'line', key: item.key });
    if (value === undefined) continue;
    const text = writeKey(item) + value;
    const bytes = byteLength(value) + around;
    forMiddle -= bytes;
    room -= bytes;
    chosen.push({ index, text });
  }
  const ends = takeEnds(node, Math.max(0, room), shape);
  const tailStart = node.count - ends.after.length;
  const middle = chosen
    .filter(({ index }) => index >= ends.before.length && index < tailStart)
    .sort((one, other) => one.index - other.index);
  const rows = [...ends.before, ...(profile === undefined ? [] : [profile])];
  let next = ends.before.length;
  for (const { index, text } of middle) {
    if (index > next && node.kind === 'array') rows.push(writeMark(omission.itemsBefore(index - next, index)));
    rows.push(text);
    next = index + 1;
  }
  const shown = ends.before.length + middle.length + ends.after.length;
  if (node.kind === 'array' && tailStart > next) rows.push(writeMark(omission.items(tailStart - next, shown)));
  if (node.kind === 'object' && shown < node.count) rows.push(gapOf(node).text(shown));
  return shape.open + [...rows, ...ends.after].join(shape.separator) + shape.close;
}

/** The shown items, before and after the gap. */
type Shown = { before: string[]; after: string[] };

/**
 * The members of a record. If possible, all of them: small ones and identifiers completely, while the large ones share the rest
 * of the room. Otherwise the members that identify it, then others from both ends.
 */
function chooseMembers(node: JsonContainer, maxBytes: number, shape: Shape): Shown {
  const members = [...node.first, ...node.last].map((item) => sizeOf(item, maxBytes, shape));
  const texts = new Map<JsonItem, string>();
  const small = members.filter(({ isLarge }) => !isLarge);
  let large = members.filter(({ isLarge }) => isLarge);
  const forSmall = small.reduce((sum, { size, around }) => sum + size + around, 0);
  const forLarge = large.reduce((sum, { around }) => sum + MIN_SHARE + around, 0);
  const keepsAll = forSmall + forLarge <= maxBytes;
  // Even without room for all members, the large ones may still have a part of it, because the content of a record is often in
  // them.
  const reserved = keepsAll ? 0 : Math.min(forLarge, Math.floor(maxBytes * LARGE_SHARE));
  let room = maxBytes - reserved;
  for (const { item, size, around } of keepsAll ? small : byImportance(small)) {
    if (size + around > room) continue;
    texts.set(item, writeItem(item, 'line'));
    room -= size + around;
  }

  room += reserved;
  while (large.length > 0 && large.reduce((sum, { around }) => sum + MIN_SHARE + around, 0) > room)
    large = large.slice(0, -1);
  for (const [item, text] of shareRoom(large, room, shape)) texts.set(item, text);

  const all = members.map(({ item }) => texts.get(item));
  const missing = all.indexOf(undefined);
  const gapAt = missing < 0 ? node.first.length : Math.min(missing, node.first.length);
  return { before: all.slice(0, gapAt).filter(isShown), after: all.slice(gapAt).filter(isShown) };
}

function isShown(text: string | undefined): text is string {
  return text !== undefined;
}

/** The size of an item: its value (any number over the limit if it is over the limit), and its key and separator. */
type Sized = { item: JsonItem; size: number; around: number; isLarge: boolean };

function sizeOf(item: JsonItem, maxBytes: number, shape: Shape): Sized {
  const size = measure(item.value, maxBytes);
  const around = keyBytes(item) + shape.separator.length;
  return { item, size, around, isLarge: size > maxBytes || (size > SHORT && !isFirm(item)) };
}

/** Divides the room between large items, the smallest first, so that unused room goes to the others. */
function shareRoom(large: Sized[], maxBytes: number, shape: Shape): Map<JsonItem, string> {
  const texts = new Map<JsonItem, string>();
  let room = maxBytes - large.reduce((sum, { around }) => sum + around, 0);
  for (const [turn, { item }] of smallestFirst(large, maxBytes).entries()) {
    const share = isHighlighted(item) && turn + 1 < large.length ? HIGHLIGHTED_SHARE : 1 / (large.length - turn);
    const text = fitNode(item.value, Math.floor(room * share), { layout: shape.inner, key: item.key });
    if (text === undefined) continue;
    texts.set(item, writeKey(item) + text);
    room -= byteLength(text);
  }
  return texts;
}

/** Among equal sizes, strings come last, because they can use any number of bytes. */
function smallestFirst(large: Sized[], maxBytes: number): Sized[] {
  return large.toSorted(
    (a, b) =>
      Number(isHighlighted(b.item)) - Number(isHighlighted(a.item)) ||
      Math.min(a.size, maxBytes) - Math.min(b.size, maxBytes) ||
      Number(isString(a.item)) - Number(isString(b.item)),
  );
}

/** Identifying members come first. The others alternate: two from the start for each one from the end. */
function byImportance<MEMBER extends { item: JsonItem }>(members: MEMBER[]): MEMBER[] {
  const identifying = members.filter(({ item }) => isIdentifyingKey(item.key));
  const others = members.filter(({ item }) => !isIdentifyingKey(item.key));
  const order: MEMBER[] = [];
  for (let turn = 0, first = 0, last = others.length - 1; first <= last; turn++) {
    const member = others[turn % 3 === 1 ? last-- : first++];
    if (member) order.push(member);
  }
  return [...identifying, ...order];
}

/** The share of a large member with highlights, if there are several large members. */
const HIGHLIGHTED_SHARE = 0.7;

function isHighlighted({ value }: JsonItem): boolean {
  return (value.kind === 'array' || value.kind === 'object') && value.isHighlighted === true;
}

function isString({ value }: JsonItem): boolean {
  return value.kind === 'string';
}

function isFirm({ key, value }: JsonItem): boolean {
  if (value.kind === 'literal') return value.text.length <= SHORT;
  return value.kind === 'string' && value.first.length === value.length && isIdentifier(value.first, key);
}

/** The first and last items, about two to one, as many as fit. Huge items are shrunk so that some can be seen. */
function takeEnds(node: JsonContainer, maxBytes: number, shape: Shape): Shown {
  // The identifying members of an item that the gap cuts may be unknown, so other items come first if there are any.
  const first = [...node.first];
  const last = [...node.last];
  const hasGap = first.length + last.length < node.count;
  if (hasGap && first.length + last.length > MIN_SHRUNK && isCut(last[0])) last.shift();
  if (hasGap && first.length + last.length > MIN_SHRUNK && isCut(first.at(-1))) first.pop();
  const known = [...first, ...last];
  const maxShrunk = Math.max(MIN_SHRUNK, Math.min(MAX_SHRUNK, Math.floor(maxBytes / SHRUNK_BYTES)));
  const sized = sizeAll(known, { maxBytes, maxShrunk, shape });
  // Fixed shares of the room, as below, would halve it at every level of a nest with small neighbors.
  if (sized) return takeAll(sized, { maxBytes, shape, gapAt: hasGap ? first.length : undefined });

  const beforeGap = hasGap ? first.length : known.length;
  const afterGap = hasGap ? last.length : known.length;
  const shrinkTo = Math.floor(maxBytes / Math.min(known.length, maxShrunk));
  const wholeUpTo = Math.floor(maxBytes / Math.min(known.length, MIN_SHRUNK));
  const before: string[] = [];
  const after: string[] = [];
  let room = maxBytes;

  const take = (fromEnd: boolean, shrinksInto: number): boolean => {
    const isKnown = fromEnd ? after.length < afterGap : before.length < beforeGap;
    const item = known[fromEnd ? known.length - 1 - after.length : before.length];
    if (!item || !isKnown || before.length + after.length === known.length) return false;
    const around = keyBytes(item) + shape.separator.length;
    const size = measure(item.value, Math.max(room, wholeUpTo)) + around;
    const isWhole = size <= room && (size <= wholeUpTo || isFirm(item));
    // An item that would fit into an empty preview is shrunk only to fill the rest of the room.
    const mayShrink = shrinksInto === room || (shrinksInto < room && size > wholeUpTo);
    if (!isWhole && !mayShrink) return false;
    const text = fitNode(item.value, (isWhole ? room : shrinksInto) - around, { layout: shape.inner, key: item.key });
    if (text === undefined) return false;
    room -= byteLength(text) + around;
    (fromEnd ? after : before).push(writeKey(item) + text);
    return true;
  };

  const open = { before: true, after: true };
  for (let turn = 0; open.before || open.after; turn++) {
    const fromEnd = (turn % 3 === 1 && open.after) || !open.before;
    if (!take(fromEnd, shrinkTo)) open[fromEnd ? 'after' : 'before'] = false;
  }
  // One more item may be shrunk into a remainder that would otherwise be unused.
  if (room > maxBytes / MAX_SHRUNK) take(false, room) || take(true, room);
  return { before, after: after.reverse() };
}

type SizeOptions = { maxBytes: number; maxShrunk: number; shape: Shape };

/** The items with their sizes, if all of them fit and only a few must be shrunk. */
function sizeAll(items: JsonItem[], { maxBytes, maxShrunk, shape }: SizeOptions): Sized[] | undefined {
  const sized: Sized[] = [];
  let room = maxBytes;
  let shrunk = 0;
  for (const item of items) {
    const next = sizeOf(item, maxBytes, shape);
    sized.push(next);
    room -= next.around + (next.isLarge ? 0 : next.size);
    if (next.isLarge) shrunk++;
    if (shrunk * MIN_SHARE > room) return undefined;
  }
  const large = sized.filter(({ isLarge }) => isLarge);
  for (const { size } of smallestFirst(large, maxBytes)) {
    if (size > room / shrunk) break;
    room -= size;
    shrunk--;
  }
  return shrunk <= maxShrunk ? sized : undefined;
}

type AllOptions = { maxBytes: number; shape: Shape; gapAt: number | undefined };

/**
 * All items: small ones completely, while the large ones share the rest of the room. An item that shows nothing in its share
 * becomes a gap, because starting again without it would fit the content of the others once more at every level.
 */
function takeAll(items: Sized[], { maxBytes, shape, gapAt }: AllOptions): Shown {
  const small = items.filter(({ isLarge }) => !isLarge);
  const room = small.reduce((rest, { size, around }) => rest - size - around, maxBytes);
  const large = items.filter(({ isLarge }) => isLarge);
  const texts = shareRoom(large, room, shape);
  for (const { item } of small) texts.set(item, writeItem(item, 'line'));

  const all = items.map(({ item }) => texts.get(item));
  const firstMissing = all.indexOf(undefined);
  const afterMissing = all.lastIndexOf(undefined) + 1;
  const before = all.slice(0, Math.min(gapAt ?? all.length, firstMissing < 0 ? all.length : firstMissing));
  const after = all.slice(Math.max(gapAt ?? before.length, afterMissing));
  return { before: before.filter(isShown), after: after.filter(isShown) };
}
