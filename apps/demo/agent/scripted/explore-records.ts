import type { Finding } from './explore-text';
import { formatted } from './formatted';
import { searchWordsOf, stemOf } from './search-words';
import { contentOf, numberedLinesOf } from './shown-output';
import type { Reply, ToolResult } from './turn';

type Row = Record<string, unknown>;
type Condition = { field: string; op: 'eq'; value: string };

export interface RecordSearch {
  question: string;
  path: string;
  /** Answers of the readers so far. */
  results: readonly ToolResult[];
}

/** What was found in records: also as rows, for a table. */
export interface RecordFinding extends Finding {
  rows: Row[];
}

const SAMPLE_ROWS = 60;
const MAX_GROUPS = 10;
/** Ids that are read from a question. Each is compared with each field. */
const MAX_IDS = 20;
const MONEY = /^(total|amount|price|revenue|value|sum)$/i;

/**
 * The next step of a question about records: a reader to call, or what was found. A sample shows which fields there are, the
 * words of the question choose among them, one query answers exactly, and the record that weighs most is its evidence.
 */
export function exploreRecords({ question, path, results }: RecordSearch): Reply['call'] | RecordFinding {
  const queries = results.filter(({ toolName }) => toolName === 'queryArtifact');
  const [sample, answer, example] = queries;
  if (!sample) return { toolName: 'queryArtifact', input: { path, limit: SAMPLE_ROWS } };

  const sampled = rowsOf(sample);
  const query = queryFor(question, sampled);
  if (!query) {
    const fields = Object.keys(Object.assign({}, ...sampled)).join(', ');
    const conclusion = `I found no field in the question. The records have: ${fields || 'no fields that I could read'}. Ask for instance for the total per one of them.`;
    return { conclusion, evidence: [], rows: [] };
  }
  if (!answer) return { toolName: 'queryArtifact', input: { path, ...query } };

  const rows = rowsOf(answer);
  const top = rows[0];
  const counted = answer.text.split('\n')[0]?.match(/^[\d,]+ of [\d,]+ records/)?.[0];
  if (!top || !counted) return { conclusion: answer.text.split('\n')[0] ?? '', evidence: [], rows: [] };

  const money = query.aggregate.find(({ field }) => field !== undefined)?.field;
  const where = [
    ...query.where,
    ...query.groupBy.map((field) => ({ field, op: 'eq' as const, value: String(top[field]) })),
  ];
  if (!example) {
    const sort = money ? { sort: [{ field: money, direction: 'desc' }] } : {};
    return { toolName: 'queryArtifact', input: { path, where, ...sort, limit: 1 } };
  }
  const record = rowsOf(example)[0];
  const id = Object.entries(record ?? {}).find(([name]) => /(^|_)id$/.test(name));
  const grep = results.find(({ toolName }) => toolName === 'grepArtifacts');
  if (id && !grep) {
    return {
      toolName: 'grepArtifacts',
      input: { path, pattern: `${JSON.stringify(id[0])}: ${JSON.stringify(id[1])}`, literal: true },
    };
  }
  const evidence = grep ? numberedLinesOf(grep.text).slice(0, 1) : [];
  return {
    conclusion: `${sentenceOf(query, rows)} ${counted.replace('records', 'records match')}.${record && money ? ` The largest of them: \`${JSON.stringify(record)}\`` : ''}`,
    evidence: evidence.map(({ line, text }) => ({ path, start_line: line, end_line: line, quote: text.trim() })),
    rows,
  };
}

interface Query {
  where: Condition[];
  groupBy: string[];
  aggregate: { op: 'sum' | 'avg' | 'count'; field?: string }[];
  sort: { field: string; direction: 'asc' | 'desc' }[];
  limit: number;
}

/** The query that a question means, by the names and values that it shares with the records; nothing when it shares none. */
function queryFor(question: string, rows: Row[]): Query | undefined {
  const stems = new Set(searchWordsOf(question).map(stemOf));
  const fields = Object.keys(Object.assign({}, ...rows));
  const ids = (question.match(ID_WORD) ?? []).slice(0, MAX_IDS);
  const asked = { rows, stems, question: question.toLowerCase(), ids };
  const where = fields.flatMap((field) => conditionFor(field, asked));
  const groupBy = fields
    .filter((field) => !where.some((condition) => condition.field === field))
    .filter((field) => rows.some((row) => typeof row[field] === 'string'))
    .filter(
      (field) =>
        field.split('_').every((part) => stems.has(stemOf(part))) || stems.has(stemOf(field.split('_').at(-1) ?? '')),
    )
    .slice(0, 2);
  if (where.length === 0 && groupBy.length === 0) return undefined;

  const money = fields.find((field) => MONEY.test(field) && rows.some((row) => typeof row[field] === 'number'));
  const op = /\b(average|mean|avg)\b/i.test(question) ? 'avg' : 'sum';
  const byCount = /\b(how many|number of|count|most often|often)\b/i.test(question) || !money;
  const sum = money ? [{ op, field: money } as const] : [];
  const count = { op: 'count' } as const;
  const aggregate = byCount ? [count, ...sum] : [...sum, count];
  const direction = /\b(lowest|least|fewest|smallest|worst selling)\b/i.test(question) ? 'asc' : 'desc';
  const first = columnOf(aggregate[0] ?? count);
  return {
    where,
    groupBy,
    aggregate,
    sort: groupBy.length > 0 ? [{ field: first, direction }] : [],
    limit: MAX_GROUPS,
  };
}

interface Asked {
  rows: Row[];
  stems: ReadonlySet<string>;
  /** In lower case. */
  question: string;
  /** Its words that look like an id. */
  ids: readonly string[];
}

/** A value of this field that the question names. Values that hardly repeat are names of records, not kinds of them. */
function conditionFor(field: string, { rows, stems, question, ids }: Asked): Condition[] {
  const values = [...new Set(rows.map((row) => row[field]).filter((value) => typeof value === 'string'))];
  const shapes = new Set(values.map(shapeOf));
  const id = ids.find((word) => shapes.has(shapeOf(word)));
  if (id !== undefined) return [{ field, op: 'eq', value: id }];
  if (values.length > rows.length / 3) return [];
  const named = values.find((value) => question.includes(value.toLowerCase()) || stems.has(stemOf(value)));
  return named === undefined ? [] : [{ field, op: 'eq', value: named }];
}

/** A word with a number in it, as ids have: the sample knows few of them, but all of them are written alike. */
const ID_WORD = /\b[a-z]+[-_]?\d{2,}\b/gi;

function shapeOf(value: string): string {
  return value.toLowerCase().replace(/\d+/g, '9');
}

function columnOf({ op, field }: Query['aggregate'][number]): string {
  return field === undefined ? op : `${op}(${field})`;
}

function sentenceOf({ where, groupBy, aggregate }: Query, rows: Row[]): string {
  const about = where.map(({ field, value }) => `${field} is ${value}`).join(' and ');
  const shown = (row: Row) => aggregate.map((each) => `${labelOf(each)} ${formatted(row[columnOf(each)])}`).join(', ');
  const [top, second] = rows;
  if (!top || groupBy.length === 0) return `Of all records${about && ` where ${about}`}: ${shown(top ?? {})}.`;
  const nameOf = (row: Row) => groupBy.map((field) => String(row[field])).join(', ');
  const next = second ? ` Then ${nameOf(second)}: ${shown(second)}.` : '';
  return `${nameOf(top)} is first: ${shown(top)}${about && `, where ${about}`}.${next}`;
}

function labelOf({ op, field }: Query['aggregate'][number]): string {
  return field === undefined ? op : `${op} of ${field}`;
}

/** The records in an answer of `queryArtifact`: one JSON object a line. */
function rowsOf({ text }: ToolResult): Row[] {
  return contentOf(text)
    .split('\n')
    .flatMap((line) => {
      // Every sentence around the rows, and every empty line, would otherwise throw.
      if (!line.startsWith('{')) return [];
      try {
        return [JSON.parse(line) as Row];
      } catch {
        return [];
      }
    });
}
