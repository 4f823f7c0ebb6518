import type { Artifacts } from '../artifacts/artifacts.ts';
import { InvalidOptionError } from '../errors.ts';
import { requireWholeNumber } from '../options.ts';
import type { Match, ToolResponseError } from '../protocol/tool-response.ts';
import { type FailedSearch, type GrepArtifactsResult, grepArtifacts } from '../search/grep-artifacts.ts';
import { compileInTurn, type SearchPattern } from '../text/pattern.ts';
import { shortened } from '../text/utf.ts';
import { createReader, type FindArtifacts, type ReaderTool } from './create-reader.ts';
import { objectionToMissing, requirePath, resolvePath } from './parameters.ts';
import { readerDescriptions, readerErrors, readerWords, searchTexts } from './reader-words.ts';
import { ReaderRefusal, storeFailure, wrongParameter } from './refusals.ts';

export interface GrepArtifactsInput {
  pattern: string;
  /** One or several artifacts. */
  path?: string | string[];
  literal?: boolean;
  ignoreCase?: boolean;
  /** Lines shown around each match. */
  context?: number;
  cursor?: string;
}

/** A matching line, and the lines around it. */
export interface GrepArtifactsMatch extends Match {
  before?: string[];
  after?: string[];
  /** In a long line: the start of the match. */
  column?: number;
  /** For the `cursor` of readArtifact. */
  at?: string;
}

export interface GrepArtifactsData {
  matches: GrepArtifactsMatch[];
  truncated?: boolean;
  cursor?: string;
  failed_items?: FailedItem[];
}

/** An artifact that could not be searched. */
interface FailedItem extends ToolResponseError {
  path: string;
}

const MAX_CONTEXT = 20;
const MAX_PATHS = 100;
const MAX_FAILED = 20;
const MAX_FAILED_PATH = 200;
const MAX_FAILED_MESSAGE = 200;

/** Searches lines in one artifact, in several or in the whole scope. */
export function grepArtifactsTool(find: FindArtifacts): ReaderTool<GrepArtifactsInput, GrepArtifactsData> {
  return createReader<GrepArtifactsInput, GrepArtifactsData>(find, {
    description: readerDescriptions.grepArtifacts,
    parameters: {
      pattern: { type: 'string' },
      // Without a description, because older versions of Vertex AI refuse one next to `anyOf`.
      path: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      literal: { type: 'boolean' },
      ignoreCase: { type: 'boolean' },
      context: { type: 'integer', description: 'Lines around each match' },
      cursor: { type: 'string' },
    },
    required: ['pattern'],
    async run({ artifacts, input, abortSignal }) {
      const { context = 0, cursor } = input;
      const given = requirePaths(input.path);
      const pattern = await requirePattern(input);
      requireWholeNumber('context', { value: context, min: 0, max: MAX_CONTEXT });
      const paths = given && (await Promise.all(given.map((path) => resolveIfFound(artifacts, path, abortSignal))));
      const bounds = { before: context, after: context, cursor, abortSignal };
      const found = await grepArtifacts(artifacts, { pattern, paths, ...bounds });
      const failed = found.failed.slice(0, MAX_FAILED).map(toFailedItem);
      const [path, another] = paths ?? [];
      requireSearched(found, { failed, isOnePath: path !== undefined && another === undefined });
      const isPartial = found.next !== undefined || !found.isComplete;
      return {
        data: {
          matches: found.matches,
          ...(isPartial && { truncated: true }),
          ...(found.next !== undefined && { cursor: found.next }),
          ...(failed.length > 0 && { failed_items: failed }),
        },
        ...searchTexts(found, { isLaterPage: cursor !== undefined, pattern: input.pattern }),
        path: another === undefined ? path : undefined,
        stats: {
          // On a page after the first, the matches of the earlier pages were not counted.
          ...(cursor === undefined && { total_matches: found.count }),
          total_searched: found.searched,
          scanned_bytes: found.scannedBytes,
        },
      };
    },
    show: ({ matches, failed_items: failed = [] }) =>
      [...shownMatches(matches), ...failed.map(({ path, code, message }) => `${path}: ${code}: ${message}`)].join('\n'),
  });
}

/** The artifacts to search; without `path`, all of them. */
function requirePaths(path: unknown): string[] | undefined {
  if (path === undefined) return undefined;
  const paths = [path].flat();
  if (paths.length > 0 && paths.length <= MAX_PATHS) return paths.map(requirePath);
  const expected = `a path, or a list of 1 to ${MAX_PATHS} paths`;
  throw new InvalidOptionError({ option: 'path', value: path, expected });
}

async function requirePattern({ pattern, literal, ignoreCase }: GrepArtifactsInput): Promise<SearchPattern> {
  const compiled = await compileInTurn(pattern, { literal: literal === true, ignoreCase: ignoreCase === true });
  if (compiled.ok) return compiled.pattern;
  throw wrongParameter(compiled.message);
}

/** A path without an artifact stays unchanged, so that the search reports it. */
async function resolveIfFound(artifacts: Artifacts, path: string, abortSignal: AbortSignal): Promise<string> {
  const resolved = await resolvePath(artifacts, path, { abortSignal }).catch(() => path);
  abortSignal.throwIfAborted();
  return resolved;
}

function toFailedItem(failed: FailedSearch): FailedItem {
  const path = shortened(failed.path, MAX_FAILED_PATH);
  if (failed.reason === 'gone') return { path, ...objectionToMissing(failed.path) };
  if (failed.reason === 'unreadable') return { path, code: 'BINARY_FILE', message: readerErrors.binary(failed.kind) };
  const { code, message } = storeFailure(failed.error);
  return { path, code, message: shortened(message, MAX_FAILED_MESSAGE) };
}

/** Throws if nothing was searched, so that an empty answer never looks like "no matches". */
function requireSearched(
  { searched, ended, scannedBytes, matches }: GrepArtifactsResult,
  { failed, isOnePath }: { failed: readonly FailedItem[]; isOnePath: boolean },
): void {
  const [first] = failed;
  if (isOnePath && searched === 0 && first) throw new ReaderRefusal({ ...first, next: readerErrors.usePath });
  if (ended !== 'deadline' || scannedBytes > 0 || matches.length > 0 || first) return;
  const message = readerWords.notSearchedToTheEnd;
  throw new ReaderRefusal({ code: 'TIMEOUT', message, next: readerErrors.tryAgain });
}

/** The matches with their line numbers. The lines around them are indented. Each path is shown once, because it can be long. */
function shownMatches(matches: readonly GrepArtifactsMatch[]): string[] {
  return matches.flatMap(({ file, line, text, before = [], after = [], column, at }, index) => {
    const place = column === undefined ? `${line}` : `${line}:${column}`;
    const readHere = at === undefined ? '' : ` (cursor ${at})`;
    const heading = matches[index - 1]?.file === file ? [] : [file];
    const around = (each: string) => `  ${each}`;
    return [...heading, ...before.map(around), `${place}${readHere}: ${text}`, ...after.map(around)];
  });
}
