import { type SeededRandom, seededRandom } from '../lab/seeded-random.ts';
import { giantLines, logLines, logNames, quietLog, type RecordOutput, recordOutputs } from './usefulness-outputs.ts';
import type { FactSearch } from './usefulness-search.ts';

/** Something that a person wants to know of an output, chosen before any preview was made. */
export interface Fact {
  kind: FactKind;
  /** The output. */
  text: string;
  /** Whether what is read here tells it. */
  isToldBy(shown: string): boolean;
  /** What whoever knows the question, and not the answer, does to find it. */
  search: FactSearch;
}

export const factKinds = [
  'an id in a log',
  'the one error of a log',
  'one of many errors',
  'a total that the output states',
  'the last line',
  'a record',
  'a total of records',
  'a needle in one giant line',
] as const;
export type FactKind = (typeof factKinds)[number];

/** How many of a kind are taken of each output that has them. */
const perOutput = 12;
const seed = 20_261_119;

/** All facts, always the same. */
export function chooseFacts(): Fact[] {
  const random = seededRandom(seed);
  return [
    ...logNames.flatMap((name) => idsOf(logLines(name), random)),
    ...logNames.flatMap((name) => plantedErrors(name, random)),
    ...logNames.flatMap((name) => errorsAmongMany(logLines(name), random)),
    ...logNames.flatMap((name) => statedTotals(name, random)),
    ...logNames.flatMap((name) => lastLines(logLines(name), random)),
    ...recordOutputs().flatMap((output) => recordsOf(output, random)),
    ...recordOutputs().flatMap((output) => totalsOf(output, random)),
    ...giantLines().flatMap(({ line }) => needlesIn(line, random)),
  ];
}

// Of logs

/** When something happened: what a person who asks about a line of a log knows of it. */
const time = /(?:\d{4}-\d\d-\d\d|\w{3} +\d+) \d\d:\d\d:\d\d(?:[.,]\d{3})?/;
const idLike = /[\w.:/-]*\d{3}[\w.:/-]*/g;

/** "Which id has the event of this time?" The id stands nowhere else. */
function idsOf(lines: string[], random: SeededRandom): Fact[] {
  const text = lines.join('\n');
  return someOf(lines, random, (line) => {
    const [clue] = time.exec(line) ?? [];
    if (clue === undefined) return undefined;
    const rest = line.slice(line.indexOf(clue) + clue.length);
    const id = (rest.match(idLike) ?? []).find((each) => isOnce(text, each));
    return id === undefined ? undefined : { kind: 'an id in a log', text, ...tells(id), search: wordsOf(clue) };
  });
}

const errors = [
  'ERROR OrderService - payment 8813 rejected: insufficient funds on ledger EU-7',
  'FATAL: role "reporting_ro" does not exist',
  'Error: Cannot find module "@acme/billing-core"',
  'panic: runtime error: index out of range [17] with length 17',
  'Unhandled exception: NullReferenceException at Cart.Checkout(Int32 id)',
  'connect ECONNREFUSED 10.21.4.77:6432',
  'Out of memory: Killed process 30117 (ruby) total-vm:8123456kB',
  'upstream timed out (110: Connection timed out) while reading from fcgi-pool-3',
  'FAIL src/shipping/rates.spec.ts > rates for IE are free from 60',
  'Permission denied (publickey) for deploy@edge-14',
  'x509: certificate has expired or is not yet valid: CN=vault.internal',
  'disk quota exceeded on volume pvc-77ab, write of 4194304 bytes dropped',
] as const;
/** "What went wrong?", as one searches who knows nothing more. */
const anyTrouble = 'error|fail|exception|fatal|panic|denied|refused|timed out|killed|expired|exceeded';

/** One line of trouble between the first and the last tenth of a quiet log. */
function plantedErrors(name: string, random: SeededRandom): Fact[] {
  const quiet = quietLog(name);
  return errors.slice(0, perOutput).map((error) => {
    const at = Math.floor(quiet.length / 10) + random.below(Math.floor(quiet.length * 0.8));
    const text = quiet.toSpliced(at, 0, error).join('\n');
    return { kind: 'the one error of a log', text, ...tells(error), search: { by: 'pattern', pattern: anyTrouble } };
  });
}

const errorLike = /\berror\b|\bfail|exception|fatal/i;
const toldCharacters = 60;

/** "What was the error of this time?" in a log that is full of them. What follows the time stands nowhere else. */
function errorsAmongMany(lines: string[], random: SeededRandom): Fact[] {
  const text = lines.join('\n');
  return someOf(lines, random, (line) => {
    const [clue] = time.exec(line) ?? [];
    if (clue === undefined || !errorLike.test(line)) return undefined;
    const start = line.indexOf(clue);
    const message = line.slice(start, start + clue.length + toldCharacters).trimEnd();
    return isOnce(text, message)
      ? { kind: 'one of many errors', text, ...tells(message), search: wordsOf(clue) }
      : undefined;
  });
}

const totals = [
  { stated: 'Tests: 3 failed, 1,247 passed, 1,250 in all', asked: 'tests' },
  { stated: '418 passing (12s)', asked: 'passing' },
  { stated: 'Total: 90,112 files, 17 changed', asked: 'total' },
  { stated: 'found 12 vulnerabilities (9 moderate, 3 high)', asked: 'vulnerabilities' },
  { stated: '73,204 rows affected', asked: 'rows' },
  { stated: 'Summary: 5 warnings in 211 modules', asked: 'summary' },
  { stated: 'Coverage: 81.37 % of statements', asked: 'coverage' },
  { stated: 'Done in 342.18s', asked: 'done in' },
  { stated: 'transferred 6,442,450 objects', asked: 'transferred' },
  { stated: '=== 2 failed, 611 passed, 9 skipped in 84.22s ===', asked: 'passed' },
  { stated: 'BUILD FAILED with 7 problems', asked: 'build' },
  { stated: 'Process finished with exit code 137', asked: 'exit code' },
] as const;

