import { type SeededRandom, seededRandom } from '../../lab/seeded-random.ts';
import { giantLines, logLines, logNames, quietLog, type RecordOutput, recordOutputs } from './outputs.ts';
import type { FactSearch } from './search.ts';

/** A fact that a person wants to know about an output, chosen before any preview was made. */
export interface Fact {
  kind: FactKind;
  /** The output. */
  text: string;
  /** The question of a person who does not know the answer. */
  question: string;
  /** Whether the shown text contains the fact. */
  isToldBy(shown: string): boolean;
  /** The steps to find the fact for a reader who knows the question but not the answer. */
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

/** How many facts of a kind are chosen per output. */
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

// Facts of logs

/** A time in a log, which is part of the question about a line. */
const time = /(?:\d{4}-\d\d-\d\d|\w{3} +\d+) \d\d:\d\d:\d\d(?:[.,]\d{3})?/;
const idLike = /[\w.:/-]*\d{3}[\w.:/-]*/g;

/** "Which id has the event at this time?" The id occurs only once. */
function idsOf(lines: string[], random: SeededRandom): Fact[] {
  const text = lines.join('\n');
  return someOf(lines, random, (line) => {
    const [clue] = time.exec(line) ?? [];
    if (clue === undefined) return undefined;
    const rest = line.slice(line.indexOf(clue) + clue.length);
    const id = (rest.match(idLike) ?? []).find((each) => isOnce(text, each));
    return id === undefined
      ? undefined
      : {
          kind: 'an id in a log',
          text,
          question: ask(idQuestions, { subject: clue, by: id }),
          ...tells(id),
          search: wordsOf(clue),
        };
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
/** "What went wrong?" is searched like this without more knowledge. */
const anyTrouble = 'error|fail|exception|fatal|panic|denied|refused|timed out|killed|expired|exceeded';

/** One error line between the first and the last tenth of a quiet log. */
function plantedErrors(name: string, random: SeededRandom): Fact[] {
  const quiet = quietLog(name);
  return errors.slice(0, perOutput).map((error) => {
    const at = Math.floor(quiet.length / 10) + random.below(Math.floor(quiet.length * 0.8));
    const text = quiet.toSpliced(at, 0, error).join('\n');
    return {
      kind: 'the one error of a log',
      text,
      question: ask(troubleQuestions, { by: error }),
      ...tells(error),
      search: { by: 'pattern', pattern: anyTrouble },
    };
  });
}

const errorLike = /\berror\b|\bfail|exception|fatal/i;
const toldCharacters = 60;

/** "What was the error at this time?" in a log that is full of errors. The text after the time occurs only once. */
function errorsAmongMany(lines: string[], random: SeededRandom): Fact[] {
  const text = lines.join('\n');
  return someOf(lines, random, (line) => {
    const [clue] = time.exec(line) ?? [];
    if (clue === undefined || !errorLike.test(line)) return undefined;
    const start = line.indexOf(clue);
    const message = line.slice(start, start + clue.length + toldCharacters).trimEnd();
    return isOnce(text, message)
      ? {
          kind: 'one of many errors',
          text,
          question: ask(errorQuestions, { subject: clue, by: message }),
          ...tells(message),
          search: wordsOf(clue),
        }
      : undefined;
  });
}

const totals = [
  {
    stated: 'Tests: 3 failed, 1,247 passed, 1,250 in all',
    asked: 'tests',
    question: 'How many tests ran, and how many of them failed?',
  },
  { stated: '418 passing (12s)', asked: 'passing', question: 'How many specs are passing?' },
  { stated: 'Total: 90,112 files, 17 changed', asked: 'total', question: 'How many files are there in total?' },
  {
    stated: 'found 12 vulnerabilities (9 moderate, 3 high)',
    asked: 'vulnerabilities',
    question: 'Did the audit find vulnerabilities?',
  },
  { stated: '73,204 rows affected', asked: 'rows', question: 'How many rows did the statement change?' },
  { stated: 'Summary: 5 warnings in 211 modules', asked: 'summary', question: 'Give me the summary of warnings.' },
  {
    stated: 'Coverage: 81.37 % of statements',
    asked: 'coverage',
    question: 'How much of the code is covered by tests?',
  },
  { stated: 'Done in 342.18s', asked: 'done in', question: 'How long did it take?' },
  { stated: 'transferred 6,442,450 objects', asked: 'transferred', question: 'How much was transferred?' },
  { stated: '=== 2 failed, 611 passed, 9 skipped in 84.22s ===', asked: 'passed', question: 'How many tests passed?' },
  { stated: 'BUILD FAILED with 7 problems', asked: 'build', question: 'Did the build succeed?' },
  {
    stated: 'Process finished with exit code 137',
    asked: 'exit code',
    question: 'With which code did the process exit?',
  },
] as const;

/** "How many were there in total?" The line with the answer is followed by some of the last third of a quiet log. */
function statedTotals(name: string, random: SeededRandom): Fact[] {
  const quiet = quietLog(name);
  return totals.slice(0, perOutput).map(({ stated, asked: word, question }) => {
    const at = quiet.length - random.below(Math.floor(quiet.length / 3));
    const text = quiet.toSpliced(at, 0, stated).join('\n');
    return { kind: 'a total that the output states', text, question, ...tells(stated), search: wordsOf(word) };
  });
}

/** "How did it end?" for a log that stops anywhere in its second half. */
function lastLines(lines: string[], random: SeededRandom): Fact[] {
  const stops = Array.from({ length: lines.length >> 1 }, (_, index) => (lines.length >> 1) + index + 1);
  return someOf(stops, random, (stop) => {
    const text = lines.slice(0, stop).join('\n');
    // Without the carriage return that ends the lines of some logs.
    const last = lines[stop - 1]?.trimEnd() ?? '';
    return isOnce(text, last)
      ? {
          kind: 'the last line',
          text,
          question: ask(endQuestions, { by: last }),
          ...tells(last),
          search: { by: 'tail' },
        }
      : undefined;
  });
}

// Facts of records

/** "What is the … of …?" The name belongs to one record only. */
function recordsOf({ text, records, nameField, askedField }: RecordOutput, random: SeededRandom): Fact[] {
  return someOf(records, random, (record) => {
    const [name, asked] = [record[nameField], record[askedField]].map(String) as [string, string];
    // Only text that every format writes in one way.
    const isPlain = /^[\w -]{6,}$/.test(name) && /^\d+(\.\d*[1-9])?$/.test(asked) && asked.length > 2;
    if (!isPlain || records.filter((other) => String(other[nameField]) === name).length > 1) return undefined;
    return {
      kind: 'a record',
      text,
      question: ask(recordQuestions, { subject: `${lastName(askedField)} of ${name}`, by: name }),
      // A value alone is not enough, because other records have it too.
      isToldBy: (shown) => shown.split('\n').some((line) => standsIn(line, { name, asked })),
      search: {
        by: 'query',
        query: { where: [{ field: nameField, op: 'eq', value: name }], select: [nameField, askedField] },
      },
    };
  });
}

/** Whether the name and, after it, the value are in a part of the line that can be one record. */
function standsIn(line: string, { name, asked }: { name: string; asked: string }): boolean {
  const start = line.indexOf(name);
  if (start === -1) return false;
  const around = line.slice(Math.max(0, start - mostRecordCharacters), start + mostRecordCharacters);
  return new RegExp(`(?<![\\d.])${asked.replace('.', '\\.')}(?![\\d.])`).test(around);
}

const mostRecordCharacters = 700;
const leastSum = 100_000;

/** "What is the total?" of all records that have one property in common. No preview can know it, but a query can. */
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
      question: `What is the sum of ${lastName(field)} where ${lastName(by)} is ${value}?`,
      ...tells(String(sum)),
      search: {
        by: 'query',
        query: { where: [{ field: by, op: 'eq', value }], aggregate: [{ op: 'sum', field }] },
      },
    };
  });
}

