import { jsonSchema } from 'ai';
import { artifactName } from '../artifacts/artifact-name.ts';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { InvalidOptionError } from '../errors.ts';
import { requireWholeNumber } from '../options.ts';
import type { Match } from '../protocol/tool-response.ts';
import { compileInTurn } from '../search/pattern.ts';
import { type FailedSearch, searchArtifacts } from '../search/search-artifacts.ts';
import { shortened } from '../text/utf.ts';
import { createReader, type FindArtifacts, ReaderRefusal, type ReaderTool } from './artifact-reader.ts';
import { givenPath } from './given-path.ts';
import { objectionToMissing, objectionToPath, shownFolder } from './path-objection.ts';
import { readerDescriptions, readerErrors, readerWords } from './reader-words.ts';
import { resolvedPath } from './resolved-path.ts';
import { storeFailure } from './store-failure.ts';

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

/** A line in which something was found, and those around it. */
export interface GrepArtifactsMatch extends Match {
  before?: string[];
  after?: string[];
  /** In a long line: where the match starts. */
  column?: number;
  /** For the `cursor` of readArtifact. */
  at?: string;
}

export interface GrepArtifactsData {
  matches: GrepArtifactsMatch[];
  truncated?: boolean;
  cursor?: string;
  failed_items?: { path: string; code: string; message: string }[];
}

const MAX_CONTEXT = 20;
const MAX_PATHS = 100;
const MAX_FAILED = 20;
const MAX_FAILED_PATH = 200;
const MAX_FAILED_MESSAGE = 200;

/** Lines that match, in one artifact, in several or in all of the scope. */
export function grepArtifactsTool(find: FindArtifacts): ReaderTool<GrepArtifactsInput, GrepArtifactsData> {
  return createReader<GrepArtifactsInput, GrepArtifactsData>(find, {
    description: readerDescriptions.grepArtifacts,
    inputSchema: jsonSchema<GrepArtifactsInput>({
      type: 'object',
      properties: {
        pattern: { type: 'string' },
        // Without a description: older versions of Vertex AI refuse one beside `anyOf`.
        path: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
        literal: { type: 'boolean' },
        ignoreCase: { type: 'boolean' },
        context: { type: 'integer', description: 'Lines around each match' },
        cursor: { type: 'string' },
      },
      required: ['pattern'],
    }),
    async run({ artifacts, input, abortSignal }) {
      const { pattern, path, literal, ignoreCase, context = 0, cursor } = input;
      const paths = path === undefined ? undefined : [path].flat().map(givenPath);
      if (paths && (paths.length === 0 || paths.length > MAX_PATHS)) {
        const expected = `a path, or a list of 1 to ${MAX_PATHS} paths`;
        throw new InvalidOptionError({ option: 'path', value: path, expected });
      }
      for (const each of paths ?? []) {
        const objection = objectionToPath(each);
        if (objection) throw new ReaderRefusal({ ...objection, next: readerErrors.usePath });
      }
      const meant = { literal: literal === true, ignoreCase: ignoreCase === true };
      const compiled = await compileInTurn(pattern, meant);
      if (!compiled.ok) {
        throw new ReaderRefusal({ code: 'INVALID_PARAM', message: compiled.message, next: readerErrors.correct });
      }
      requireWholeNumber('context', { value: context, min: 0, max: MAX_CONTEXT });
      const searched = paths && (await resolvedPaths(artifacts, paths as string[], abortSignal));
      const found = await searchArtifacts(artifacts, {
        pattern: compiled.pattern,
        paths: searched,
        before: context,
        after: context,
        cursor,
        abortSignal,
      });
      let folder: Promise<string | undefined> | undefined;
      const findFolder = () => {
        folder ??= shownFolder(artifacts, { abortSignal });
        return folder;
      };
      const failed = await Promise.all(found.failed.slice(0, MAX_FAILED).map((each) => failedItem(each, findFolder)));
      // Of one that was asked for, its failure is the answer.
      const only = paths?.length === 1 && found.searched === 0 ? failed[0] : undefined;
      if (only) {
        throw new ReaderRefusal({ code: only.code as never, message: only.message, next: readerErrors.usePath });
      }
      if (found.ended === 'deadline' && found.scannedBytes === 0 && found.matches.length === 0 && failed.length === 0) {
        throw new ReaderRefusal({
          code: 'TIMEOUT',
          message: readerWords.notSearchedToTheEnd,
          next: readerErrors.tryAgain,
        });
      }
      const isLaterPage = cursor !== undefined;
      const isPartial = found.next !== undefined || !found.isComplete;
      const state = [
        !isLaterPage &&
          found.next !== undefined &&
          found.matches.length < found.count &&
          readerWords.shown(found.matches.length),
        found.ended === 'deadline' && readerWords.notSearchedToTheEnd,
        failed.length > 0 && readerWords.notSearched(found.failed.length),
      ].filter((sentence) => sentence !== false);
      const next = found.next === undefined ? readerWords.notSearchedAll : readerWords.searchOn(found.next);
      return {
        data: {
          matches: found.matches,
          ...(isPartial && { truncated: true }),
          ...(found.next !== undefined && { cursor: found.next }),
          ...(failed.length > 0 && { failed_items: failed }),
        },
        happened: isLaterPage
          ? readerWords.foundMore(found.matches.length, found.matches[0])
          : readerWords.found(found.count, { atLeast: !found.isComplete, searched: found.searched }),
        state: state.length > 0 ? state.join(' ') : undefined,
        pathResolved: searched?.length === 1 && searched[0] ? (artifactName(searched[0]) ?? searched[0]) : undefined,
        ...(isPartial ? { next } : failed.length > 0 && { next: readerWords.lookAtFailed }),
        stats: {
          // Of a page behind the first, nobody counted all.
          ...(!isLaterPage && { total_matches: found.count }),
          total_searched: found.searched,
          scanned_bytes: found.scannedBytes,
        },
      };
    },
    show: ({ matches, failed_items: failed = [] }) =>
      [...shownMatches(matches), ...failed.map(({ path, code, message }) => `${path}: ${code}: ${message}`)].join('\n'),
  });
}

