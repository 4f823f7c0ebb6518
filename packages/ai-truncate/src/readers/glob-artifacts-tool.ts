import { RE2JS } from 're2js';
import type { PathsData } from '../protocol/tool-response.ts';
import { createReader, type FindArtifacts, type ReaderTool } from './create-reader.ts';
import { listPage } from './list-artifacts-tool.ts';
import { globWords, readerDescriptions, readerWords } from './reader-words.ts';
import { wrongParameter } from './refusals.ts';

export interface GlobArtifactsInput {
  pattern: string;
  cursor?: string;
}

export interface GlobArtifactsData extends PathsData {
  paths: string[];
  cursor?: string;
}

const PER_PAGE = 60;
/** Quotes and a comma. */
const PATH_CHARS = 3;

/** The artifacts of the owner whose path matches a glob. */
export function globArtifactsTool(find: FindArtifacts): ReaderTool<GlobArtifactsInput, GlobArtifactsData> {
  return createReader<GlobArtifactsInput, GlobArtifactsData>(find, {
    description: readerDescriptions.globArtifacts,
    parameters: { pattern: { type: 'string' }, cursor: { type: 'string' } },
    required: ['pattern'],
    async run({ artifacts, input: { pattern, cursor }, abortSignal }) {
      const page = { matches: compileGlob(pattern), limit: PER_PAGE, entryChars: PATH_CHARS, cursor, abortSignal };
      const { artifacts: listed, total, isMore, ended, next } = await listPage(artifacts, page);
      const isLaterPage = cursor !== undefined;
      const paths = listed.map(({ path }) => path);
      const sentences = [
        readerWords.listed(paths.length, { total, isMore, isLaterPage }),
        ...(ended ? [readerWords.notSearchedToTheEnd] : []),
      ];
      return {
        data: next === undefined ? { paths } : { paths, truncated: true, cursor: next },
        happened: sentences.join(' '),
        next: next && readerWords.listOn('globArtifacts', next),
        stats: { ...(!isLaterPage && { total_paths: total }) },
      };
    },
    show: ({ paths }) => paths.join('\n'),
  });
}

const MAX_GLOB_LENGTH = 512;
/** The paths of this library are never longer. */
const MAX_PATH_CHARS = 512;
/** With this many instructions, one call takes less than 15 ms for a path of that length. */
const MAX_PROGRAM_SIZE = 2500;

/**
 * Compiles a glob: `*` and `?` within a folder, `**` across folders, `{a,b}`, `[a-z]`, `[!a]`, `\` before a literal sign.
 * Without `/` it is matched against the name alone, else against the end of the path that begins with a folder. Case does not
 * matter, because names are lower case, and a model writes tool names as in the tool set.
 *
 * Uses an engine that takes linear time, because the usual matchers take more than ten seconds for some thirty characters.
 * Throws a `ReaderRefusal` for an invalid glob.
 */
export function compileGlob(glob: string): (path: string) => boolean {
  if (typeof glob !== 'string' || glob === '') throw wrongParameter(globWords.empty);
  if (glob.length > MAX_GLOB_LENGTH) throw wrongParameter(globWords.tooLong(glob.length, MAX_GLOB_LENGTH));
  const expression = toExpression(glob.replace(/^\.?\/+/, ''));
  if (expression === undefined) throw wrongParameter(globWords.unclosed);
  // A glob without a folder is matched against the name in any.
  const program = compile(`(?:.*/)?${expression}`);
  if (program.programSize() > MAX_PROGRAM_SIZE) throw wrongParameter(globWords.tooLarge);
  return (path) => program.testExact(path.slice(-MAX_PATH_CHARS).replaceAll('\\', '/'));
}

function compile(expression: string): RE2JS {
  try {
    return RE2JS.compile(expression, RE2JS.CASE_INSENSITIVE | RE2JS.DOTALL);
  } catch {
    throw wrongParameter(globWords.badClass);
  }
}

/** Stars, with the following slash if they are a whole folder; a class; an escaped or literal sign. */
const TOKENS = /(?:(?<=^|\/)\*{2,}\/)|\*+|\[([!^]|(?![!^]))(.[^\]]*)\]|\\?(.)/gsu;

/** Returns `undefined` if a brace or a class is not closed. */
function toExpression(glob: string): string | undefined {
  let expression = '';
  let depth = 0;
  for (const [token, negation, members, sign = ''] of glob.matchAll(TOKENS)) {
    if (token === '[') return undefined;
    const isInBraces = depth > 0;
    if (token === '{') depth++;
    else if (token === '}' && isInBraces) depth--;
    // A bracket at the first place of a class is literal.
    if (members !== undefined) expression += classOf(members, { isNegated: negation !== '' });
    else if (Object.hasOwn(WILDCARDS, token)) expression += WILDCARDS[token];
    else if (isInBraces && Object.hasOwn(IN_BRACES, token)) expression += IN_BRACES[token];
    else if (token.startsWith('**')) expression += token.endsWith('/') ? '(?:.*/)?' : '.*';
    else expression += RE2JS.quote(sign);
  }
  return depth === 0 ? expression : undefined;
}

const WILDCARDS: Record<string, string> = { '*': '[^/]*', '?': '[^/]', '{': '(?:' };
const IN_BRACES: Record<string, string> = { '}': ')', ',': '|' };

function classOf(members: string, { isNegated }: { isNegated: boolean }): string {
  const escaped = members.replace(/[\\[\]^&~]/g, '\\$&');
  return isNegated ? `[^/${escaped}]` : `[${escaped}]`;
}
