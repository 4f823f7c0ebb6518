// Prints the facts that previews do not tell, with the reason as far as it is cheaply known:
//   pnpm misses [kind …] [--bytes 4096]
// A kind is a key of `outputNames`, or `unasked` for the facts without a question. It writes nothing. It leaves out the outputs and
// lines that are held out, because previews must not be tuned to them.
import { parseArgs } from 'node:util';
import { focusTerms } from '../../src/text/focus-terms.ts';
import { foldWord, Words } from '../../src/text/words.ts';
import { countsByValue } from './computed-facts.ts';
import { chooseRealFacts, type RealFact } from './real-facts.ts';
import { outputKinds } from './real-outputs.ts';
import { type ScoredFact, shownOf } from './real-score.ts';
import { collapsed } from './told.ts';
import { chooseUnaskedFacts } from './unasked-facts.ts';

const partCharacters = 40;
const commonLines = 20;
const mostLineCharacters = 200;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { bytes: { type: 'string', default: '16384' } },
});
const bytes = Number(values.bytes);
const isWanted = (kind: string) => positionals.length === 0 || positionals.includes(kind);

for (const kind of outputKinds.filter(isWanted)) {
  const asked = chooseRealFacts().filter(({ output }) => output.kind === kind && !output.isHeldOut);
  const missed = await missedOf(asked, ({ question }) => question);
  const reasons = missed.map(({ fact, shown }) => ({ fact, reason: reasonOf(fact, shown) }));
  const groups = reasons.map(({ reason }) => reason.group);
  console.log(`\n## ${kind}: ${missed.length} of ${asked.length} facts missed at ${bytes} bytes\n`);
  for (const group of new Set(groups)) console.log(`- ${groups.filter((each) => each === group).length} × ${group}`);
  for (const { fact, reason } of reasons) {
    console.log(`\n${fact.output.kind}/${fact.output.name}: ${fact.question}`);
    console.log(`  line:   ${fact.line.slice(0, mostLineCharacters)}`);
    console.log(`  reason: ${reason.group}; ${reason.detail}`);
  }
}
if (isWanted('unasked')) {
  const facts = [...chooseUnaskedFacts(), ...countsByValue()].filter(({ isHeldOut }) => !isHeldOut);
  const missed = await missedOf(facts, () => '');
  console.log(`\n## without a question: ${missed.length} of ${facts.length} facts missed at ${bytes} bytes\n`);
  for (const { fact } of missed) {
    const output = fact.output.text.slice(0, partCharacters).replaceAll('\n', ' ');
    console.log(`${fact.kind}: ${fact.line.slice(0, mostLineCharacters)}   (in: ${output} …)`);
  }
}

async function missedOf<FACT extends ScoredFact>(facts: readonly FACT[], questionOf: (fact: FACT) => string) {
  const missed: { fact: FACT; shown: string }[] = [];
  for (const fact of facts) {
    const shown = await shownOf(fact.output, { bytes, question: questionOf(fact) });
    if (!fact.isToldBy(shown)) missed.push({ fact, shown });
  }
  return missed;
}

function reasonOf({ question, line, output }: RealFact, shown: string): { group: string; detail: string } {
  const inLine = foldedWords(line);
  const shared = focusTerms([question]).filter(({ words }) => words.every((word) => inLine.has(word)));
  const lines = output.text.split('\n').map(foldedWords);
  const counted = shared
    .map(({ text, words }) => ({ text, on: lines.filter((each) => words.every((word) => each.has(word))).length }))
    .toSorted((one, other) => one.on - other.on);
  const detail = counted.map(({ text, on }) => `"${text}" on ${on} lines`).join(', ') || 'no term';
  const isPartShown = collapsed(shown).includes(collapsed(line).slice(0, partCharacters));
  const [rarest] = counted;
  if (isPartShown) return { group: 'the beginning of the line is shown', detail };
  if (!rarest) return { group: 'the line has no term of the question', detail };
  return rarest.on > commonLines
    ? { group: `each shared term is on more than ${commonLines} lines`, detail }
    : { group: `a shared term is on at most ${commonLines} lines`, detail };
}

function foldedWords(text: string): Set<string> {
  const found = new Set<string>();
  const words = new Words();
  words.read(text, { from: 0, to: text.length });
  while (words.next()) found.add(foldWord(text.slice(words.start, words.end)));
  return found;
}
