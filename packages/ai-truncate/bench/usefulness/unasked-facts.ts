import { type SeededRandom, seededRandom } from '../../lab/seeded-random.ts';
import { logNames, quietLog } from './outputs.ts';
import { type OutputKind, outputNames, type RealOutput, realOutput } from './real-outputs.ts';
import { collapsed, type Told, toldByLine } from './told.ts';

/** A fact that people want to know of an output without a particular question. */
export interface UnaskedFact {
  kind: 'a single error' | 'a stated total' | 'the last line' | 'a rare line' | 'a count by value';
  output: Pick<RealOutput, 'value' | 'text'>;
  isHeldOut: boolean;
  /** The question that finds it, for the columns with a question. */
  question: string;
  line: string;
  isToldBy: Told;
}

const seed = 20_261_121;

/** All facts but the counts, always the same. */
export function chooseUnaskedFacts(): UnaskedFact[] {
  const random = seededRandom(seed);
  return [
    ...plantedInShells(errors, { kind: 'a single error', question: 'What went wrong?' }, random),
    ...plantedInShells(totals, { kind: 'a stated total', question: 'How many were there in all?' }, random),
    ...lastLines(random),
    ...rareLines(random),
  ];
}

// Lines that are put into outputs without such lines

/** Shell outputs in which nothing fails and nothing is summed up. */
const quietShells = ['apt-show', 'dpkg-list', 'git-log-stat', 'ls-tree'] as const;

/** Errors as real tools write them. */
const errors = [
  'error[E0382]: borrow of moved value: `buffer`',
  'npm error code EINTEGRITY',
  'psql: error: connection to server at "10.3.1.9", port 5432 failed: Connection refused',
  'src/main.go:41:9: undefined: parseLedger',
  'Segmentation fault (core dumped)',
  "ModuleNotFoundError: No module named 'yamlfmt'",
  "thread 'main' panicked at src/ledger.rs:88:5:",
  'tar: Exiting with failure status due to previous errors',
];

/** Totals as real tools write them. */
const totals = [
  'Found 214 errors in 12 files.',
  '58 files changed, 1204 insertions(+), 311 deletions(-)',
  'test result: ok. 214 passed; 0 failed; 3 ignored; finished in 2.31s',
  'Ran 512 tests in 2.103s',
  'added 312 packages, and audited 313 packages in 12s',
  '1024 rows in set (0.05 sec)',
  'Total reclaimed space: 3.107GB',
  'Checked 402 files in 118ms. No fixes applied.',
];

/** Planted lines that are held out like outputs: two errors, two totals and two rare lines, drawn before any preview. */
export const heldOutLines: readonly string[] = [
  'psql: error: connection to server at "10.3.1.9", port 5432 failed: Connection refused',
  'tar: Exiting with failure status due to previous errors',
  'test result: ok. 214 passed; 0 failed; 3 ignored; finished in 2.31s',
  'Found 214 errors in 12 files.',
  'failover: replica 2 promoted to primary',
  'connect ECONNRESET',
];

interface Planted {
  kind: UnaskedFact['kind'];
  question: string;
}

function plantedInShells(lines: readonly string[], planted: Planted, random: SeededRandom): UnaskedFact[] {
  return quietShells.flatMap((name) => {
    const { value } = realOutput('shell', name);
    const shell = value as { stdout: string };
    const stdout = shell.stdout.split('\n');
    const shapes = new Set(stdout.map(shapeOf));
    // Among many lines of its own form, a line is no single error or total.
    return lines.flatMap((line) => {
      if (shapes.has(shapeOf(line))) return [];
      const at = Math.floor(stdout.length / 10) + random.below(Math.floor(stdout.length * 0.8));
      return [plantedFact({ ...shell, stdout: stdout.toSpliced(at, 0, line).join('\n') }, { ...planted, line })];
    });
  });
}

function shapeOf(line: string): string {
  return line.trim().replaceAll(/\d+/g, '#');
}

function plantedFact(value: unknown, { kind, question, line }: Planted & { line: string }): UnaskedFact {
  const text = typeof value === 'string' ? value : (value as { stdout: string }).stdout;
  const isHeldOut = heldOutLines.includes(line);
  return { kind, output: { value, text }, isHeldOut, question, line, isToldBy: toldByLine([line]) };
}

const endKinds: readonly OutputKind[] = ['shell', 'diff', 'source', 'markdown', 'csv'];

/** The last line of each output with lines, which stops anywhere in its second half. */
function lastLines(random: SeededRandom): UnaskedFact[] {
  return endKinds.flatMap((kind) => outputNames[kind].flatMap((name) => lastLine(realOutput(kind, name), random)));
}

function lastLine({ value, text, isHeldOut }: RealOutput, random: SeededRandom): UnaskedFact[] {
  const long = typeof value === 'string' ? value : longestString(value);
  const lines = long.split('\n');
  for (let tries = 0; tries < lines.length; tries++) {
    const stop = (lines.length >> 1) + random.below(lines.length >> 1);
    const line = collapsed(lines[stop] ?? '');
    const end = lines.slice(0, stop + 1).join('\n');
    const isOnce = long.indexOf(lines[stop] ?? '') === end.lastIndexOf(lines[stop] ?? '');
    if (line.length < leastLineCharacters || !isOnce || end.length < leastOutputCharacters) continue;
    const stopped = typeof value === 'string' ? end : withString(value, { from: long, to: end });
    const output = { value: stopped, text: text.replace(long, end) };
    return [
      { kind: 'the last line', output, isHeldOut, question: 'How did it end?', line, isToldBy: toldByLine([line]) },
    ];
  }
  return [];
}

const leastLineCharacters = 12;
/** A smaller output is not truncated. */
const leastOutputCharacters = 60_000;

function longestString(value: unknown): string {
  const strings = Object.values(value as object).filter((each) => typeof each === 'string');
  return strings.toSorted((one, other) => other.length - one.length)[0] ?? '';
}

function withString(value: unknown, { from, to }: { from: string; to: string }): unknown {
  return Object.fromEntries(Object.entries(value as object).map(([key, each]) => [key, each === from ? to : each]));
}

/** Lines that occur once in a log and are of no other line's pattern. Some are errors that no word list knows. */
const rare = [
  'connect ECONNRESET',
  'x509: certificate has expired',
  'Zertifikat für vault.intern ist seit gestern abgelaufen',
  '支付网关拒绝了订单',
  'failover: replica 2 promoted to primary',
  'operator console attached from 10.9.8.7',
  'la base de datos está en modo de solo lectura',
  'clock moved backwards by 4102 ms',
];

function rareLines(random: SeededRandom): UnaskedFact[] {
  return logNames.flatMap((name) => {
    const quiet = quietLog(name);
    return rare.map((line) => {
      const at = Math.floor(quiet.length / 10) + random.below(Math.floor(quiet.length * 0.8));
      const log = quiet.toSpliced(at, 0, line).join('\n');
      return plantedFact(log, { kind: 'a rare line', question: 'Did anything unusual happen?', line });
    });
  });
}
