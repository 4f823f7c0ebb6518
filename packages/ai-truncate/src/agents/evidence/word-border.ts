/**
 * Whether a quote may begin or end at this place of a text: not within a word or a number. `deleted 10` does not stand in
 * `deleted 1000 rows`, nor `5` in `-5` or `1.5`. Scripts that put no spaces between words have no such places.
 */
export function isWordBorder(text: string, at: number): boolean {
  const before = characterBefore(text, at);
  const behind = text.slice(at, at + 2).match(CHARACTER)?.[0] ?? '';
  if (WORD.test(before) && WORD.test(behind)) return UNSPACED.test(before) || UNSPACED.test(behind);
  if (MARK.test(behind)) return before === '';
  // A number goes on behind a point or a comma; a sign belongs to it, where it joins no words.
  if (DIGIT.test(before) && POINT.test(behind)) return !DIGIT.test(text.slice(at + 1, at + 2));
  if (!DIGIT.test(behind)) return true;
  const twoBefore = characterBefore(text, at - before.length);
  if (POINT.test(before)) return !DIGIT.test(twoBefore);
  return !SIGN.test(before) || WORD.test(twoBefore);
}

function characterBefore(text: string, at: number): string {
  return text.slice(Math.max(0, at - 2), at).match(LAST_CHARACTER)?.[0] ?? '';
}

const CHARACTER = /^./su;
const LAST_CHARACTER = /.$/su;
/** With what joins the words of a name: `ready` does not stand in `not_ready`. */
const WORD = /[\p{L}\p{N}_]/u;
const MARK = /\p{M}/u;
const DIGIT = /\p{Nd}/u;
const POINT = /[.,]/;
const SIGN = /[-+−]/;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
