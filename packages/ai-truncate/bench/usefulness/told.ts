/**
 * Checks that shown text tells a fact. They accept every honest form: other indentation, a page without tags, compact JSON. They
 * refuse parts that come from different places.
 */
export type Told = (shown: string) => boolean;

/** In most lines, parts that are further apart belong to different statements. */
const lineCharacters = 600;
const passageCharacters = 300;

/** Some line of the shown text contains all texts. */
export function toldByLine(texts: readonly string[]): Told {
  return (shown) => shown.split('\n').some((line) => isNear(collapsed(line), { texts, within: lineCharacters }));
}

/** A passage of a page contains all texts, whatever the tags, entities and line breaks between its words. */
export function toldByPassage(texts: readonly string[]): Told {
  const sought = { texts: texts.map(squeezed), within: passageCharacters };
  return (shown) => isNear(squeezed(withoutTags(shown)), sought) || isNear(squeezed(decoded(shown)), sought);
}

/** JSON in which the record that begins with one text contains the other text. */
export function toldByRecord({ start, value, within }: { start: string; value: string; within: number }): Told {
  return (shown) => {
    const text = compactJson(shown);
    return placesOf(text, start).some((at) => text.slice(at, at + within).includes(value));
  };
}

/** A value of a field, and directly after it how often it occurs: `MIT 2,000`, `"MIT": 2000`, `MIT × 2000`. */
export function toldByCount({ value, count }: { value: string; count: number }): Told {
  const numbers = [String(count), count.toLocaleString('en')];
  return (shown) =>
    placesOf(shown, value).some((at) => {
      const after = /^[^\p{L}\d]{0,6}([\d,]*\d)(?![\d.])/u.exec(shown.slice(at + value.length, at + value.length + 20));
      return numbers.includes(after?.[1] ?? '');
    });
}

/** The number, in digits or with a comma after each thousand, and not as a part of another number. */
export function toldByNumber(number: number): Told {
  const forms = [String(number), number.toLocaleString('en')];
  return (shown) => forms.some((form) => new RegExp(`(?<![\\d.,])${form}(?![\\d]|[.,]\\d)`).test(shown));
}

export function collapsed(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** JSON without the white space between its tokens. */
export function compactJson(text: string): string {
  return text.replaceAll(/\s*([[\]{}:,"])\s*/g, '$1');
}

/** A page without markup. */
export function withoutTags(html: string): string {
  return decoded(html.replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/g, ' ').replaceAll(/<\/?[a-z!][^<>]*>/gi, ''));
}

function decoded(html: string): string {
  return html
    .replaceAll(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&[a-z]+;/gi, ' ');
}

/** Letters and digits only, because renderings of the same page differ in everything else. */
function squeezed(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

function isNear(
  text: string,
  { texts: [first = '', ...others], within }: { texts: readonly string[]; within: number },
) {
  return placesOf(text, first).some((at) => {
    const around = text.slice(Math.max(0, at - within), at + first.length + within);
    return others.every((other) => around.includes(other));
  });
}

function placesOf(text: string, part: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}
