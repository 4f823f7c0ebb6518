import { machineLine, writeFigures } from '../lab/figures.ts';
import { chooseFacts } from './usefulness-facts.ts';
import { previewMakers } from './usefulness-previews.ts';
import { type ScoresByMaker, usefulnessReport } from './usefulness-report.ts';
import { type FactScore, scoreFact } from './usefulness-score.ts';

/** In bytes; the first is the one of the detailed tables. */
const budgets = [16_384, 4_096, 51_200];

/** Whether previews tell what is asked, and what the readers cost where they do not. */
export async function usefulness(): Promise<void> {
  const facts = chooseFacts();
  const makers = await previewMakers();
  const scores = new Map<number, ScoresByMaker>();
  for (const bytes of budgets) {
    const byMaker = new Map<string, FactScore[]>();
    for (const maker of makers) {
      const ofMaker: FactScore[] = [];
      for (const fact of facts) ofMaker.push(await scoreFact(fact, { maker, bytes }));
      byMaker.set(maker.name, ofMaker);
    }
    scores.set(bytes, byMaker);
  }
  const report = `${usefulnessReport(scores)}\n\n${machineLine()}`;
  writeFigures('usefulness', report);
  console.log(report);
}