/** "How many were there in all?" The line that says it is followed by some of the last third of a quiet log. */
function statedTotals(name: string, random: SeededRandom): Fact[] {
  const quiet = quietLog(name);
  return totals.slice(0, perOutput).map(({ stated, asked }) => {
    const at = quiet.length - random.below(Math.floor(quiet.length / 3));
    const text = quiet.toSpliced(at, 0, stated).join('\n');
    return { kind: 'a total that the output states', text, ...tells(stated), search: wordsOf(asked) };
  });
}

/** "How did it end?" of a log that stops anywhere in its second half. */
function lastLines(lines: string[], random: SeededRandom): Fact[] {
  const stops = Array.from({ length: lines.length >> 1 }, (_, index) => (lines.length >> 1) + index + 1);
  return someOf(stops, random, (stop) => {
    const text = lines.slice(0, stop).join('\n');
    // Without the carriage return that ends the lines of some logs.
    const last = lines[stop - 1]?.trimEnd() ?? '';
    return isOnce(text, last) ? { kind: 'the last line', text, ...tells(last), search: { by: 'tail' } } : undefined;
  });
}

// Of records

/** "What is the … of …?" The name belongs to one record only. */
function recordsOf({ text, records, nameField, askedField }: RecordOutput, random: SeededRandom): Fact[] {
  return someOf(records, random, (record) => {
    const [name, asked] = [record[nameField], record[askedField]].map(String) as [string, string];
    // What every format writes in one way only.
    const isPlain = /^[\w -]{6,}$/.test(name) && /^\d+(\.\d*[1-9])?$/.test(asked) && asked.length > 2;
    if (!isPlain || records.filter((other) => String(other[nameField]) === name).length > 1) return undefined;
    return {
      kind: 'a record',
      text,
      // A value alone tells nothing: other records have it as well.
      isToldBy: (shown) => shown.split('\n').some((line) => standsIn(line, { name, asked })),
      search: {
        by: 'query',
        query: { where: [{ field: nameField, op: 'eq', value: name }], select: [nameField, askedField] },
      },
    };
  });
}

/** The name, and behind it the value, in what of a line can be one record. */
function standsIn(line: string, { name, asked }: { name: string; asked: string }): boolean {
  const start = line.indexOf(name);
  if (start === -1) return false;
  const around = line.slice(Math.max(0, start - mostRecordCharacters), start + mostRecordCharacters);
  return new RegExp(`(?<![\\d.])${asked.replace('.', '\\.')}(?![\\d.])`).test(around);
}

const mostRecordCharacters = 700;
const leastSum = 100_000;

/** "How much is it together?" of all records that have one thing in common. No preview can know; a query does. */
function totalsOf({ text, records, summed }: RecordOutput, random: SeededRandom): Fact[] {
  if (summed.length === 0) return [];
  const questions = records.flatMap((record) => summed.map(({ field, by }) => ({ field, by, value: record[by] })));
  return someOf(questions, random, ({ field, by, value }) => {
    if (typeof value !== 'string') return undefined;
    const sum = records
      .filter((record) => record[by] === value)
      .reduce((total, record) => total + Number(record[field] ?? 0), 0);
    if (!Number.isSafeInteger(sum) || sum < leastSum || text.includes(String(sum))) return undefined;
    return {
      kind: 'a total of records',
      text,
      ...tells(String(sum)),
      search: {
        by: 'query',
        query: { where: [{ field: by, op: 'eq', value }], aggregate: [{ op: 'sum', field }] },
      },
    };
  });
}

// Of one line

const keywords = ['deployment', 'invoiceReference', 'X-Trace', 'licenseKey', 'rollbackTo', 'featureFlag'] as const;

/** "What is the licenseKey?" of a line that nobody can read. */
function needlesIn(line: string, random: SeededRandom): Fact[] {
  return Array.from({ length: perOutput }, () => {
    const keyword = random.oneOf(keywords);
    const needle = `"${keyword}":"${random.below(2 ** 31).toString(36)}-${random.below(2 ** 31).toString(36)}"`;
    const at = random.below(line.length);
    const text = `${line.slice(0, at)} ${needle} ${line.slice(at)}`;
    return { kind: 'a needle in one giant line', text, ...tells(needle), search: wordsOf(keyword) };
  });
}

// For all of them

/** As many facts as are wanted, each of another item; fewer where there are no more. */
function someOf<ITEM>(items: readonly ITEM[], random: SeededRandom, toFact: (item: ITEM) => Fact | undefined): Fact[] {
  const left = [...items];
  const facts: Fact[] = [];
  while (facts.length < perOutput && left.length > 0) {
    const [item] = left.splice(random.below(left.length), 1);
    const fact = toFact(item as ITEM);
    if (fact) facts.push(fact);
  }
  return facts;
}

function tells(answer: string): Pick<Fact, 'isToldBy'> {
  return { isToldBy: (shown) => shown.includes(answer) };
}

function wordsOf(words: string): FactSearch {
  return { by: 'words', words };
}

function isOnce(text: string, part: string): boolean {
  const first = text.indexOf(part);
  return first !== -1 && text.indexOf(part, first + 1) === -1;
}
