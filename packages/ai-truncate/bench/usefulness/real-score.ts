import { isTruncatedOutput } from '../../src/protocol/truncated-output.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import { boundedModelText } from '../../src/text/frame.ts';
import { truncateOutput } from '../../src/tools/truncate-output.ts';
import type { PreviewMaker } from './previews.ts';
import type { RealOutput } from './real-outputs.ts';
import type { Told } from './told.ts';

/** A fact with what is needed to score it. */
export interface ScoredFact {
  output: Pick<RealOutput, 'value' | 'text'>;
  question: string;
  isToldBy: Told;
}

/** The budgets of the report. Unrelated questions are asked with the large one only, because they are most of the work. */
export const largeBytes = 16_384;
export const smallBytes = 4_096;

/** Whether the previews of one budget tell a fact. */
export interface BudgetScore {
  withQuestion: boolean;
  withoutQuestion: boolean;
  /** The share of the unrelated questions with which the preview shows the fact; 0 with another budget than the large one. */
  withUnrelatedQuestion: number;
  /** By the name of the peer, which has the same budget and knows no question. */
  peers: Readonly<Record<string, boolean>>;
}

/** Scores each fact once. Previews that do not depend on the question are made once for an output. */
export function factScorer(peers: readonly PreviewMaker[]): (fact: ScoredFact, bytes: number) => Promise<BudgetScore> {
  const known = new WeakMap<object, Map<string, Promise<string> | string>>();
  const once = (output: ScoredFact['output'], key: string, make: () => Promise<string> | string) => {
    const shownByKey = known.get(output) ?? new Map<string, Promise<string> | string>();
    known.set(output, shownByKey);
    const shown = shownByKey.get(key) ?? make();
    shownByKey.set(key, shown);
    return shown;
  };
  const scores = new Map<ScoredFact, Map<number, Promise<BudgetScore>>>();
  const scoreOnce = async ({ output, question, isToldBy }: ScoredFact, bytes: number): Promise<BudgetScore> => {
    const shown = (asked: string) => shownOf(output, { bytes, question: asked });
    let toldUnrelated = 0;
    for (const unrelated of bytes === largeBytes ? unrelatedQuestions : []) {
      if (isToldBy(await once(output, `${unrelated} ${bytes}`, () => shown(unrelated)))) toldUnrelated++;
    }
    const told: Record<string, boolean> = {};
    for (const { name, preview } of peers) {
      const make = () => preview(output.text, { bytes, question: '' });
      told[name] = isToldBy(await once(output, `${name} ${bytes}`, make));
    }
    return {
      withQuestion: isToldBy(await shown(question)),
      withoutQuestion: isToldBy(await once(output, ` ${bytes}`, () => shown(''))),
      withUnrelatedQuestion: toldUnrelated / unrelatedQuestions.length,
      peers: told,
    };
  };
  return (fact, bytes) => {
    const byBudget = scores.get(fact) ?? new Map<number, Promise<BudgetScore>>();
    scores.set(fact, byBudget);
    const score = byBudget.get(bytes) ?? scoreOnce(fact, bytes);
    byBudget.set(bytes, score);
    return score;
  };
}

/** All that the model sees of an output, when it asked the question. */
export async function shownOf(
  { value }: Pick<RealOutput, 'value'>,
  { bytes, question }: { bytes: number; question: string },
): Promise<string> {
  const output = await truncateOutput(value, {
    store: memoryStore(),
    scope: 'bench',
    toolName: 'runCommand',
    toolCallId: 'call_1',
    hint: { grep: 'grepArtifacts', read: 'readArtifact', query: 'queryArtifact' },
    focus: question,
    previewBytes: bytes,
  });
  if (!isTruncatedOutput(output)) throw new Error('An output of the benchmark is within the limits.');
  return boundedModelText({ text: output.text, preview: output.data.preview }, { maxBytes: bytes });
}

/** Questions that have nothing to do with any output. Each fact is scored with all of them, because one fact is a large share. */
const unrelatedQuestions = [
  'How long does a bread of rye flour have to rest before I bake it in Vienna?',
  'Who won the chess game between my sister and her teacher last Sunday?',
  'Which train goes from Lisbon to Porto in the evening, and how expensive is it?',
  'What should I plant in the shade of an old walnut tree?',
  'Can you summarise the second chapter of the novel for me?',
  'Why does my bicycle make a noise when it rains?',
  'Wie wird das Wetter morgen in Hamburg?',
];