// Facts of one line

const keywords = ['deployment', 'invoiceReference', 'X-Trace', 'licenseKey', 'rollbackTo', 'featureFlag'] as const;

/** "What is the licenseKey?" in a line that is too long to read. */
function needlesIn(line: string, random: SeededRandom): Fact[] {
  return Array.from({ length: perOutput }, () => {
    const keyword = random.oneOf(keywords);
    const needle = `"${keyword}":"${random.below(2 ** 31).toString(36)}-${random.below(2 ** 31).toString(36)}"`;
    const at = random.below(line.length);
    const text = `${line.slice(0, at)} ${needle} ${line.slice(at)}`;
    return {
      kind: 'a needle in one giant line',
      text,
      question: ask(needleQuestions, { subject: inWords(keyword), by: needle }),
      ...tells(needle),
      search: wordsOf(keyword),
    };
  });
}

// Common to all facts

/** As many facts as requested, each from another item; fewer if there are not enough items. */
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

// Questions

const idQuestions = [
  'Which id does the event of # have?',
  'What happened at #? I need the id.',
  'id of the line logged #',
];
const troubleQuestions = ['What went wrong?', 'Why does it not work?', 'Is there a problem in this log?'];
const errorQuestions = ['What was the error at #?', 'Something failed # - what was it?', 'Show me the failure of #.'];
const endQuestions = ['How did it end?', 'What is the last thing that happened?', 'Is it still running?'];
const recordQuestions = ['What is the #?', 'Tell me the # please.', 'I need the #'];
const needleQuestions = ['What is the #?', 'Which # is set?', 'find the #'];

/** Chooses the words without a random number, so that the facts stay the same. */
function ask(questions: readonly string[], { subject = '', by }: { subject?: string; by: string }): string {
  return (questions[by.length % questions.length] ?? '').replace('#', subject);
}

function lastName(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1);
}

/** `licenseKey` as people write it. */
function inWords(keyword: string): string {
  return keyword.replaceAll(/(?<=[a-z])(?=[A-Z])|-/g, ' ').toLowerCase();
}
