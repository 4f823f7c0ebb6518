import { artifactNameOf } from '../artifacts/artifact-name.ts';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { invalidParameter } from './http-refusal.ts';

/** The requested view of an artifact: its metadata, its bytes, lines, characters of a line, or a search. */
export type ArtifactView = 'info' | 'raw' | 'lines' | 'chars' | 'grep';

export interface ArtifactAddress {
  /** Empty if the path holds no name. No artifact has an empty name. */
  name: string;
  view: ArtifactView;
  parameters: URLSearchParams;
}

/**
 * Reads `…/<name>` and `…/<name>/<view>`, whatever path the handler is mounted under. Only the end of the path counts. It must
 * be a valid name, without escapes: parameters, suffixes and escapes never turn it into another name.
 */
export function parseArtifactAddress(url: string): ArtifactAddress {
  const { pathname, searchParams: parameters } = new URL(url);
  // Some servers end every path with a slash.
  const path = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  const view = /\/(raw|lines|chars|grep)$/.exec(path)?.[1] as ArtifactView | undefined;
  const name = artifactNameOf(view ? path.slice(0, -view.length - 1) : path) ?? '';
  return { name, view: view ?? 'info', parameters };
}

/** Reads one parameter of an address; `undefined` if it is missing. Refuses a parameter that occurs twice. */
export function textParameter(parameters: URLSearchParams, name: string): string | undefined {
  const [value, second] = parameters.getAll(name);
  if (second !== undefined) throw invalidParameter(name, { value: second, expected: 'given at most once' });
  return value;
}

interface NumberBounds {
  /** @default 1 */
  min?: number;
  /** @default Number.MAX_SAFE_INTEGER */
  max?: number;
  fallback: number;
  /** The text for the refusal. @default the bounds */
  expected?: string;
}

/** A whole number in decimal digits, within bounds. */
export function numberParameter(parameters: URLSearchParams, name: string, bounds: NumberBounds): number {
  const {
    min = 1,
    max = Number.MAX_SAFE_INTEGER,
    fallback,
    expected = `a whole number from ${min} to ${max}`,
  } = bounds;
  const text = textParameter(parameters, name);
  if (text === undefined) return fallback;
  const number = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw invalidParameter(name, { value: text, expected });
}

/** One of several words. The first word is the default. */
export function wordParameter<Word extends string>(
  parameters: URLSearchParams,
  name: string,
  words: readonly [Word, Word],
): Word {
  const text = textParameter(parameters, name) ?? words[0];
  const word = words.find((each) => each === text);
  if (word !== undefined) return word;
  throw invalidParameter(name, { value: text, expected: words.map((each) => `'${each}'`).join(' or ') });
}

/** The parameters of every view. */
export interface ViewRequest {
  /** The artifacts of the authorized owner only. */
  artifacts: Artifacts;
  /** A valid name, or empty if no artifact can have it. */
  name: string;
  parameters: URLSearchParams;
  request: Request;
  /** Aborts when the client disconnects, and if preparing the answer takes too long. */
  signal: AbortSignal;
  /** Reports a failure after the answer has been started. */
  report: (error: unknown) => void;
}
