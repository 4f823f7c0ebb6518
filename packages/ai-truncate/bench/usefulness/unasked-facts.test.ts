import { expect, test } from 'vitest';
import { chooseSumFacts, countsByValue } from './computed-facts.ts';
import { chooseUnaskedFacts, heldOutLines } from './unasked-facts.ts';

const facts = chooseUnaskedFacts();
const linesOf = (chosen: readonly { line: string }[]) => chosen.map(({ line }) => line);

test('the facts without a question are the same each time, and some of each kind are held out', () => {
  expect(linesOf(chooseUnaskedFacts())).toEqual(linesOf(facts));
  for (const kind of new Set(facts.map((fact) => fact.kind))) {
    const isHeldOut = facts.filter((fact) => fact.kind === kind).map((fact) => fact.isHeldOut);
    expect(new Set(isHeldOut)).toEqual(new Set([true, false]));
  }
});

test('each output states its fact', () => {
  expect(linesOf(facts.filter(({ output, isToldBy }) => !isToldBy(output.text)))).toEqual([]);
});

test('the lines that are held out are among the planted ones', () => {
  expect(linesOf(facts)).toEqual(expect.arrayContaining([...heldOutLines]));
});

test('no output states a count or a sum that has to be computed', () => {
  const computed = [...countsByValue(), ...chooseSumFacts()];
  expect(computed.length).toBeGreaterThanOrEqual(30);
  expect(linesOf(computed.filter(({ output, isToldBy }) => isToldBy(output.text)))).toEqual([]);
});
