import { parseArtifactName } from '../artifacts/artifact-name.ts';
import type { Artifacts, ListedArtifact, ReadOptions } from '../artifacts/artifacts.ts';
import { startDeadline } from '../deadlines.ts';
import { requireOption } from '../options.ts';
import { pace } from '../pace.ts';
import type { Entry } from '../protocol/tool-response.ts';
import { ANSWER_CHARS, GLOB_MS } from '../reader-limits.ts';
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

/** What a model sees of an artifact before it opens it. */
export interface ArtifactEntry extends Entry {
  tool: string;
  bytes: number;
  /** Absent when it could not be looked up. */
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
      const { artifacts: listed, total, next } = await listPage(artifacts, page);
      const entries = await entriesOf(listed, { artifacts, abortSignal });
      return {
        data: next === undefined ? { entries } : { entries, truncated: true, cursor: next },
        happened: readerWords.listed(entries.length, total),
        next: next && readerWords.listOn('listArtifacts', next),
        stats: { total_entries: total },
      };
    },
    show: ({ entries }) => entries.map(shownEntry).join('\n'),
  });
}

/** An artifact may be gone by now. The others are listed all the same. */
async function entriesOf(
  listed: readonly ListedArtifact[],
  { artifacts, abortSignal }: { artifacts: Artifacts; abortSignal: AbortSignal | undefined },
): Promise<ArtifactEntry[]> {
  return Promise.all(
    listed.map(async ({ path, tool, bytes, createdAt }) => {
      const info = await artifacts.info(path, { abortSignal }).catch(() => undefined);
      abortSignal?.throwIfAborted();
      const lines = info && { lines: info.lines };
      // A name may have 65,536 characters, of any kind.
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
  /** Where to go on: `next` of an earlier page. */
  cursor?: string | undefined;
}

interface ListedPage {
  /** Newest first. */
  artifacts: ListedArtifact[];
  /** All that match, on any page; when it `ended`: at least. */
  total: number;
  /** The time was up before all paths were matched. */
  ended?: 'deadline';
  /** Where to go on; absent at the end of the list. */
  next?: string;
}

/**
 * A page of the newest 1,000 artifacts of the scope, without reading their content. It has at most `limit` entries, as many as
 * an answer has room for, but at least one.
 */
export async function listPage(owned: Artifacts, options: ListPageOptions): Promise<ListedPage> {
  const { matches = () => true, limit, entryChars, cursor, abortSignal } = options;
  const listed: ListedArtifact[] = [];
  for await (const artifact of pace(owned.list({ abortSignal }), { abortSignal })) listed.push(artifact);
  const start = cursor === undefined ? 0 : startOf(cursor, listed);
  // Earlier pages come last, only for the total, so that every page gets further however short the time is.
  const all = [...listed.slice(start), ...listed.slice(0, start)];
  const wanted = listed.length - start;
  const artifacts: ListedArtifact[] = [];
  let last: ListedArtifact | undefined;
  let room = ANSWER_CHARS;
  let total = 0;
  let looked = 0;
  const deadline = startDeadline(GLOB_MS);
  try {
    for await (const artifact of pace(all, { abortSignal })) {
      const isWanted = looked++ < wanted;
      if (matches(artifact.path)) {
        total++;
        if (isWanted) room -= artifact.path.length + entryChars;
        const fits = artifacts.length === 0 || (artifacts.length < limit && room >= 0);
        if (isWanted && fits) artifacts.push(artifact);
        else if (isWanted) last ??= artifacts.at(-1);
      }
      if (deadline.signal.aborted) break;
    }
  } finally {
    deadline.clear();
  }
  if (looked < wanted) last ??= all[looked - 1];
  return {
    artifacts,
    total,
    ...(looked < all.length && { ended: 'deadline' }),
    ...(last && { next: idOf(last) }),
  };
}

/** The place after the last artifact of the page before. */
function startOf(cursor: string, listed: readonly ListedArtifact[]): number {
  const index = listed.findIndex((each) => idOf(each) === cursor);
  const expected = 'the cursor of an answer before, of an artifact that is still here; list again without it';
  requireOption(index !== -1, { option: 'cursor', value: cursor, expected });
  return index + 1;
}

function idOf({ name }: ListedArtifact): string {
  return parseArtifactName(name)?.id ?? name;
}
