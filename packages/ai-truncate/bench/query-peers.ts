import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Answerer, oursFromFile, oursFromMemory } from './query-answerer.ts';
import type { GeneratedRecord } from './record-formats.ts';
import { mostStringBytes } from './sizes.ts';

/** The JavaScript engine, with all records in memory. */
export const inMemory: Answerer = {
  name: 'V8, all in memory',
  rival: {
    of: oursFromMemory,
    because:
      'it builds all records at once, in one step that blocks the process and needs many times the memory; ai-truncate works in slices',
  },
  cannot({ format, bytes }) {
    if (format === 'CSV') return 'reads no CSV';
    return bytes > mostStringBytes ? 'longer than any string' : undefined;
  },
  async run({ format, pieces }) {
    const text = Buffer.concat(pieces).toString();
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

export async function duckDb(): Promise<Answerer> {
  // Imported by a computed path, so that type checks work without the peers.
  const { loadDuckDb }: { loadDuckDb(): Promise<DuckDb | undefined> } = await import(
    `${import.meta.dirname}/peers/duckdb.mjs`
  );
  const database = await loadDuckDb();
  const readers = {
    'JSON array': (file: string) => `read_json('${file}', format = 'array')`,
    NDJSON: (file: string) => `read_json('${file}', format = 'newline_delimited')`,
    CSV: (file: string) => `read_csv('${file}')`,
  };
  return {
    name: database ? `DuckDB ${database.version.replace(/^v/, '')}` : 'DuckDB',
    rival: {
      of: oursFromFile,
      because: 'it is compiled, parses only the requested columns, and uses all cores',
    },
    cannot: () => (database ? undefined : 'not installed'),
    async run({ format, file }) {
      const from = readers[format](file.replaceAll("'", "''"));
      const rows = await database?.query(
        `SELECT service, count(*) AS count, avg(latency_ms) AS average FROM ${from}
         WHERE level = 'ERROR' AND latency_ms > 500 GROUP BY service`,
      );
      return (rows ?? []).map(({ service, count, average }) => ({
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

export async function jq(): Promise<Answerer> {
  const run = promisify(execFile);
  const version = await run('jq', ['--version']).then(
    ({ stdout }) => stdout.trim().replace('-', ' '),
    () => undefined,
  );
  const grouped = (records: string) =>
    `reduce (${records} | select(.level == "ERROR" and .latency_ms > 500)) as $record ({};
      .[$record.service].count += 1 | .[$record.service].sum += $record.latency_ms)
      | [to_entries[] | { service: .key, count: .value.count, average: (.value.sum / .value.count) }]`;
  return {
    name: version ?? 'jq',
    rival: { of: oursFromFile, because: 'it is compiled' },
    cannot({ format }) {
      if (version === undefined) return 'not installed';
      return format === 'CSV' ? 'reads no CSV' : undefined;
    },
    async run({ format, file }) {
      const program = format === 'NDJSON' ? ['-n', grouped('inputs')] : [grouped('.[]')];
      const { stdout } = await run('jq', ['-c', ...program, file]);
      return JSON.parse(stdout);
    },
  };
}
