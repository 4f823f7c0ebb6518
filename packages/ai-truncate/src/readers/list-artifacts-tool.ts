import { jsonSchema } from 'ai';
import { ANSWER_CHARS, GLOB_MS } from '../answer-limits.ts';
import { parseArtifactName } from '../artifacts/artifact-name.ts';
import type { Artifacts, ListedArtifact, ReadOptions } from '../artifacts/artifacts.ts';
import { startDeadline } from '../deadlines.ts';
import { InvalidOptionError } from '../errors.ts';
import { requireWholeNumber } from '../options.ts';
import { pace } from '../pace.ts';
import type { Entry } from '../protocol/tool-response.ts';
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
    inputSchema: jsonSchema<ListArtifactsInput>({ type: 'object', properties: { cursor: { type: 'string' } } }),
    async run({ artifacts, input: { cursor }, abortSignal }) {
      const page = { limit: PER_PAGE, entryChars: ENTRY_CHARS, cursor, abortSignal };
      const { artifacts: listed, total, next } = await listPage(artifacts, page);
      const entries = await entriesOf(listed, { artifacts, abortSignal });
      return {
        data: next === undefined ? { entries } : { entries, truncated: true, cursor: next },
        happened: readerWords.listed(entries.length, total),
        ...(next !== undefined && { next: readerWords.listOn('listArtifacts', next) }),
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

export interface ListPageOptions extends ReadOptions {
  /** Whether a path is on the list. @default all are */
  matches?: (path: string) => boolean;
  /** At most 1,000. @default 100 */
  limit?: number;
  /** The characters of an entry without its path. @default 0 */
  entryChars?: number;
  /** Where to go on: `next` of an earlier page. */
  cursor?: string | undefined;
  /** Ends the page with what was found until then. @default 1 s after the store has listed */
  deadline?: AbortSignal | undefined;
}

export interface ListedPage {
  /** Newest first. */
  artifacts: ListedArtifact[];
  /** All that match, on any page; when it `ended`: at least. */
  total: number;
  /** The time was up before all paths were matched. */
  ended?: 'deadline';
  /** Where to go on; absent at the end of the list. */
  next?: string;
}

/** A page of the newest 1,000 artifacts of the scope. Their content is not read. */
export async function listPage(artifacts: Artifacts, options: ListPageOptions): Promise<ListedPage> {
  const { limit = 100, cursor, deadline, abortSignal } = options;
  requireWholeNumber('limit', { value: limit, min: 1, max: 1000 });
  const listed: ListedArtifact[] = [];
  for await (const artifact of pace(artifacts.list({ abortSignal }), { abortSignal })) listed.push(artifact);
  const start = cursor === undefined ? 0 : listed.findIndex((each) => idOf(each) === cursor) + 1;
  if (cursor !== undefined && start === 0) {
    const expected = 'the cursor of an answer before, of an artifact that is still here; list again without it';
    throw new InvalidOptionError({ option: 'cursor', value: cursor, expected });
  }
  const { signal, clear } = startDeadline(GLOB_MS, { abortSignal: deadline });
  try {
    return await matchPage(listed, { ...options, limit, start, deadline: signal });
  } finally {
    clear();
  }
}

/** As many artifacts as are wanted and as an answer has room for, at least one. */
async function matchPage(
  listed: readonly ListedArtifact[],
  options: ListPageOptions & { limit: number; start: number; deadline: AbortSignal },
): Promise<ListedPage> {
  const { matches = () => true, entryChars = 0, limit, start, deadline, abortSignal } = options;
  // Earlier pages come last, only for the total, so that every page gets further however short the time is.
  const wanted = listed.slice(start);
  const all = [...wanted, ...listed.slice(0, start)];
  const artifacts: ListedArtifact[] = [];
  let room = ANSWER_CHARS;
  let total = 0;
  let looked = 0;
  let last: ListedArtifact | undefined;
  for await (const artifact of pace(all, { abortSignal })) {
    const isWanted = looked++ < wanted.length;
    if (matches(artifact.path)) {
      total++;
      if (isWanted) room -= artifact.path.length + entryChars;
      const fits = artifacts.length === 0 || (artifacts.length < limit && room >= 0);
      if (isWanted && fits) artifacts.push(artifact);
      else if (isWanted) last ??= artifacts.at(-1);
    }
    if (deadline.aborted) break;
  }
  if (looked < wanted.length) last ??= wanted[looked - 1];
  return {
    artifacts,
    total,
    ...(looked < all.length && { ended: 'deadline' }),
    ...(last && { next: idOf(last) }),
  };
}

function idOf({ name }: ListedArtifact): string {
  return parseArtifactName(name)?.id ?? name;
}
