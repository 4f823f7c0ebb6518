import type { JsonContainer, JsonItem, JsonNode } from '../json/json-node.ts';
import {
  isIdentifier,
  isIdentifyingKey,
  keyBytes,
  type Layout,
  measure,
  SHORT,
  type Shape,
  shapeOf,
  writeItem,
  writeKey,
  writeWhole,
} from '../json/json-text.ts';
import { byteLength } from '../text/utf.ts';
import { fitLeaf, gapOf } from './preview-json-leaf.ts';

type Place = { layout: Layout; key?: string | undefined };

/** With more members an object is a map: its keys are data. */
const MAX_RECORD = 200;
/** The bytes that a large member of a record needs to be useful. */
const MIN_SHARE = 96;
const LARGE_SHARE = 0.4;
/** How many items that are too large to be shown whole are shown shrunk. More room allows more of them. */
const MIN_SHRUNK = 3;
const MAX_SHRUNK = 6;
const SHRUNK_BYTES = 800;

/**
 * The node as JSON text in at most so many bytes, or `undefined` when nothing useful fits. Of a long array or object it chooses the
 * items that are shown.
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
  // Without this, each level of a deep nest would try its items again and again in room that is not there: 4 ** depth.
  if (maxBytes < shape.bytes + gap.maxBytes) return undefined;
  const room = maxBytes - shape.bytes - gap.maxBytes - shape.separator.length;
  const isRecord = node.kind === 'object' && node.first.length + node.last.length <= MAX_RECORD;
  const items = (isRecord ? chooseMembers(node, room, shape) : undefined) ?? takeEnds(node, room, shape);
  const shown = items.before.length + items.after.length;
  const words = shown < node.count ? [gap.text(shown)] : [];
  return shape.open + [...items.before, ...words, ...items.after].join(shape.separator) + shape.close;
}

/** The items shown, before and after the gap. */
type Shown = { before: string[]; after: string[] };

/**
 * The members of a record. All of them if possible: small ones and identifiers whole, while the large ones share what is
 * left. Else those that identify it, then the others from both ends.
 */
function chooseMembers(node: JsonContainer, maxBytes: number, shape: Shape): Shown {
  const members = [...node.first, ...node.last].map((item) => sizeOf(item, maxBytes, shape));
  const texts = new Map<JsonItem, string>();
  const small = members.filter(({ isLarge }) => !isLarge);
  let large = members.filter(({ isLarge }) => isLarge);
  const forSmall = small.reduce((sum, { size, around }) => sum + size + around, 0);
  const forLarge = large.reduce((sum, { around }) => sum + MIN_SHARE + around, 0);
  const keepsAll = forSmall + forLarge <= maxBytes;
  // With no room for all, the large ones may still have a part of it: what a record is about is often in them.
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

/** What an item takes: its value (any number over the limit when that is over it), and its key and separator. */
type Sized = { item: JsonItem; size: number; around: number; isLarge: boolean };

function sizeOf(item: JsonItem, maxBytes: number, shape: Shape): Sized {
  const size = measure(item.value, maxBytes);
  const around = keyBytes(item) + shape.separator.length;
  return { item, size, around, isLarge: size > maxBytes || (size > SHORT && !isFirm(item)) };
}

/** Large items in the room they share, the smallest first: what one does not need goes to the others. */
function shareRoom(large: Sized[], maxBytes: number, shape: Shape): Map<JsonItem, string> {
  const texts = new Map<JsonItem, string>();
  let room = maxBytes - large.reduce((sum, { around }) => sum + around, 0);
  for (const [turn, { item }] of smallestFirst(large, maxBytes).entries()) {
    const text = fitNode(item.value, Math.floor(room / (large.length - turn)), { layout: shape.inner, key: item.key });
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
      Math.min(a.size, maxBytes) - Math.min(b.size, maxBytes) || Number(isString(a.item)) - Number(isString(b.item)),
  );
}

/** Identifying members come first. Of the others, two are taken from the start for each one from the end. */
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

function isString({ value }: JsonItem): boolean {
  return value.kind === 'string';
}

function isFirm({ key, value }: JsonItem): boolean {
  if (value.kind === 'literal') return value.text.length <= SHORT;
  return value.kind === 'string' && value.first.length === value.length && isIdentifier(value.first, key);
}

/** First and last items, about two to one, as many as fit; what is huge is shrunk so that some can be seen. */
function takeEnds(node: JsonContainer, maxBytes: number, shape: Shape): Shown {
  // Of an item that the gap cuts, what identifies it may not be known: others say more, when there are others.
  const first = [...node.first];
  const last = [...node.last];
  const hasGap = first.length + last.length < node.count;
  if (hasGap && first.length + last.length > MIN_SHRUNK && isCut(last[0])) last.shift();
  if (hasGap && first.length + last.length > MIN_SHRUNK && isCut(first.at(-1))) first.pop();
  const known = [...first, ...last];
  const maxShrunk = Math.max(MIN_SHRUNK, Math.min(MAX_SHRUNK, Math.floor(maxBytes / SHRUNK_BYTES)));
  const sized = sizeAll(known, { maxBytes, maxShrunk, shape });
  // Fixed parts of the room, as below, would halve it at every level of a nest with small neighbours.
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
    // What would have been shown whole, had there been room, is shrunk only to fill the last of it.
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
  // One more may be shrunk into a remainder that would be wasted.
  if (room > maxBytes / MAX_SHRUNK) take(false, room) || take(true, room);
  return { before, after: after.reverse() };
}

type SizeOptions = { maxBytes: number; maxShrunk: number; shape: Shape };

/** The items with their sizes, when there is room for all of them and only a few cannot be shown whole. */
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
 * All of the items: small ones whole, while the large ones share what is left. What shows none of itself in its share
 * opens a gap; to start again without it would fit what is nested in the others once more at every level.
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

function isCut(item: JsonItem | undefined): boolean {
  const node = item?.value;
  if (node?.kind === 'string') return node.first.length < node.length;
  return (node?.kind === 'array' || node?.kind === 'object') && node.first.length + node.last.length < node.count;
}
