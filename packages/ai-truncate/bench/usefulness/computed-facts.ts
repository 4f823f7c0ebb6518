import { type SeededRandom, seededRandom } from '../../lab/seeded-random.ts';
import { type OutputKind, type RealOutput, realOutput } from './real-outputs.ts';
import { cellsOf } from './row-questions.ts';
import { toldByCount, toldByNumber } from './told.ts';
import type { UnaskedFact } from './unasked-facts.ts';

const seed = 20_261_122;

/** Fields with few values, by output. */
const countedFields: Readonly<Record<string, readonly string[]>> = {
  'csv/airports': ['state', 'country'],
  'csv/birdstrikes': ['Effect Amount of damage', 'Phase of flight', 'Wildlife Size', 'Time of day', 'Origin State'],
  'csv/weather': ['location', 'weather'],
  'csv/unemployment': ['series', 'year'],
  'csv/movies': ['MPAA Rating', 'Major Genre', 'Distributor', 'Source'],
  'csv/earthquakes': ['net', 'magType', 'status'],
  'packages/manifests': ['license'],
  'packages/npm-query': ['license'],
  'packages/spdx': ['licenseDeclared'],
};
const mostFrequent = 3;

/** "How many have this value?" for one of the most frequent values. The number is nowhere in the output. */
export function countsByValue(): UnaskedFact[] {
  const random = seededRandom(seed);
  return Object.entries(countedFields).flatMap(([key, fields]) => {
    const output = outputOf(key);
    const records = recordsOf(output);
    return fields.map((field) => {
      const { value, count } = frequentValue(records, { field, random });
      return {
        kind: 'a count by value',
        output,
        isHeldOut: output.isHeldOut,
        question: `How many have the ${field} ${value}?`,
        line: `${field}: ${value} ${count}`,
        isToldBy: toldByCount({ value, count }),
      };
    });
  });
}

function frequentValue(
  records: readonly TableRecord[],
  { field, random }: { field: string; random: SeededRandom },
): { value: string; count: number } {
  const values = records.map((record) => record[field] ?? '').filter((value) => value !== '');
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const counted = [...counts].map(([value, count]) => ({ value, count }));
  const frequent = counted.toSorted((one, other) => other.count - one.count).slice(0, mostFrequent);
  return random.oneOf(frequent);
}

/** A sum of one field, over all records or over the records with one value of another field. */
export interface SumFact extends Omit<UnaskedFact, 'kind'> {
  kind: 'a sum that only a query knows';
}

const summedFields: Readonly<Record<string, { field: string; by: string }>> = {
  'csv/birdstrikes': { field: 'Cost Total $', by: 'Origin State' },
  'csv/earthquakes': { field: 'sig', by: 'net' },
  'csv/flights-airport': { field: 'count', by: 'origin' },
  'csv/movies': { field: 'Worldwide Gross', by: 'Distributor' },
  'csv/unemployment': { field: 'count', by: 'series' },
};
const perOutput = 4;
const mostDraws = 40;
const leastSum = 10_000;

export function chooseSumFacts(): SumFact[] {
  const random = seededRandom(seed);
  return Object.entries(summedFields).flatMap(([key, { field, by }]) => {
    const output = outputOf(key);
    const records = recordsOf(output);
    // Other records are drawn for sums that are small or that the output states by chance.
    const values = [undefined, ...Array.from({ length: mostDraws }, () => random.oneOf(records)[by])];
    return [...new Set(values)]
      .flatMap((value): SumFact[] => {
        const summed = records.filter((record) => value === undefined || record[by] === value);
        const sum = summed.reduce((total, record) => total + Number(record[field] ?? 0), 0);
        const isToldBy = toldByNumber(sum);
        if (!Number.isSafeInteger(sum) || sum < leastSum || isToldBy(output.text)) return [];
        const question = `What is the sum of ${field} ${value === undefined ? 'of all' : `where ${by} is ${value}`}?`;
        const { isHeldOut } = output;
        return [{ kind: 'a sum that only a query knows', output, isHeldOut, question, line: `${sum}`, isToldBy }];
      })
      .slice(0, perOutput);
  });
}

function outputOf(key: string): RealOutput {
  const [kind, name] = key.split('/') as [OutputKind, string];
  return realOutput(kind, name);
}

type TableRecord = Readonly<Record<string, string>>;

function recordsOf({ value, text, kind }: RealOutput): TableRecord[] {
  if (kind === 'csv') {
    const [header = '', ...rows] = text.trimEnd().split(/\r?\n/);
    const fields = cellsOf(header);
    return rows.map((row) => Object.fromEntries(cellsOf(row).map((cell, column) => [fields[column] ?? '', cell])));
  }
  const records = typeof value === 'string' ? value.split('\n').map((line) => JSON.parse(line)) : packagesIn(value);
  return records.map((record: object) =>
    Object.fromEntries(Object.entries(record).filter((entry) => typeof entry[1] === 'string')),
  );
}

function packagesIn(value: unknown): object[] {
  return Array.isArray(value) ? value : (value as { packages: object[] }).packages;
}
