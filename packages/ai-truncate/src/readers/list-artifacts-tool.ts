import type { Artifacts, ListedArtifact, ReadOptions } from '../artifacts/artifacts.ts';
import { startDeadline } from '../deadlines.ts';
import { pace } from '../pace.ts';
import type { Entry } from '../protocol/tool-response.ts';
import { ANSWER_CHARS, GLOB_MS, MAX_LISTED } from '../reader-limits.ts';
import { shortened, thousands } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import { createReader, type FindArtifacts, type ReaderTool } from './create-reader.ts';
import { readerDescriptions, readerWords } from './reader-words.ts';

export interface ListArtifactsInput {
  cursor?: string;
}

export interface ListArtifactsData {
  entries: ArtifactEntry[];
  truncated?: boolean;
  cursor?: string;
}

/** The description of an artifact before the model opens it. */
export interface ArtifactEntry extends Entry {
  tool: string;
  bytes: number;
  /** Absent if it could not be read. */
  lines?: number;
  /** ISO 8601. */
  created_at: string;
}

const PER_PAGE = 40;
/** An entry without its path, as JSON. */
const ENTRY_CHARS = 150;
const MAX_TOOL_CHARS = 64;

/** The artifacts of the owner, newest first. */
export function listArtifactsTool(find: FindArtifacts): ReaderTool<ListArtifactsInput, ListArtifactsData> {
  return createReader<ListArtifactsInput, ListArtifactsData>(find, {
    description: readerDescriptions.listArtifacts,
    parameters: { cursor: { type: 'string' } },
    required: [],
    async run({ artifacts, input: { cursor }, abortSignal }) {
      const page = { limit: PER_PAGE, entryChars: ENTRY_CHARS, cursor, abortSignal };
      const { artifacts: listed, total, isMore, next } = await listPage(artifacts, page);
      const entries = await entriesOf(listed, { artifacts, abortSignal });
      const isLaterPage = cursor !== undefined;
      return {
        data: next === undefined ? { entries } : { entries, truncated: true, cursor: next },
        happened: readerWords.listed(entries.length, { total, isMore, isLaterPage }),
        next: next && readerWords.listOn('listArtifacts', next),
        // A later page does not count the entries of earlier pages.
        stats: { ...(!isLaterPage && { total_entries: total }) },
      };
    },
    show: ({ entries }) => entries.map(shownEntry).join('\n'),
  });
}

/** An artifact may be deleted by now. The others are still listed. */
async function entriesOf(
  listed: readonly ListedArtifact[],
  { artifacts, abortSignal }: { artifacts: Artifacts; abortSignal: AbortSignal | undefined },
): Promise<ArtifactEntry[]> {
  return Promise.all(
    listed.map(async ({ path, tool, bytes, createdAt }) => {
      const info = await artifacts.info(path, { abortSignal }).catch(() => undefined);
      abortSignal?.throwIfAborted();
      const lines = info && { lines: info.lines };
      // A name may have 65,536 characters of any kind.
      const name = shortened(visibleText((info?.toolName ?? tool).slice(0, 2 * MAX_TOOL_CHARS)), MAX_TOOL_CHARS);
      return { path, type: 'file', tool: name, bytes, ...lines, created_at: createdAt.toISOString() };
    }),
  );
}

function shownEntry({ path, tool, bytes, lines, created_at: createdAt }: ArtifactEntry): string {
  const size = `${thousands(bytes)} bytes${lines === undefined ? '' : `, ${thousands(lines)} lines`}`;
  return `${path} (${tool}, ${size}, ${createdAt})`;
}

interface ListPageOptions extends ReadOptions {
  /** Whether a path is on the list. @default all are */
  matches?: (path: string) => boolean;
  /** Entries of a page. */
  limit: number;
  /** The characters of an entry without its path. */
  entryChars: number;
  /** The place to continue: `next` of an earlier page. */
  cursor?: string | undefined;
}

interface ListedPage {
  /** Newest first. */
  artifacts: ListedArtifact[];
  /** All matches on this page and later ones. With `isMore` or `ended`, there are at least as many. */
  total: number;
  /** The scope has more artifacts than one call reads. */
  isMore: boolean;
  /** The time was up before all paths were matched. */
  ended?: 'deadline';
  /** The place to continue; absent at the end of the list. */
  next?: string;
}

/**
 * A page of the artifacts of the scope, newest first, without reading their content. It has at most `limit` entries, as many as an
 * answer has room for, but at least one.
 */
export async function listPage(owned: Artifacts, options: ListPageOptions): Promise<ListedPage> {
  const { matches = () => true, limit, entryChars, cursor, abortSignal } = options;
  const { listed, isMore } = await listedFrom(owned, { cursor, abortSignal });
  const artifacts: ListedArtifact[] = [];
  let last: ListedArtifact | undefined;
  let room = ANSWER_CHARS;
  let total = 0;
  let looked = 0;
  const deadline = startDeadline(GLOB_MS);
  try {
    for await (const artifact of pace(listed, { abortSignal })) {
      looked++;
      if (matches(artifact.path)) {
        total++;
        room -= artifact.path.length + entryChars;
        const fits = artifacts.length === 0 || (artifacts.length < limit && room >= 0);
        if (fits && !last) artifacts.push(artifact);
        else last ??= artifacts.at(-1);
      }
      if (deadline.signal.aborted) break;
    }
  } finally {
    deadline.clear();
  }
  const isCut = looked < listed.length;
  if (isCut || isMore) last ??= listed[looked - 1];
  return { artifacts, total, isMore, ...(isCut && { ended: 'deadline' }), ...(last && { next: last.cursor }) };
}

async function listedFrom(
  owned: Artifacts,
  options: Pick<ListPageOptions, 'cursor' | 'abortSignal'>,
): Promise<{ listed: ListedArtifact[]; isMore: boolean }> {
  const listed: ListedArtifact[] = [];
  for await (const artifact of pace(owned.list(options), options)) {
    if (listed.length === MAX_LISTED) return { listed, isMore: true };
    listed.push(artifact);
  }
  return { listed, isMore: false };
}
