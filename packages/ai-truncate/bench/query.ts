import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Artifacts } from '../src/artifacts/artifacts.ts';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import type { RecordQuery } from '../src/readers/query-arguments.ts';
import { queryRecords } from '../src/readers/query-artifact.ts';
import { readRecords } from '../src/readers/record-source.ts';
import { filesystemStore } from '../src/stores/filesystem-store.ts';
import { MEGABYTE } from './inputs.ts';
import { medians, table } from './measure.ts';
import { type GeneratedRecord, type RecordFormat, recordFormats, recordsAs } from './record-formats.ts';

const ROUNDS = 3;
const SIZE = 100 * MEGABYTE;
const PIECE = 256 * 1024;

/** Ours with its bytes in memory; all others are told as multiples of it. */
const base = 'ours, from memory';

/**
 * Filtered and grouped records, 100 MB of each format. Ours reads the bytes once, with one thread and in bounded memory; the
 * engine of JavaScript has the bytes in memory and builds all records there; DuckDB reads the file in this process, on as many
 * cores as it likes; jq is a process of its own and reads the file.
 */
export async function query(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'ai-truncate-bench-'));
  try {
    const artifacts = scopedArtifacts(filesystemStore({ directory: join(directory, 'store') }), { scope: 'bench' });
    const answerers = [...ours(artifacts), engine, await duckDb(), await jq()];
    const columns: Map<string, string>[] = [];
    for (const format of recordFormats) {
      const bytes = recordsAs(format, SIZE);
      const file = join(directory, 'records');
      await writeFile(file, bytes);
      const names = { toolName: 'exportRecords', toolCallId: 'call_1' };
      const { path } = await artifacts.save(bytes, { ...names, mediaType: format.mediaType });
      columns.push(await column(answerers, { format: format.name, bytes, file, path }));
      await artifacts.deleteAll();
    }
    const rows = answerers.map(({ name }) => [name, ...columns.map((cells) => cells.get(name) ?? '')]);
    const head = ['', ...recordFormats.map(({ name }) => name)];
    console.log(`\n## Filter and group 100 MB of records, in multiples of our time\n\n${table(head, rows)}`);
  } finally {
    await rm(directory, { recursive: true });
  }
}

// What is asked

const question: RecordQuery = {
  where: [
    { field: 'level', op: 'eq', value: 'ERROR' },
    { field: 'latency_ms', op: 'gt', value: 500 },
  ],
  groupBy: ['service'],
  aggregate: [{ op: 'count' }, { op: 'avg', field: 'latency_ms' }],
};

interface Group {
  service: string;
  count: number;
  average: number;
}

// Who answers

interface Input {
  format: RecordFormat['name'];
  bytes: Buffer;
  file: string;
  /** The same bytes in our store. */
  path: string;
}

interface Answerer {
  name: string;
  /** Why there is no time for a format. */
  without?(format: RecordFormat['name']): string | undefined;
  answer(input: Input): Promise<Group[]>;
}

