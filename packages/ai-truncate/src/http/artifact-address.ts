import { artifactNameOf } from '../artifacts/artifact-name.ts';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { invalidParameter } from './http-refusal.ts';

/** What of an artifact is asked for: what is known of it, its bytes, lines, characters of a line, or where something is. */
export type ArtifactView = 'info' | 'raw' | 'lines' | 'chars' | 'grep';

export interface ArtifactAddress {
  /** Empty when the path holds no name: an artifact that nobody has. */
  name: string;
  view: ArtifactView;
  parameters: URLSearchParams;
}

/**
 * Reads `…/<name>` and `…/<name>/<view>` under whatever path the handler is mounted. Only the end of the path counts, and it
 * has to be a name by the grammar, written out: a parameter, a suffix or an escape makes no other one of it.
 */
export function parseArtifactAddress(url: string): ArtifactAddress {
  const { pathname, searchParams: parameters } = new URL(url);
  // Some servers end every path with a slash.
  const path = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  const view = /\/(raw|lines|chars|grep)$/.exec(path)?.[1] as ArtifactView | undefined;
  const name = artifactNameOf(view ? path.slice(0, -view.length - 1) : path) ?? '';
  return { name, view: view ?? 'info', parameters };
}

/** Reads one parameter of an address; `undefined` when it is not there, and a refusal when it is there twice. */
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
  /** For the refusal. @default the bounds */
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

/** One of some words, the first of which is the default. */
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

/** What every view is given. */
export interface ViewRequest {
  /** Of the owner that asks, and of nobody else. */
  artifacts: Artifacts;
  /** By the grammar, or empty: then no artifact has it. */
  name: string;
  parameters: URLSearchParams;
  request: Request;
  /** Aborts when the client goes, and while the answer is prepared also when that takes too long. */
  signal: AbortSignal;
  /** For what goes wrong when the answer is already on its way. */
  report: (error: unknown) => void;
}
