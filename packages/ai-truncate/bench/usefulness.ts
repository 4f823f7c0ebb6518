import type { BenchPart, BenchScale } from './bench-part.ts';
import { chooseFacts, type Fact } from './usefulness-facts.ts';
import { type PreviewMaker, previewMakers } from './usefulness-previews.ts';
import { type ScoresByMaker, usefulnessReport } from './usefulness-report.ts';
import { type FactScore, scoreFact } from './usefulness-score.ts';

/** In bytes. The first budget is the budget of the detailed tables. */
const budgets = [16_384, 4_096, 51_200];

/** Measures whether previews show the requested facts, and what the readers cost otherwise. */
export const usefulness: BenchPart = {
  section: 'usefulness',
  heading: 'Facts in previews, and facts that only the readers find',
  async measure({ oneCaseIn }: BenchScale) {
    const facts = chooseFacts().filter((_, index) => index % oneCaseIn === 0);
    const makers = await previewMakers();
    const scores = new Map<number, ScoresByMaker>();
    for (const bytes of budgets) scores.set(bytes, await scoresOf(facts, { makers, bytes }));
    return usefulnessReport(scores);
  },
};

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
