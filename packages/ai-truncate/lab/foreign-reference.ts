import type { SeededRandom } from './seeded-random.ts';

/** Facts about a foreign artifact that somebody may have learnt. */
export interface ForeignName {
  name: string;
  /** The path as its owner sees it. */
  path: string;
  scopeKey: string;
}

type Form = (of: ForeignName, ownKey: string) => string;

const forms: readonly [Form, ...Form[]] = [
  ({ path }) => path,
  ({ name }) => name,
  ({ name }) => name.slice(-20, -4),
  ({ name }) => `tool-output/${name}`,
  ({ name, scopeKey }) => `${scopeKey}/${name}`,
  ({ name, scopeKey }) => `tool-output/${scopeKey}/${name}`,
  ({ name, scopeKey }) => `../${scopeKey}/${name}`,
  ({ name, scopeKey }) => `tool-output/../${scopeKey}/${name}`,
  ({ name, scopeKey }, ownKey) => `tool-output/${ownKey}/../${scopeKey}/${name}`,
  ({ name }, ownKey) => `tool-output/${ownKey}/${name}`,
  ({ name, scopeKey }, ownKey) => `${ownKey}\\..\\${scopeKey}\\${name}`,
  ({ name, scopeKey }) => `%2e%2e/${scopeKey}/${name}`,
  ({ name, scopeKey }) => `..%2f${scopeKey}%2f${name}`,
  ({ name, scopeKey }) => `．．／${scopeKey}／${name}`,
  ({ path }) => `/${path}`,
  ({ path }) => `${process.cwd()}/${path}`,
  ({ path }) => `/proc/self/cwd/${path}`,
  ({ path }) => `file://${path}`,
  ({ name, scopeKey }) => `https://store.private.blob.vercel-storage.com/tool-output/${scopeKey}/${name}`,
  ({ name, scopeKey }) => `C:\\tool-output\\${scopeKey}\\${name}`,
];

const changes: readonly [(reference: string) => string, ...((reference: string) => string)[]] = [
  (reference) => reference,
  (reference) => `${reference}.info.json`,
  (reference) => reference.toUpperCase(),
  (reference) => ` ${reference}\n`,
  (reference) => `./${reference}`,
  (reference) => `${reference}/`,
  (reference) => `${reference}/raw`,
  (reference) => `${reference}\0`,
  (reference) => `${reference}\0.txt`,
  (reference) => `${reference}?scope=chat-2`,
  (reference) => `${reference}#`,
  (reference) => encodeURIComponent(reference),
  (reference) => encodeURIComponent(encodeURIComponent(reference)),
  (reference) => reference.replaceAll('_', '%5F'),
  (reference) => reference.replaceAll('/', '//'),
  (reference) => reference.replaceAll('/', '\\'),
  (reference) => reference.replaceAll('o', 'ο'),
  (reference) => reference.replaceAll('0', 'O'),
  (reference) => reference.replaceAll('a', 'ａ'),
  (reference) => `\ufeff${reference}`,
  (reference) => `\u202e${reference}`,
  (reference) => reference.replaceAll('_', '\u200b_'),
  (reference) => `${reference}:$DATA`,
];

/** The text of the request, and the random part of the name in it. */
export interface Reference {
  text: string;
  id: string;
}

/** Two references of the same form: to an artifact of another owner, and to a missing artifact. */
export function referencePair(
  random: SeededRandom,
  { foreign, ownKey }: { foreign: ForeignName; ownKey: string },
): { foreign: Reference; missing: Reference } {
  const form = random.oneOf(forms);
  const [first, second] = [random.oneOf(changes), random.oneOf(changes)];
  const isPlain = random.below(3) === 0;
  function write(of: ForeignName): Reference {
    const text = form(of, ownKey);
    return { text: isPlain ? text : second(first(text)), id: of.name.slice(-20, -4) };
  }
  return { foreign: write(foreign), missing: write(toMissing(random, foreign)) };
}

/**
 * Characters that the changes above preserve, and that can or cannot start the scheme of an address, because an answer may
 * depend on that.
 */
const alike = ['123456789', 'bcdefghjkmnpqrstvwxyz'];

/**
 * The number of equal characters at the start of both random parts. An answer may quote only the beginning of a long question,
 * which can end inside a random part. So short a piece must not distinguish the two. A longer piece is not in an answer by
 * chance.
 */
const sharedLength = 6;

/** The same reference with another end of the random part, which has digits and letters in the same places. */
function toMissing(random: SeededRandom, { name, path, scopeKey }: ForeignName): ForeignName {
  const own = name.slice(-20, -4);
  const rest = own.slice(sharedLength).replaceAll(/./g, (character) => {
    const others = alike.find((characters) => characters.includes(character));
    return others?.[random.below(others.length)] ?? character;
  });
  const swap = (text: string) => text.replace(own, own.slice(0, sharedLength) + rest);
  return { name: swap(name), path: swap(path), scopeKey };
}

/** Removes the parts of an answer that repeat the question, so that equal answers to two questions become the same text. */
export function withoutReference(answer: string, { text, id }: Reference): string {
  const plain = answer.replaceAll(JSON.stringify(text).slice(1, -1), '<reference>').replaceAll(text, '<reference>');
  let same = folded(plain);
  for (let length = id.length; length > sharedLength; length--)
    same = same.replaceAll(folded(id).slice(0, length), '<id>');
  return same;
}

/** Reverts the changes above to the characters of a random part, whether or not they are encoded for an address. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/%(?:25)*ef%(?:25)*bd%(?:25)*81/g, 'a')
    .replaceAll(/[0ο]|%(?:25)*ce%(?:25)*bf/g, 'o');
}
