import { table } from '../measure.ts';
import { chooseSumFacts, countsByValue } from './computed-facts.ts';
import type { PreviewMaker } from './previews.ts';
import { chooseRealFacts, type RealFact } from './real-facts.ts';
import { kindTitles, outputKinds } from './real-outputs.ts';
import { type BudgetScore, factScorer, largeBytes, type ScoredFact, smallBytes } from './real-score.ts';
import { sumOf } from './score.ts';
import { chooseUnaskedFacts, type UnaskedFact } from './unasked-facts.ts';

/** Facts that are reported in one row. */
interface FactRow {
  title: string;
  facts: readonly ScoredFact[];
}

/** The facts of real outputs as Markdown, and the rows of facts that are measured elsewhere. */
export async function realFactsReport(
  peers: readonly PreviewMaker[],
  { oneCaseIn, earlier }: { oneCaseIn: number; earlier: readonly string[][] },
): Promise<string> {
  const score = factScorer(peers);
  const sampled = <FACT>(facts: readonly FACT[]) => facts.filter((_, index) => index % oneCaseIn === 0);
  const tableOf = async (rows: readonly FactRow[]): Promise<string> => {
    const lines: string[][] = [];
    for (const row of rows.filter(({ facts }) => facts.length > 0)) lines.push(await cellsOf(row, score));
    return table(heading, lines);
  };
  return [
    'Facts of real outputs: command output in an object, pages, diffs, source files, CSV, package metadata, Markdown. The lines were drawn by a seeded random number before any preview was made. A third of the questions share one identifier, number or stem with the line that answers them, and no whole word. An unrelated question is one of seven, and the share is the mean over them. Peers have the same budget, and the output as text. Two outputs of each kind are held out: previews are not tuned to them.',
    '**Facts that a line, a record or a passage states**, with the question that a person asks:',
    await tableOf(askedRows(sampled(chooseRealFacts()))),
    '**Facts that people want to know without a question**:',
    await tableOf(unaskedRows(sampled([...chooseUnaskedFacts(), ...countsByValue()]))),
    '**Sums that the output does not state**, which only a query can know:',
    await tableOf([{ title: 'a sum over records', facts: sampled(chooseSumFacts()) }]),
    '**Facts of logs, records and giant lines**, with generated questions, in the same columns; below, the same facts in detail:',
    table(heading, [...earlier]),
  ].join('\n\n');
}

const heading = [
  'facts',
  'number',
  'with the question, 16 KB',
  'with the question, 4 KB',
  'without a question, 16 KB',
  'with an unrelated question, 16 KB',
  'best peer, 16 KB',
  'best peer, 4 KB',
];

function askedRows(facts: readonly RealFact[]): FactRow[] {
  const seen = facts.filter(({ output }) => !output.isHeldOut);
  const held = facts.filter(({ output }) => output.isHeldOut);
  const byKind = (chosen: readonly RealFact[], suffix: string) =>
    outputKinds.map((kind) => ({
      title: `${kindTitles[kind]}${suffix}`,
      facts: chosen.filter(({ output }) => output.kind === kind),
    }));
  return [
    ...byKind(seen, ''),
    { title: '**all**', facts: seen },
    ...byKind(held, ', held out'),
    { title: '**all, held out**', facts: held },
    {
      title: 'of all: only an identifier, number or stem in common',
      facts: facts.filter(({ clue }) => clue !== undefined),
    },
  ];
}

function unaskedRows(facts: readonly UnaskedFact[]): FactRow[] {
  const seen = facts.filter(({ isHeldOut }) => !isHeldOut);
  const held = facts.filter(({ isHeldOut }) => isHeldOut);
  const kinds = [...new Set(facts.map(({ kind }) => kind))];
  return [
    ...kinds.map((title) => ({ title, facts: seen.filter(({ kind }) => kind === title) })),
    { title: '**all**', facts: seen },
    { title: '**all, held out**', facts: held },
  ];
}

async function cellsOf({ title, facts }: FactRow, score: ReturnType<typeof factScorer>): Promise<string[]> {
  const large: BudgetScore[] = [];
  const small: BudgetScore[] = [];
  for (const fact of facts) {
    large.push(await score(fact, largeBytes));
    small.push(await score(fact, smallBytes));
  }
  const share = (scores: readonly BudgetScore[], isTold: (score: BudgetScore) => boolean) =>
    percent(scores.filter(isTold).length, scores.length);
  return [
    title,
    String(facts.length),
    share(large, ({ withQuestion }) => withQuestion),
    share(small, ({ withQuestion }) => withQuestion),
    share(large, ({ withoutQuestion }) => withoutQuestion),
    percent(
      sumOf(large, ({ withUnrelatedQuestion }) => withUnrelatedQuestion),
      large.length,
    ),
    bestPeer(large),
    bestPeer(small),
  ];
}

function bestPeer(scores: readonly BudgetScore[]): string {
  const names = Object.keys(scores[0]?.peers ?? {});
  return bestOf(names.map((name) => ({ name, shown: scores.map(({ peers }) => peers[name] === true) })));
}

/** The preview that tells the most facts. */
export function bestOf(previews: readonly { name: string; shown: readonly boolean[] }[]): string {
  const counted = previews.map(({ name, shown }) => ({ name, told: shown.filter(Boolean).length, of: shown.length }));
  const [best] = counted.toSorted((one, other) => other.told - one.told);
  return best === undefined ? 'none' : `${percent(best.told, best.of)} (${best.name})`;
}

export function percent(part: number, total: number): string {
  return `${((100 * part) / total).toFixed(1)} %`;
}
