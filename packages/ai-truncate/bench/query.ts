import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inTemporaryDirectory } from '../fixtures/in-temporary-directory.ts';
import type { Artifacts } from '../src/artifacts/artifacts.ts';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import type { RecordQuery } from '../src/query/arguments.ts';
import { queryRecords } from '../src/query/query-records.ts';
import { readRecords } from '../src/records/record-source.ts';
import { filesystemStore } from '../src/stores/filesystem/filesystem-store.ts';
import type { BenchPart, BenchScale } from './bench-part.ts';
import { compare } from './compare.ts';
import { comparisonText } from './comparison-text.ts';
import { type Answerer, type KeptRecords, oursFromFile, oursFromMemory, type RecordGroup } from './query-answerer.ts';
import { duckDb, inMemory, jq } from './query-peers.ts';
import { type RecordFormat, recordFormats, recordPieces } from './record-formats.ts';
import { columnsBetween } from './sizes.ts';

const question: RecordQuery = {
  where: [
    { field: 'level', op: 'eq', value: 'ERROR' },
    { field: 'latency_ms', op: 'gt', value: 500 },
  ],
  groupBy: ['service'],
  aggregate: [{ op: 'count' }, { op: 'avg', field: 'latency_ms' }],
};

/** Filtered and grouped records of each format. */
export const query: BenchPart = {
  section: 'bench-query',
  heading: 'To query',
  measure: (scale) =>
    inTemporaryDirectory(async (directory) => {
      const artifacts = scopedArtifacts(filesystemStore({ directory: join(directory, 'store') }), {
        scope: 'bench',
        sweep: false,
        // The last record may exceed the requested size.
        maxArtifactBytes: 2 * scale.mostBytes,
      });
      const answerers = [...ours(artifacts), inMemory, await duckDb(), await jq()];
      const keep = keeper(artifacts, join(directory, 'records'));
      const texts: string[] = [];
      for (const format of recordFormats) texts.push(await ofFormat(format, { answerers, scale, keep }));
      const about =
        'Records with `level` ERROR and `latency_ms` over 500, counted and averaged by service. ai-truncate reads the bytes once, in one ' +
        'thread, in slices and bounded memory; V8 already has the bytes in memory and builds all records there; DuckDB reads the file in ' +
        'this process, on all cores; jq reads the file in its own process.';
      return [about, ...texts].join('\n\n');
    }),
};

interface QueryRun {
  answerers: Answerer[];
  scale: BenchScale;
  keep(format: RecordFormat, bytes: number): Promise<KeptRecords>;
}

async function ofFormat(format: RecordFormat, { answerers, scale, keep }: QueryRun): Promise<string> {
  const columns = columnsBetween(['1 KB', '1 GB'], {
    scale,
    async prepare({ bytes }) {
      const kept = await keep(format, bytes);
      await requireSameAnswer(answerers, kept);
      return kept;
    },
  });
  const comparison = await compare(answerers, { columns, scale });
  return comparisonText(comparison, { caption: `${format.name}.`, base: oursFromMemory, tellsThroughput: true });
}

function keeper(artifacts: Artifacts, file: string): QueryRun['keep'] {
  return async (format, bytes) => {
    await artifacts.deleteAll();
    const pieces = [...recordPieces(format, bytes)];
    await writeFile(file, pieces);
    const call = { toolName: 'exportRecords', toolCallId: 'call_1', mediaType: format.mediaType };
    const { path } = await artifacts.save(pieces, call);
    return { format: format.name, bytes, pieces, file, path };
  };
}

function ours(artifacts: Artifacts): Answerer[] {
  return [
    { name: oursFromMemory, run: ({ pieces }) => groupsOf(inTurn(pieces)) },
    { name: oursFromFile, run: async ({ path }) => groupsOf(await artifacts.readStream(path)) },
  ];
}

async function* inTurn(pieces: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

async function groupsOf(bytes: AsyncIterable<Uint8Array>): Promise<RecordGroup[]> {
  const answer = await queryRecords(
    readRecords(() => bytes),
    question,
  );
  if (answer.status === 'refused' || answer.incomplete) throw new Error(JSON.stringify(answer).slice(0, 1000));
  return answer.rows.map((row) => ({
    service: String(row.service),
    count: Number(row.count),
    average: Number(row['avg(latency_ms)']),
  }));
}

async function requireSameAnswer(answerers: Answerer[], records: KeptRecords): Promise<void> {
  // Only for a small size, because the same programs answer for all sizes.
  if (records.bytes > 10 * 1024 ** 2) return;
  const answers = new Map<string, string>();
  for (const { name, cannot, run } of answerers) {
    if (cannot?.(records) === undefined) answers.set(name, inOneForm(await run(records)));
  }
  if (new Set(answers.values()).size === 1) return;
  throw new Error(`The answers from ${records.format} differ: ${JSON.stringify([...answers])}`);
}

function inOneForm(groups: RecordGroup[]): string {
  const sorted = groups.toSorted((a, b) => (a.service < b.service ? -1 : 1));
  // The last digits depend on the order of a sum.
  return sorted.map(({ service, count, average }) => `${service} ${count} ${average.toFixed(6)}`).join('\n');
}