async function failedItem(
  failed: FailedSearch,
  folder: () => Promise<string | undefined>,
): Promise<{ path: string; code: string; message: string }> {
  const path = shortened(failed.path, MAX_FAILED_PATH);
  if (failed.reason === 'gone') return { path, ...(await objectionToMissing(failed.path, folder)) };
  if (failed.reason === 'unreadable') return { path, code: 'BINARY_FILE', message: readerErrors.binary(failed.kind) };
  const { code, message } = storeFailure(failed.error);
  return { path, code, message: shortened(message, MAX_FAILED_MESSAGE) };
}

/** One that is gone is told by the search. */
async function resolvedPaths(artifacts: Artifacts, paths: string[], abortSignal: AbortSignal | undefined) {
  const found = paths.map(async (path) => {
    const resolved = await resolvedPath(artifacts, path, { abortSignal }).catch(() => path);
    abortSignal?.throwIfAborted();
    return resolved;
  });
  return await Promise.all(found);
}

/** Each file once, as its path can be longer than a line; a match with its number, the lines around it indented. */
function shownMatches(matches: readonly GrepArtifactsMatch[]): string[] {
  return matches.flatMap(({ file, line, text, before = [], after = [], column, at }, index) => {
    const place = column === undefined ? `${line}` : `${line}:${column}`;
    const readHere = at === undefined ? '' : ` (cursor ${at})`;
    const heading = matches[index - 1]?.file === file ? [] : [file];
    const around = (each: string) => `  ${each}`;
    return [...heading, ...before.map(around), `${place}${readHere}: ${text}`, ...after.map(around)];
  });
}