function ours(artifacts: Artifacts): Answerer[] {
  return [
    { name: base, answer: ({ bytes }) => groupsOf(piecesOf(bytes)) },
    { name: 'ours, filesystemStore', answer: async ({ path }) => groupsOf(await artifacts.readStream(path)) },
  ];
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

async function groupsOf(bytes: AsyncIterable<Uint8Array>): Promise<Group[]> {
  const answer = await queryRecords(readRecords(bytes), question);
  if (answer.status === 'refused' || answer.incomplete) throw new Error(JSON.stringify(answer).slice(0, 1000));
  return answer.rows.map((row) => ({
    service: String(row.service),
    count: Number(row.count),
    average: Number(row['avg(latency_ms)']),
  }));
}

const engine: Answerer = {
  name: 'V8, all in memory',
  without: (format) => (format === 'CSV' ? 'reads no CSV' : undefined),
  async answer({ format, bytes }) {
    const text = bytes.toString();
    const lines = format === 'NDJSON' ? text.trimEnd().split('\n') : undefined;
    const records: GeneratedRecord[] = lines?.map((line) => JSON.parse(line)) ?? JSON.parse(text);
    const groups = new Map<string, { count: number; sum: number }>();
    for (const { level, latency_ms, service } of records) {
      if (level !== 'ERROR' || latency_ms <= 500) continue;
      const { count, sum } = groups.get(service) ?? { count: 0, sum: 0 };
      groups.set(service, { count: count + 1, sum: sum + latency_ms });
    }
    return [...groups].map(([service, { count, sum }]) => ({ service, count, average: sum / count }));
  },
};

async function duckDb(): Promise<Answerer> {
  // By address, so that nobody needs the peers installed to check types.
  const { loadDuckDb }: { loadDuckDb(): Promise<DuckDb | undefined> } = await import(
    `${import.meta.dirname}/peers/duckdb.mjs`
  );
  const database = await loadDuckDb();
  if (!database) return notInstalled('DuckDB');
  const readers = {
    'JSON array': (file: string) => `read_json('${file}', format = 'array')`,
    NDJSON: (file: string) => `read_json('${file}', format = 'newline_delimited')`,
    CSV: (file: string) => `read_csv('${file}')`,
  };
  return {
    name: `DuckDB ${database.version.replace(/^v/, '')}`,
    async answer({ format, file }) {
      const from = readers[format](file.replaceAll("'", "''"));
      const rows = await database.query(
        `SELECT service, count(*) AS count, avg(latency_ms) AS average FROM ${from}
         WHERE level = 'ERROR' AND latency_ms > 500 GROUP BY service`,
      );
      return rows.map(({ service, count, average }) => ({
        service: String(service),
        count: Number(count),
        average: Number(average),
      }));
    },
  };
}

interface DuckDb {
  version: string;
  query(sql: string): Promise<Record<string, unknown>[]>;
}

async function jq(): Promise<Answerer> {
  const run = promisify(execFile);
  const version = await run('jq', ['--version']).then(
    ({ stdout }) => stdout.trim().replace('-', ' '),
    () => undefined,
  );
  if (version === undefined) return notInstalled('jq');
  const grouped = (records: string) =>
    `reduce (${records} | select(.level == "ERROR" and .latency_ms > 500)) as $record ({};
      .[$record.service].count += 1 | .[$record.service].sum += $record.latency_ms)
      | [to_entries[] | { service: .key, count: .value.count, average: (.value.sum / .value.count) }]`;
  return {
    name: version,
    without: (format) => (format === 'CSV' ? 'reads no CSV' : undefined),
    async answer({ format, file }) {
      const program = format === 'NDJSON' ? ['-n', grouped('inputs')] : [grouped('.[]')];
      const { stdout } = await run('jq', ['-c', ...program, file]);
      return JSON.parse(stdout);
    },
  };
}

function notInstalled(name: string): Answerer {
  return {
    name,
    without: () => 'not installed',
    answer: () => Promise.reject(new Error(`${name} is not installed.`)),
  };
}

// How long it takes them

async function column(answerers: Answerer[], input: Input): Promise<Map<string, string>> {
  const able = answerers.filter(({ without }) => without?.(input.format) === undefined);
  await requireSameAnswer(able, input);
  const contenders = able.map(({ name, answer }) => ({ name, run: answer }));
  const times = await medians(contenders, { rounds: ROUNDS, input: () => input });
  const ourTime = times.get(base) ?? Number.NaN;
  const speed = `${ourTime.toFixed(0)} ms, ${(input.bytes.length / MEGABYTE / (ourTime / 1000)).toFixed(0)} MB/s`;
  const cell = (name: string) => (name === base ? speed : `×${((times.get(name) ?? Number.NaN) / ourTime).toFixed(2)}`);
  return new Map(answerers.map(({ name, without }) => [name, without?.(input.format) ?? cell(name)]));
}

async function requireSameAnswer(answerers: Answerer[], input: Input): Promise<void> {
  const answers = new Map<string, string>();
  for (const { name, answer } of answerers) answers.set(name, inOneForm(await answer(input)));
  if (new Set(answers.values()).size === 1) return;
  throw new Error(`The answers from ${input.format} differ: ${JSON.stringify([...answers])}`);
}

function inOneForm(groups: Group[]): string {
  const sorted = groups.toSorted((a, b) => (a.service < b.service ? -1 : 1));
  // Their last digits depend on the order of a sum.
  return sorted.map(({ service, count, average }) => `${service} ${count} ${average.toFixed(6)}`).join('\n');
}
