import { readCorpus } from '../../fixtures/corpus.ts';

/** Logs of other projects, 2,000 lines each. */
export const logNames: readonly string[] = ['Apache', 'Hadoop', 'Linux', 'OpenStack', 'Zookeeper'];

export function logLines(name: string): string[] {
  return readCorpus(`${name}_2k.log`).trimEnd().split('\n');
}

const quietLines = 2_500;
const trouble = /error|exception|fail|fatal|warn|denied|refused|timed? ?out|invalid|unknown|kill|total|summary/i;

/** The log of an idle service: the lines of a log without errors, again and again. */
export function quietLog(name: string): string[] {
  const lines = logLines(name).filter((line) => !trouble.test(line));
  return Array.from({ length: quietLines }, (_, index) => lines[index % lines.length] ?? '');
}

/** Texts in one line, like minified files. */
export function giantLines(): { name: string; line: string }[] {
  const texts = [...logNames.map((name) => `${name}_2k.log`), 'wikipedia.html'];
  return texts.map((name) => ({ name, line: readCorpus(name).replaceAll(/\s+/g, ' ') }));
}

export type FlatRecord = Record<string, string | number | null>;

/** Records, and the text that a tool would return them as. */
export interface RecordOutput {
  name: string;
  text: string;
  /** The records with the field names that a query uses. */
  records: FlatRecord[];
  /** The field that names a record for a person. */
  nameField: string;
  /** The field whose value is requested. */
  askedField: string;
  /** Numbers whose sum is requested, over the records with one value of the other field. */
  summed: readonly { field: string; by: string }[];
}

export function recordOutputs(): RecordOutput[] {
  return [...movies(), earthquakes(), weather()];
}

function movies(): RecordOutput[] {
  const text = readCorpus('movies.json');
  const records: FlatRecord[] = JSON.parse(text);
  const asked = {
    records,
    nameField: 'Title',
    askedField: 'Worldwide Gross',
    summed: [
      { field: 'Worldwide Gross', by: 'Distributor' },
      { field: 'Production Budget', by: 'Major Genre' },
      { field: 'IMDB Votes', by: 'Director' },
    ],
  };
  return [
    { name: 'movies, a record a line', text, ...asked },
    { name: 'movies, NDJSON', text: records.map((record) => JSON.stringify(record)).join('\n'), ...asked },
    { name: 'movies, in one line', text: JSON.stringify(records), ...asked },
  ];
}

function earthquakes(): RecordOutput {
  const text = readCorpus('earthquakes.json');
  const { features }: { features: { properties: FlatRecord }[] } = JSON.parse(text);
  const records = features.map(({ properties }) =>
    Object.fromEntries(Object.entries(properties).map(([key, value]) => [`properties.${key}`, value])),
  );
  const summed = ['net', 'magType', 'type'].map((by) => ({ field: 'properties.sig', by: `properties.${by}` }));
  return {
    name: 'earthquakes',
    text,
    records,
    nameField: 'properties.code',
    askedField: 'properties.time',
    summed,
  };
}

/** Sixteen years: the four years of the corpus, repeated with later dates. */
function weather(): RecordOutput {
  const [header = '', ...rows] = readCorpus('seattle-weather.csv').trimEnd().split('\n');
  const later = [0, 4, 8, 12].flatMap((years) =>
    rows.map((row) => row.replace(/^\d{4}/, (year) => String(Number(year) + years))),
  );
  const fields = header.split(',');
  const records = later.map((row) =>
    Object.fromEntries(row.split(',').map((value, index) => [fields[index] ?? '', value])),
  );
  const text = [header, ...later].join('\n');
  return { name: 'weather, CSV', text, records, nameField: 'date', askedField: 'temp_max', summed: [] };
}
