import type { JsonContainer, JsonItem, JsonNode } from './json-node.ts';

/** Not with JSON.parse: V8 can return a wrong escaped key (nodejs/node#63785). */
export function compact(node: JsonNode): string {
  if (node.kind === 'literal') return node.text;
  if (node.kind === 'string') return JSON.stringify(wellFormed(node.first));
  if (node.kind === 'deep') return '';
  return `${node.kind}(${node.first.map((item) => `${JSON.stringify(wellFormed(item.key ?? ''))}:${compact(item.value)}`).join()})`;
}

/** Throws unless everything shown is there, at its place, and the numbers of what is not add up. */
export function expectShownOf(shown: JsonNode, whole: JsonNode): void {
  if (shown.kind === 'literal') {
    if (whole.kind !== 'literal' || whole.text !== shown.text) throw new Error(`${shown.text} is not there`);
    return;
  }
  if (shown.kind === 'string') {
    expectText(shown.first, whole);
    return;
  }
  if (shown.kind === 'deep' || shown.kind !== whole.kind) throw new Error(`${shown.kind} for ${whole.kind}`);

  const gapAt = shown.first.findIndex(
    (item) => omitted(item) !== undefined && !(shown.kind === 'array' && isSame(item, whole, shown)),
  );
  if (gapAt < 0) {
    if (shown.count !== whole.count) throw new Error(`${shown.count} items of ${whole.count}, and no gap`);
    for (const [index, item] of shown.first.entries()) expectItem(item, whole.first[index]);
    return;
  }
  const told = shown.count - 1 + (omitted(shown.first[gapAt]) ?? 0);
  if (told !== whole.count) throw new Error(`${told} items told of ${whole.count}`);
  if (shown.kind === 'array') {
    for (const [index, item] of shown.first.entries()) {
      if (index < gapAt) expectItem(item, whole.first[index]);
      if (index > gapAt) expectItem(item, whole.first[whole.count - shown.count + index]);
    }
    return;
  }
  let at = 0;
  for (const item of shown.first.toSpliced(gapAt, 1)) {
    const found = whole.first.findIndex(({ key = '' }, index) => index >= at && sameKey(item.key ?? '', key));
    if (found < 0) throw new Error(`${item.key} is not there`);
    expectShownOf(item.value, whole.first[found]?.value as JsonNode);
    at = found + 1;
  }
}

function isSame(item: JsonItem, whole: JsonContainer, shown: JsonContainer): boolean {
  return (
    shown.count === whole.count &&
    compact(item.value) === compact(whole.first[shown.first.indexOf(item)]?.value as JsonNode)
  );
}

function expectItem(item: JsonItem, whole: JsonItem | undefined): void {
  if (!whole || !sameKey(item.key ?? '', whole.key ?? '')) throw new Error(`${item.key} for ${whole?.key}`);
  expectShownOf(item.value, whole.value);
}

function sameKey(shown: string, whole: string): boolean {
  // Of a very long key around the gap of a large document, only the beginning is known.
  const isPart =
    whole.length > 256 && shown.length > 40 && shown.endsWith('…') && wellFormed(whole).startsWith(shown.slice(0, -1));
  return shown === wellFormed(whole) || isPart;
}

function expectText(shown: string, whole: JsonNode): void {
  const original = whole.kind === 'string' ? wellFormed(whole.first) : whole.kind === 'literal' ? whole.text : '';
  if (wellFormed(shown) === original) return;
  for (const gap of shown.matchAll(/… \[([\d,]+)(?: more)? characters?\] …/g)) {
    const start = shown.slice(0, gap.index);
    const end = shown.slice(gap.index + gap[0].length);
    const length = start.length + Number(gap[1]?.replaceAll(',', '')) + end.length;
    if (original.startsWith(start) && original.endsWith(end) && length === original.length) return;
  }
  throw new Error(`${JSON.stringify(shown)} is not shown of ${JSON.stringify(original.slice(0, 200))}`);
}

function omitted(item: JsonItem | undefined): number | undefined {
  if (item?.value.kind !== 'string') return undefined;
  const words = item.key === undefined ? /^… ([\d,]+)(?: more)? items? …$/ : /^([\d,]+)(?: more)? members?$/;
  const count = words.exec(item.value.first)?.[1];
  return count !== undefined && (item.key === undefined || /^…+$/.test(item.key))
    ? Number(count.replaceAll(',', ''))
    : undefined;
}

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
