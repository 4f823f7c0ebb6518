import type { BenchPart, BenchScale } from '../bench-part.ts';
import { chooseFacts, type Fact, type FactKind, factKinds } from './facts.ts';
import { type PreviewMaker, peerMakers, previewMakers } from './previews.ts';
import { bestOf, percent, realFactsReport } from './real-report.ts';
import { largeBytes, smallBytes } from './real-score.ts';
import { type ScoresByMaker, usefulnessReport } from './report.ts';
import { type FactScore, scoreFact } from './score.ts';

/** In bytes. The first budget is the budget of the detailed tables. */
const budgets = [largeBytes, smallBytes, 51_200];

/** Measures whether previews show the requested facts, and what the readers cost otherwise. */
export const usefulness: BenchPart = {
  section: 'usefulness',
  heading: 'Facts in previews, and facts that only the readers find',
  async measure({ oneCaseIn }: BenchScale) {
    const facts = chooseFacts().filter((_, index) => index % oneCaseIn === 0);
    const makers = await previewMakers();
    const scores = new Map<number, ScoresByMaker>();
    for (const bytes of budgets) scores.set(bytes, await scoresOf(facts, { makers, bytes }));
    const peers = await peerMakers();
    const earlier = rowsOf(scores, new Set(peers.map(({ name }) => name)));
    return [await realFactsReport(peers, { oneCaseIn, earlier }), usefulnessReport(scores)].join('\n\n');
  },
};

/** The facts of logs, records and giant lines in the columns of the facts of real outputs. */
function rowsOf(scores: ReadonlyMap<number, ScoresByMaker>, peers: ReadonlySet<string>): string[][] {
  const shownBy = (kind: FactKind, name: string, bytes: number): boolean[] =>
    (scores.get(bytes)?.get(name) ?? []).filter((score) => score.kind === kind).map(({ isShown }) => isShown);
  const measured = factKinds.filter((kind) => shownBy(kind, 'auto', largeBytes).length > 0);
  return measured.map((kind) => {
    const share = (name: string, bytes: number): string => {
      const shown = shownBy(kind, name, bytes);
      return percent(shown.filter(Boolean).length, shown.length);
    };
    const best = (bytes: number) => bestOf([...peers].map((name) => ({ name, shown: shownBy(kind, name, bytes) })));
    return [
      kind,
      String(shownBy(kind, 'auto', largeBytes).length),
      share('auto, with the question', largeBytes),
      share('auto, with the question', smallBytes),
      share('auto', largeBytes),
      share('auto, with an unrelated question', largeBytes),
      best(largeBytes),
      best(smallBytes),
    ];
  });
}

async function scoresOf(
  facts: readonly Fact[],
  { makers, bytes }: { makers: readonly PreviewMaker[]; bytes: number },
): Promise<ScoresByMaker> {
  const byMaker = new Map<string, FactScore[]>(makers.map(({ name }) => [name, []]));
  for (const fact of facts) {
    for (const maker of makers) byMaker.get(maker.name)?.push(await scoreFact(fact, { maker, bytes }));
  }
  return byMaker;
}
