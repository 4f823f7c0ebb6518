import { jsonSchema } from 'ai';
import type { PathsData } from '../protocol/tool-response.ts';
import { fitPage } from './artifact-entry.ts';
import { createReader, type FindArtifacts, ReaderRefusal, type ReaderTool } from './artifact-reader.ts';
import { globArtifacts } from './glob-artifacts.ts';
import { compileGlob } from './glob-pattern.ts';
import { readerDescriptions, readerErrors, readerWords } from './reader-words.ts';

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
      const page = { matches: glob.matches, limit: PER_PAGE, cursor, abortSignal };
      const found = fitPage(await globArtifacts(artifacts, page), PATH_CHARS);
      const paths = found.artifacts.map(({ path }) => path);
      return {
        data: found.next === undefined ? { paths } : { paths, truncated: true, cursor: found.next },
        happened: [readerWords.listed(paths.length, found.total), found.ended && readerWords.notSearchedToTheEnd]
          .filter(Boolean)
          .join(' '),
        ...(found.next !== undefined && { next: readerWords.listOn('globArtifacts', found.next) }),
        stats: { total_paths: found.total },
      };
    },
    show: ({ paths }) => paths.join('\n'),
  });
}
