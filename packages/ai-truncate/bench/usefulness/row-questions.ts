import type { Manifest, RealOutput } from './real-outputs.ts';
import type { AskedRecord } from './record-facts.ts';
import { collapsed, compactJson, toldByRecord } from './told.ts';

/** The records of an output, and the questions that people have about one of them. */
export interface AskedRecords<RECORD = unknown> {
  records: readonly RECORD[];
  questions: readonly ((record: RECORD) => AskedRecord | undefined)[];
}

export function rowQuestions(output: RealOutput): AskedRecords {
  return (output.kind === 'csv' ? rowsOf(output) : packagesOf(output)) as AskedRecords;
}

// Rows of CSV

type Row = readonly string[];

/** A question whose text and answer are made of cells. The numbers are columns. */
interface RowQuestion {
  ask(row: Row): string;
  /** The columns that a line must contain to show the answer. */
  told: readonly number[];
  /** The column of the one identifier in the question. */
  clue?: number;
}

const questionsOfTables: Readonly<Record<string, readonly RowQuestion[]>> = {
  airports: [
    { ask: ([code]) => `In which town do I land with ${code}?`, told: [0, 2], clue: 0 },
    { ask: ([, name, city]) => `How far north is ${name} in ${city}?`, told: [1, 5] },
    { ask: ([, name]) => `Which code does the airport ${name} have?`, told: [0, 1] },
  ],
  birdstrikes: [
    { ask: ([airport, plane, , date]) => `Which bird hit a ${plane} at ${airport} on ${date}?`, told: [0, 3, 8] },
    { ask: ([, , , date]) => `What flew into a plane at the beginning, on ${date}?`, told: [3, 8], clue: 3 },
    { ask: ([airport, , , date]) => `How fast was the plane at ${airport} on ${date}?`, told: [0, 3, 13] },
  ],
  earthquakes: [
    { ask: (row) => `How strong was ${row[15]}?`, told: [15, 0], clue: 15 },
    { ask: (row) => `How strong was the quake ${row[1]}?`, told: [1, 0] },
    { ask: (row) => `How significant is the event ${row[15]} near ${row[1]}?`, told: [15, 13] },
  ],
  'flights-airport': [
    { ask: ([from, to]) => `How many flights are there from ${from} to ${to}?`, told: [0, 1, 2] },
    { ask: ([from, to]) => `How often can I fly ${from} - ${to}?`, told: [0, 1, 2] },
  ],
  movies: [
    { ask: ([title]) => `Who directed ${title}?`, told: [0, 12] },
    { ask: ([title]) => `How much money did ${title} earn worldwide?`, told: [0, 2] },
    { ask: ([title, , , , , date]) => `How much was spent to make ${title}, released ${date}?`, told: [0, 4] },
  ],
  'sp500-2000': [
    { ask: ([date]) => `Where did the index end on ${date}?`, told: [0, 4], clue: 0 },
    { ask: ([date]) => `How much was traded on ${date}?`, told: [0, 6], clue: 0 },
  ],
  unemployment: [
    {
      ask: ([series, year, month]) => `How many people in ${series} had no work in month ${month} of ${year}?`,
      told: [0, 5, 3],
    },
    { ask: ([series, , , , , date]) => `What was the rate of ${series} on ${date?.slice(0, 10)}?`, told: [0, 5, 4] },
  ],
  weather: [
    { ask: ([place, date]) => `How much rain fell in ${place} on ${date}?`, told: [0, 1, 2] },
    { ask: ([, date]) => `How warm did it get on ${date}?`, told: [1, 3], clue: 1 },
    { ask: ([place, date]) => `Was it windy in ${place} on ${date}?`, told: [0, 1, 5] },
  ],
};

function rowsOf({ name, text }: RealOutput): AskedRecords<Row> {
  const [, ...lines] = text.trimEnd().split(/\r?\n/);
  const rows = lines.map(cellsOf);
  const questions = (questionsOfTables[name] ?? []).map(({ ask, told, clue }) => (row: Row) => {
    const cells = told.map((column) => row[column] ?? '');
    if (cells.includes('')) return undefined;
    const line = row.join(',');
    const isToldBy = toldByCells(cells);
    const isOnce = lines.filter((each) => each.includes(cells[0] ?? '') && isToldBy(each)).length === 1;
    if (!isOnce) return undefined;
    return {
      question: ask(row.map(unquoted)),
      ...(clue === undefined ? {} : { clue: unquoted(row[clue] ?? '') }),
      line,
      isToldBy,
    };
  });
  return { records: rows, questions };
}

/** No cell of these outputs contains a line break. */
const cell = /(?<=^|,)(?:"(?:[^"]|"")*"|[^,]*)/g;

/** The cells of a row as they are written. */
export function cellsOf(row: string): string[] {
  return row.match(cell) ?? [];
}

function unquoted(written: string): string {
  return written.replace(/^"(.*)"$/, '$1').replaceAll('""', '"');
}

/** One row contains all cells as wholes, so that `8` is not found in `1984`. */
function toldByCells(cells: readonly string[]): (shown: string) => boolean {
  return (shown) =>
    shown.split('\n').some((line) => {
      // A row from the middle follows its line number.
      const row = `,${collapsed(line).replace(/^\d+: /, '')},`;
      return cells.every((cell) => row.includes(`,${cell},`));
    });
}

// Packages

