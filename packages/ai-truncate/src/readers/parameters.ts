import { artifactNameOf, isArtifactId } from '../artifacts/artifact-name.ts';
import type { Artifacts, ReadOptions } from '../artifacts/artifacts.ts';
import { InvalidOptionError } from '../errors.ts';
import { isRecord } from '../protocol/guards.ts';
import type { ToolResponseError } from '../protocol/tool-response.ts';
import { shortened } from '../text/utf.ts';
import { readerErrors } from './reader-words.ts';
import { ReaderRefusal, wrongParameter } from './refusals.ts';

/** More levels than any schema of a reader has. Deeper values do not change. */
const MAX_DEPTH = 5;
const INTEGER = /^\s*[+-]?\d{1,15}\s*$/;

/**
 * The parameters as they were meant. Some providers make every parameter required, so that models fill parameters that they do
 * not need with `null`, `''`, zeros and empty objects. These values count as missing if the schema does not require the
 * parameter. A whole number that is written as text is a number. Everything else stays, so that a mistake is still an error.
 */
export function withoutFilled(input: unknown, schema: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH || !isRecord(schema)) return input;
  const { type, properties, required, items } = schema;
  if (type === 'integer') return typeof input === 'string' && INTEGER.test(input) ? Number(input) : input;
  if (Array.isArray(input)) return items ? input.map((item) => withoutFilled(item, items, depth + 1)) : input;
  // A single item needs no list.
  if (type === 'array') return withoutFilled(input, items, depth + 1);
  if (!isRecord(input) || !isRecord(properties)) return input;
  const needed: unknown[] = Array.isArray(required) ? required : [];
  const given = Object.keys(input).flatMap((name) => {
    const ofMember = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const value = withoutFilled(input[name], ofMember, depth + 1);
    if (ofMember === undefined) return value === null ? [] : [[name, value]];
    return needed.includes(name) || !isFilled(value, { ofMember, depth }) ? [[name, value]] : [];
  });
  return Object.fromEntries(given);
}

function isFilled(value: unknown, { ofMember, depth }: { ofMember: unknown; depth: number }): boolean {
  const { type, anyOf } = isRecord(ofMember) ? ofMember : {};
  // A condition may compare with any value, or with none.
  if (anyOf !== undefined && depth > 0) return false;
  if (isNothing(value)) return true;
  if (type === 'integer') return value === 0;
  // All members are filled in, including required ones.
  return type === 'object' && isRecord(value) && Object.values(value).every((each) => isNothing(each) || each === 0);
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

const MAX_SHOWN_NAME = 60;

/** Throws for a parameter that the schema does not have. If it were ignored, the answer would belong to another question. */
export function requireKnownParameters(input: unknown, known: object): void {
  if (!isRecord(input)) throw new InvalidOptionError({ option: 'input', value: input, expected: 'an object' });
  const unknown = Object.keys(input).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  throw wrongParameter(readerErrors.unknownParameter(shortened(unknown, MAX_SHOWN_NAME), Object.keys(known)));
}

const MAX_INPUT_CHARS = 2048;
const MAX_INPUT_EXCERPT = 500;

/** The parameters for the envelope, as the protocol requires. Every later request repeats them, so a long input is cut. */
export function boundedInput(input: unknown): unknown {
  const json = toJson(input);
  if (json.length > MAX_INPUT_CHARS) return shortened(json, MAX_INPUT_EXCERPT);
  // Parsed again, because the answer must be the same after a round trip.
  return JSON.parse(json);
}

/** JSON of anything; a value that JSON cannot carry becomes a text that says so. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return '"[no JSON]"';
  }
}

const MAX_PATH_CHARS = 1024;
const OUTSIDE: ToolResponseError = { code: 'ACCESS_DENIED', message: readerErrors.outside };

/** The path that a model means. Throws a `ReaderRefusal` for a path that cannot belong to a saved output. */
export function requirePath(given: unknown): string {
  // Models copy or add blanks and `./`.
  const path = typeof given === 'string' ? given.trim().replace(/^(?:\.\/+)+/, '') : '';
  const next = readerErrors.usePath;
  if (path === '' || path.length > MAX_PATH_CHARS || path.includes('\0'))
    throw new ReaderRefusal({ code: 'INVALID_PARAM', message: readerErrors.noPath, next });
  const leavesFolder = decoded(path).split('/').includes('..');
  // A single letter is a Windows drive.
  if (leavesFolder || /^[a-z][a-z0-9+.-]+:/i.test(path)) throw new ReaderRefusal({ ...OUTSIDE, next });
  return path;
}

/** The whole path for the random part of a name, which each further read would look up again. */
export async function resolvePath(artifacts: Artifacts, path: string, options: ReadOptions): Promise<string> {
  return isArtifactId(path) ? (await artifacts.info(path, options)).path : path;
}

/** The reason why there is no artifact for a path in this scope. An artifact of another scope looks like a missing one. */
export function objectionToMissing(path: string): ToolResponseError {
  // A store may show absolute paths.
  const isElsewhere = /^(\/|[a-z]:|~)/i.test(decoded(path.trim())) && artifactNameOf(path) === undefined;
  return isElsewhere ? OUTSIDE : { code: 'NOT_FOUND', message: readerErrors.notFound };
}

function decoded(path: string): string {
  return path.replace(/%2e/gi, '.').replace(/%2f/gi, '/').replace(/%5c/gi, '/').replaceAll('\\', '/');
}
