import { jsonSchema } from 'ai';
import { RE2JS } from 're2js';
import type { PathsData } from '../protocol/tool-response.ts';
import { createReader, type FindArtifacts, type ReaderTool } from './create-reader.ts';
import { listPage } from './list-artifacts-tool.ts';
import { globWords, readerDescriptions, readerErrors, readerWords } from './reader-words.ts';
import { ReaderRefusal } from './refusals.ts';

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

/** The artifacts of the owner whose path fits a glob. */
export function globArtifactsTool(find: FindArtifacts): ReaderTool<GlobArtifactsInput, GlobArtifactsData> {
  return createReader<GlobArtifactsInput, GlobArtifactsData>(find, {
    description: readerDescriptions.globArtifacts,
    inputSchema: jsonSchema<GlobArtifactsInput>({
      type: 'object',
      properties: { pattern: { type: 'string' }, cursor: { type: 'string' } },
      required: ['pattern'],
    }),
    async run({ artifacts, input: { pattern, cursor }, abortSignal }) {
      const glob = compileGlob(pattern);
      if (!glob.ok)
        throw new ReaderRefusal({ code: 'INVALID_PARAM', message: glob.message, next: readerErrors.correct });
      const page = { matches: glob.matches, limit: PER_PAGE, entryChars: PATH_CHARS, cursor, abortSignal };
      const { artifacts: listed, total, ended, next } = await listPage(artifacts, page);
      const paths = listed.map(({ path }) => path);
      const sentences = [readerWords.listed(paths.length, total), ...(ended ? [readerWords.notSearchedToTheEnd] : [])];
      return {
        data: next === undefined ? { paths } : { paths, truncated: true, cursor: next },
        happened: sentences.join(' '),
        ...(next !== undefined && { next: readerWords.listOn('globArtifacts', next) }),
        stats: { total_paths: total },
      };
    },
    show: ({ paths }) => paths.join('\n'),
  });
}

export type CompiledGlob = { ok: true; matches: (path: string) => boolean } | { ok: false; message: string };

const MAX_GLOB_LENGTH = 512;
/** A path has at most 512 characters: with as many instructions one call stays below 15 ms. */
const MAX_PROGRAM_SIZE = 2500;

/**
 * Compiles a glob: `*` and `?` within a folder, `**` across folders, `{a,b}`, `[a-z]`, `[!a]`, `\` before a sign that stands
 * for itself. Without `/` it is matched against the name alone, else against the end of the path that begins with a folder.
 * Case makes no difference: names are lower case, and a model writes tools as the tool set does.
 *
 * By an engine that takes linear time: the usual matchers take more than ten seconds for some thirty characters.
 */
export function compileGlob(glob: string): CompiledGlob {
  if (typeof glob !== 'string' || glob === '') return { ok: false, message: globWords.empty };
  if (glob.length > MAX_GLOB_LENGTH) return { ok: false, message: globWords.tooLong(glob.length, MAX_GLOB_LENGTH) };
  const expression = toExpression(glob.replace(/^\.?\/+/, ''));
  if (expression === undefined) return { ok: false, message: globWords.unclosed };
  const isOfName = !glob.includes('/');
  try {
    const program = RE2JS.compile(isOfName ? expression : `(?:.*/)?${expression}`, FLAGS);
    if (program.programSize() > MAX_PROGRAM_SIZE) return { ok: false, message: globWords.tooLarge };
    return { ok: true, matches: (path) => program.testExact(isOfName ? nameOf(path) : toPosix(path)) };
  } catch {
    return { ok: false, message: globWords.badClass };
  }
}

const FLAGS = RE2JS.CASE_INSENSITIVE | RE2JS.DOTALL;

function nameOf(path: string): string {
  return toPosix(path).slice(toPosix(path).lastIndexOf('/') + 1);
}

/** A path that is given out is never longer. */
function toPosix(path: string): string {
  return path.slice(-512).replaceAll('\\', '/');
}

/** `undefined` when a brace or a class is not closed. */
function toExpression(glob: string): string | undefined {
  let expression = '';
  let depth = 0;
  for (let at = 0; at < glob.length; ) {
    const part = partAt(glob, { at, depth });
    if (part === undefined) return undefined;
    expression += part.expression;
    depth += part.opens ?? 0;
    at = part.end;
  }
  return depth === 0 ? expression : undefined;
}

interface GlobPart {
  expression: string;
  end: number;
  /** 1 for a brace that opens, -1 for one that closes. */
  opens?: number;
}

function partAt(glob: string, { at, depth }: { at: number; depth: number }): GlobPart | undefined {
  const sign = glob[at];
  if (sign === '*') return starsAt(glob, at);
  if (sign === '?') return { expression: '[^/]', end: at + 1 };
  if (sign === '[') return classAt(glob, at);
  if (sign === '{') return { expression: '(?:', end: at + 1, opens: 1 };
  if (sign === '}' && depth > 0) return { expression: ')', end: at + 1, opens: -1 };
  if (sign === ',' && depth > 0) return { expression: '|', end: at + 1 };
  const isEscaped = sign === '\\' && at + 1 < glob.length;
  const character = String.fromCodePoint(glob.codePointAt(isEscaped ? at + 1 : at) ?? 0);
  return { expression: RE2JS.quote(character), end: at + (isEscaped ? 1 : 0) + character.length };
}

function starsAt(glob: string, at: number): GlobPart {
  let end = at;
  while (glob[end] === '*') end++;
  if (end - at === 1) return { expression: '[^/]*', end };
  const isFolder = (at === 0 || glob[at - 1] === '/') && glob[end] === '/';
  return isFolder ? { expression: '(?:.*/)?', end: end + 1 } : { expression: '.*', end };
}

function classAt(glob: string, at: number): GlobPart | undefined {
  const isNegated = glob[at + 1] === '!' || glob[at + 1] === '^';
  const start = at + (isNegated ? 2 : 1);
  // A bracket in the first place stands for itself.
  const end = glob.indexOf(']', start + 1);
  if (end === -1) return undefined;
  const members = glob.slice(start, end).replace(/[\\[\]^&~]/g, '\\$&');
  return { expression: isNegated ? `[^/${members}]` : `[${members}]`, end: end + 1 };
}
