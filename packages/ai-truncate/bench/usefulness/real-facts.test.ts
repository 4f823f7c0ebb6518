import { expect, test } from 'vitest';
import { chooseRealFacts } from './real-facts.ts';
import { heldOut, outputKinds, outputNames } from './real-outputs.ts';
import { sharedWords, withoutClue } from './shared-words.ts';

const facts = chooseRealFacts();
const labels = (chosen: typeof facts) =>
  chosen.map(({ output, question }) => `${output.kind}/${output.name}: ${question}`);

test('there are at least 400 facts, of every output, and the same facts each time', () => {
  expect(facts.length).toBeGreaterThanOrEqual(400);
  const outputs = new Set(facts.map(({ output }) => `${output.kind}/${output.name}`));
  expect(outputs).toEqual(new Set(outputKinds.flatMap((kind) => outputNames[kind].map((name) => `${kind}/${name}`))));
  expect(labels(chooseRealFacts())).toEqual(labels(facts));
});

test('each output states its facts', () => {
  const untold = facts.filter(({ output, isToldBy }) => !isToldBy(output.text));
  expect(labels(untold)).toEqual([]);
});

test('a question does not answer itself or any other question', () => {
  const questions = facts.map(({ question }) => question).join('\n');
  const echoed = facts.filter(({ isToldBy }) => isToldBy(questions));
  expect(labels(echoed)).toEqual([]);
});

test('a question with a clue shares no other whole word with the line that answers it', () => {
  const clued = facts.filter(({ clue }) => clue !== undefined);
  const wrong = clued.flatMap((fact) => {
    const { question, clue = '', line } = fact;
    const shared = sharedWords(withoutClue(question, clue), withoutClue(line, clue));
    const isClue = question.toLowerCase().includes(clue.toLowerCase());
    return isClue && shared.length === 0 ? [] : [`${labels([fact])}: ${shared.join(', ')} | ${line.slice(0, 150)}`];
  });
  expect(wrong).toEqual([]);
  expect(clued.length).toBeGreaterThanOrEqual(facts.length / 3);
});

test('a question without a clue shares a whole word with the line that answers it', () => {
  const wrong = facts.filter(
    ({ question, clue, line }) => clue === undefined && sharedWords(question, line).length === 0,
  );
  expect(wrong.map((fact) => `${labels([fact])} | ${fact.line.slice(0, 150)}`)).toEqual([]);
});

test('the outputs that are held out exist', () => {
  for (const kind of outputKinds) expect(outputNames[kind]).toEqual(expect.arrayContaining([...heldOut[kind]]));
});
