import { callReader } from '../../fixtures/call-reader.ts';
import type { Artifacts } from '../../src/artifacts/artifacts.ts';
import type { RecordQuery } from '../../src/query/arguments.ts';
import type { ReaderName } from '../../src/readers/create-artifact-tools.ts';

/** How to search for a fact. */
export type FactSearch =
  | { by: 'words'; words: string }
  | { by: 'pattern'; pattern: string }
  /** For the end of the output, which is read. */
  | { by: 'tail' }
  /** For records. The fields must be known. */
  | { by: 'query'; query: RecordQuery };

export interface SearchResult {
  isFound: boolean;
  /** The text that the model wrote and saw. */
  calls: { input: string; answer: string }[];
}

const linesAround = 10;
const linesAtEnd = 20;
const mostCalls = 5;

/**
 * The fixed plan, with the readers as a model calls them. It searches for a pattern, then reads the lines around the first
 * match, then the next pages of matches. It queries records, after a look at their fields if those are not known yet.
 */
export async function searchFor(
  { search, isToldBy }: { search: FactSearch; isToldBy(shown: string): boolean },
  { artifacts, path, knowsFields }: { artifacts: Artifacts; path: string; knowsFields: boolean },
): Promise<SearchResult> {
  const calls: SearchResult['calls'] = [];
  const steps = stepsOf(search, { knowsFields });
  for (let step = steps.next(); !step.done && calls.length < mostCalls; ) {
    const { reader, ...given } = step.value;
    const input = { path, ...given };
    const { text, data } = await callReader(artifacts, reader, input);
    calls.push({ input: JSON.stringify(input), answer: text });
    if (isToldBy(text)) return { isFound: true, calls };
    step = steps.next(data);
  }
  return { isFound: false, calls };
}

type Step = { reader: ReaderName } & Record<string, unknown>;

/** Yields calls, and receives the data of each answer. */
function stepsOf(
  search: FactSearch,
  { knowsFields }: { knowsFields: boolean },
): Generator<Step, void, AnswerData | undefined> {
  switch (search.by) {
    case 'words':
      return grepSteps({ pattern: search.words, literal: true });
    case 'pattern':
      return grepSteps({ pattern: search.pattern });
    case 'tail':
      return tailSteps();
    case 'query':
      return querySteps(search.query, { knowsFields });
  }
}

/** Whether a preview shows the names of all fields that a search needs. */
export function showsFields(search: FactSearch, shown: string): boolean {
  if (search.by !== 'query') return true;
  const { where = [], select = [], aggregate = [] } = search.query;
  const fields = [...select, ...[...where, ...aggregate].map(({ field = '' }) => field)];
  // For a field of a nested record, a text shows only the last name.
  return fields.every((field) => shown.includes(field.slice(field.lastIndexOf('.') + 1)));
}

interface AnswerData {
  matches?: { line: number; at?: string }[];
  cursor?: string;
}

function* grepSteps(sought: { pattern: string; literal?: boolean }): Generator<Step, void, AnswerData | undefined> {
  const grep = { reader: 'grepArtifacts', ...sought, ignoreCase: true } as const;
  let data = yield grep;
  const [first] = data?.matches ?? [];
  let cursor = data?.cursor;
  if (first?.at !== undefined) yield { reader: 'readArtifact', cursor: first.at };
  else if (first)
    yield { reader: 'readArtifact', offset: Math.max(1, first.line - linesAround), limit: 2 * linesAround + 1 };
  while (cursor !== undefined) {
    data = yield { ...grep, cursor };
    cursor = data?.cursor;
  }
}

function* tailSteps(): Generator<Step, void> {
  yield { reader: 'readArtifact', offset: -linesAtEnd };
}

function* querySteps(query: RecordQuery, { knowsFields }: { knowsFields: boolean }): Generator<Step, void> {
  if (!knowsFields) yield { reader: 'queryArtifact', limit: 1 };
  yield { reader: 'queryArtifact', ...query };
}
