import { jsonSchema } from 'ai';
import { artifactName } from '../artifacts/artifact-name.ts';
import { requireWholeNumber } from '../options.ts';
import type { ContentData } from '../protocol/tool-response.ts';
import { placeOf, withId } from '../search/targets.ts';
import { isReadable } from '../windows/content.ts';
import { readWindow } from '../windows/read-window.ts';
import { createReader, type FindArtifacts, ReaderRefusal, type ReaderTool } from './artifact-reader.ts';
import { givenPath } from './given-path.ts';
import { objectionToPath } from './path-objection.ts';
import { readerDescriptions, readerErrors, readerWords } from './reader-words.ts';
import { resolvedPath } from './resolved-path.ts';

export interface ReadArtifactInput {
  path: string;
  /** The first line, from 1; below 0 from the end. */
  offset?: number;
  /** How many lines. */
  limit?: number;
  /** A part of one line. */
  chars?: { line: number; start?: number; count?: number };
  /** Where to go on, as an answer said. */
  cursor?: string;
}

export interface ReadArtifactData extends ContentData {
  cursor?: string;
}

/** Lines of one artifact, page by page. */
export function readArtifactTool(find: FindArtifacts): ReaderTool<ReadArtifactInput, ReadArtifactData> {
  return createReader<ReadArtifactInput, ReadArtifactData>(find, {
    description: readerDescriptions.readArtifact,
    inputSchema: jsonSchema<ReadArtifactInput>({
      type: 'object',
      properties: {
        path: { type: 'string' },
        offset: { type: 'integer', description: 'First line, from 1; -20: the last 20' },
        limit: { type: 'integer', description: 'Lines' },
        chars: {
          type: 'object',
          description: 'Part of one long line',
          properties: { line: { type: 'integer' }, start: { type: 'integer' }, count: { type: 'integer' } },
          required: ['line'],
        },
        cursor: { type: 'string', description: 'From an earlier answer' },
      },
      required: ['path'],
    }),
    async run({ artifacts, input, abortSignal }) {
      const { offset, limit, chars, cursor } = input;
      const given = givenPath(input.path);
      const objection = objectionToPath(given);
      if (objection) throw new ReaderRefusal({ ...objection, next: readerErrors.usePath });
      if (offset !== undefined) {
        const value = typeof offset === 'number' ? Math.abs(offset) : offset;
        requireWholeNumber('offset', { value, min: 1, because: '(or below 0, to count from the end)' });
      }
      const path = await resolvedPath(artifacts, given as string, { abortSignal });
      const place = typeof cursor === 'string' ? placeOf(path, cursor) : cursor;
      const page = await readWindow(artifacts, path, { offset, limit, chars, cursor: place, abortSignal });
      const { content, pieces, totalLines, kind } = page;
      const next = page.next && withId(path, page.next);
      if (!isReadable(kind)) {
        throw new ReaderRefusal({
          code: 'BINARY_FILE',
          message: readerErrors.binary(kind),
          next: readerErrors.askPerson,
        });
      }
      const [first, last] = [pieces[0]?.line, pieces.at(-1)?.line];
      const isEmpty =
        totalLines === 1 && pieces[0]?.isEnd === true && pieces[0].character === 1 && pieces[0].text === '';
      const happened = isEmpty
        ? readerWords.empty
        : first === undefined || last === undefined
          ? chars !== undefined && cursor === undefined && chars.line <= totalLines
            ? readerWords.noCharacters(chars.line)
            : readerWords.noLines(totalLines)
          : readerWords.lines(first, last, totalLines);
      return {
        data: next === undefined ? { content } : { content, truncated: true, cursor: next },
        happened,
        ...(next !== undefined && { next: readerWords.readOn(next) }),
        pathResolved: artifactName(path) ?? path,
        stats: { total_lines: totalLines },
      };
    },
    show: ({ content }) => content,
  });
}
