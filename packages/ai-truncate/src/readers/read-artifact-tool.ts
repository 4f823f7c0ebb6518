import { requireWholeNumber } from '../options.ts';
import type { ContentData } from '../protocol/tool-response.ts';
import { placeOf, withId } from '../windows/place.ts';
import { readWindow } from '../windows/read-window.ts';
import { createReader, type FindArtifacts, type ReaderTool } from './create-reader.ts';
import { requirePath, resolvePath } from './parameters.ts';
import { readerDescriptions, readerWords, windowText } from './reader-words.ts';
import { requireReadable } from './refusals.ts';

export interface ReadArtifactInput {
  path: string;
  /** The first line, counted from 1, or from the end if negative. */
  offset?: number;
  /** The number of lines. */
  limit?: number;
  /** A part of one line. */
  chars?: { line: number; start?: number; count?: number };
  /** The place to continue, from an earlier answer. */
  cursor?: string;
}

export interface ReadArtifactData extends ContentData {
  cursor?: string;
}

/** Lines of one artifact, page by page. */
export function readArtifactTool(find: FindArtifacts): ReaderTool<ReadArtifactInput, ReadArtifactData> {
  return createReader<ReadArtifactInput, ReadArtifactData>(find, {
    description: readerDescriptions.readArtifact,
    parameters: {
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
    async run({ artifacts, input, abortSignal }) {
      const { offset, limit, chars, cursor } = input;
      const given = requirePath(input.path);
      if (offset !== undefined) {
        const value = typeof offset === 'number' ? Math.abs(offset) : offset;
        requireWholeNumber('offset', { value, min: 1, because: '(or below 0, to count from the end)' });
      }
      const path = await resolvePath(artifacts, given, { abortSignal });
      const place = typeof cursor === 'string' ? placeOf(path, cursor) : cursor;
      const page = await readWindow(artifacts, path, { offset, limit, chars, cursor: place, abortSignal });
      requireReadable(page.kind);
      const { content, totalLines } = page;
      const next = page.next && withId(path, page.next);
      return {
        data: next === undefined ? { content } : { content, truncated: true, cursor: next },
        happened: windowText(page, { askedLine: cursor === undefined ? chars?.line : undefined }),
        next: next && readerWords.readOn(next),
        path,
        stats: { total_lines: totalLines },
      };
    },
    show: ({ content }) => content,
  });
}
