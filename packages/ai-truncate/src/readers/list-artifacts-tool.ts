import { jsonSchema } from 'ai';
import { type ArtifactEntry, entriesOf, fitPage, shownEntry } from './artifact-entry.ts';
import { createReader, type FindArtifacts, type ReaderTool } from './artifact-reader.ts';
import { globArtifacts } from './glob-artifacts.ts';
import { readerDescriptions, readerWords } from './reader-words.ts';

export interface ListArtifactsInput {
  cursor?: string;
}

export interface ListArtifactsData {
  entries: ArtifactEntry[];
  truncated?: boolean;
  cursor?: string;
}

const PER_PAGE = 40;
/** What an entry has beside its path, as JSON. */
const ENTRY_CHARS = 150;

/** What is kept for this owner, newest first. */
export function listArtifactsTool(find: FindArtifacts): ReaderTool<ListArtifactsInput, ListArtifactsData> {
  return createReader<ListArtifactsInput, ListArtifactsData>(find, {
    description: readerDescriptions.listArtifacts,
    inputSchema: jsonSchema<ListArtifactsInput>({ type: 'object', properties: { cursor: { type: 'string' } } }),
    async run({ artifacts, input: { cursor }, abortSignal }) {
      const found = fitPage(await globArtifacts(artifacts, { limit: PER_PAGE, cursor, abortSignal }), ENTRY_CHARS);
      const entries = await entriesOf(found.artifacts, { artifacts, abortSignal });
      return {
        data: found.next === undefined ? { entries } : { entries, truncated: true, cursor: found.next },
        happened: readerWords.listed(entries.length, found.total),
        ...(found.next !== undefined && { next: readerWords.listOn('listArtifacts', found.next) }),
        stats: { total_entries: found.total },
      };
    },
    show: ({ entries }) => entries.map(shownEntry).join('\n'),
  });
}
