import { type SeededRandom, seededRandom } from '../../lab/seeded-random.ts';
import type { RealFact } from './real-facts.ts';
import { outputKinds, outputNames, type RealOutput } from './real-outputs.ts';
import { rowQuestions } from './row-questions.ts';
import { sharedWords, withoutClue } from './shared-words.ts';

/** A question about one record. */
export type AskedRecord = Pick<RealFact, 'question' | 'clue' | 'line' | 'isToldBy'>;

const perOutput = 8;
const seed = 20_261_120;
const outputs = outputKinds.flatMap((kind) => outputNames[kind].map((name) => `${kind}/${name}`));

/** Facts of records that are drawn by a seeded random number; the questions of an output take turns. */
export function recordFacts(output: RealOutput): RealFact[] {
  const asked = rowQuestions(output);
  const random = seededRandom(seed + outputs.indexOf(`${output.kind}/${output.name}`));
  const facts: RealFact[] = [];
  const left = [...asked.records];
  while (facts.length < perOutput && left.length > 0) {
    const record = drawn(left, random);
    const ask = asked.questions[facts.length % asked.questions.length];
    const fact = ask?.(record);
    if (fact && isWellFormed(fact) && fact.isToldBy(output.text)) facts.push({ output, ...fact });
  }
  return facts;
}

function drawn<ITEM>(items: ITEM[], random: SeededRandom): ITEM {
  const [item] = items.splice(random.below(items.length), 1);
  return item as ITEM;
}

/** The question shares a whole word with the record, or nothing but its clue. */
function isWellFormed({ question, clue, line, isToldBy }: AskedRecord): boolean {
  if (isToldBy(question)) return false;
  if (clue === undefined) return sharedWords(question, line).length > 0;
  return sharedWords(withoutClue(question, clue), withoutClue(line, clue)).length === 0;
}