/** A package of an output: how its record begins there, and its fields as they are written. */
interface PackageRecord {
  name: string;
  start: string;
  record: unknown;
  fields: Readonly<Record<string, unknown>>;
}

interface PackageQuestion {
  ask(name: string): string;
  field: string;
  /** Whether the name is all that the question shares with the record. */
  isByName: boolean;
}

const byName = (field: string, ask: PackageQuestion['ask']): PackageQuestion => ({ ask, field, isByName: true });
const byWords = (field: string, ask: PackageQuestion['ask']): PackageQuestion => ({ ask, field, isByName: false });

const questionsOfPackages: Readonly<Record<string, readonly PackageQuestion[]>> = {
  cyclonedx: [
    byName('description', (name) => `What is ${name} good at?`),
    byWords('version', (name) => `Which version of the library ${name} is in there?`),
    byWords('author', (name) => `Who is the author of ${name}?`),
  ],
  'lock-in-one-line': [
    byName('version', (name) => `Which release of ${name} do we use?`),
    byWords('integrity', (name) => `What is the integrity hash of ${name}?`),
    byWords('version', (name) => `At which version is ${name} locked?`),
  ],
  manifests: [
    byName('description', (name) => `What is ${name} good at?`),
    byWords('homepage', (name) => `Where is the homepage of ${name}?`),
    byWords('version', (name) => `Which version of ${name} is there?`),
  ],
  'npm-ls': [
    byName('version', (name) => `Which release of ${name} do we use?`),
    byWords('version', (name) => `What is the installed version of ${name}?`),
  ],
  'npm-query': [
    byName('description', (name) => `Whatever does ${name} give us?`),
    byWords('homepage', (name) => `Does ${name} have a homepage?`),
    byWords('version', (name) => `Which version of ${name} is there?`),
  ],
  outdated: [
    byName('latest', (name) => `Up to what could ${name} go?`),
    byWords('latest', (name) => `What is the latest version of ${name}?`),
  ],
  'package-lock': [
    byName('version', (name) => `Which release of ${name} do we use?`),
    byWords('integrity', (name) => `What is the integrity hash of ${name}?`),
    byWords('version', (name) => `At which version is ${name} locked?`),
  ],
  spdx: [
    byName('description', (name) => `What is ${name} good at?`),
    byWords('homepage', (name) => `Where is the homepage of ${name}?`),
    byWords('versionInfo', (name) => `Which version of the package ${name} is declared?`),
  ],
};

/** How often a value may occur, so that the value of another record is not taken for the answer. */
const mostValues = 3;

function packagesOf({ name: output, value, text }: RealOutput): AskedRecords<PackageRecord> {
  const whole = compactJson(typeof value === 'string' ? text : JSON.stringify(value));
  const questions = (questionsOfPackages[output] ?? []).map(({ ask, field, isByName }) => (record: PackageRecord) => {
    const answer = record.fields[field];
    if (typeof answer !== 'string' || answer === 'NOASSERTION' || !hasOne(whole, record.start)) return undefined;
    const told = compactJson(`${JSON.stringify(field)}:${JSON.stringify(answer)}`);
    if (whole.split(told).length - 1 > mostValues) return undefined;
    const line = JSON.stringify(record.record);
    return {
      question: ask(record.name),
      ...(isByName ? { clue: record.name } : {}),
      line,
      isToldBy: toldByRecord({ start: record.start, value: told, within: compactJson(line).length + 100 }),
    };
  });
  return { records: recordsOfPackages(output, value), questions };
}

function hasOne(text: string, part: string): boolean {
  return text.split(part).length === 2;
}

function recordsOfPackages(output: string, value: unknown): PackageRecord[] {
  switch (output) {
    case 'cyclonedx':
      return named(JSON.parse(value as string).components);
    case 'spdx':
      return named((value as { packages: Manifest[] }).packages);
    case 'npm-query':
      return named(value as Manifest[]);
    case 'manifests':
      return named((value as string).split('\n').map((line) => JSON.parse(line)));
    case 'lock-in-one-line':
    case 'package-lock':
      return keyed(JSON.parse(value as string).packages, (key) => key.replace(/^node_modules\//, ''));
    case 'outdated':
      return keyed(value as Record<string, unknown>, (key) => key);
    case 'npm-ls':
      return nested(value as Tree);
    default:
      return [];
  }
}

function named(records: readonly Manifest[]): PackageRecord[] {
  return records.map((record) => ({ name: record.name, start: `"name":"${record.name}"`, record, fields: record }));
}

function keyed(records: Readonly<Record<string, unknown>>, nameOf: (key: string) => string): PackageRecord[] {
  return Object.entries(records).flatMap(([key, record]) => {
    const fields = record as Record<string, unknown>;
    // Not the root, no list of several dependents, and no package inside another one.
    const isNamed = key !== '' && !Array.isArray(record) && !nameOf(key).includes('node_modules/');
    return isNamed ? [{ name: nameOf(key), start: `"${key}":{`, record: { [key]: record }, fields }] : [];
  });
}

interface Tree {
  version?: string;
  dependencies?: Readonly<Record<string, Tree>>;
}

function nested({ dependencies = {} }: Tree): PackageRecord[] {
  return Object.entries(dependencies).flatMap(([name, tree]) => {
    const { dependencies: _, ...fields } = tree;
    return [{ name, start: `"${name}":{`, record: { [name]: fields }, fields }, ...nested(tree)];
  });
}
