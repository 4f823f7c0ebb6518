import { describe, expect, test } from 'vitest';
import { type Evidence, markLookedUp } from '../evidence/evidence.ts';
import { isResult, noAnswer, toSubAgentValue } from './sub-agent.ts';

const claim = { path: 'a.txt', startLine: 3, endLine: 4, quote: 'disk full' };

describe('a result', () => {
  test('has the members that are known, and no others', () => {
    const value = { conclusion: 'Done.', steps: 3, bytesRead: 7, incomplete: 'Too long.', more: 'x'.repeat(9999) };
    expect(toSubAgentValue(value)).toEqual({
      conclusion: 'Done.',
      steps: 3,
      bytesRead: 7,
      incomplete: 'Too long.',
      evidence: [],
    });
  });

  test('has its whole conclusion', () => {
    const conclusion = 'x'.repeat(1_000_000);
    expect(toSubAgentValue({ conclusion })).toMatchObject({ conclusion });
  });

  test.each([[''], [' \n'], [7], [undefined], [['Done.']]])('has an error if the conclusion is %j', (conclusion) => {
    expect(toSubAgentValue({ conclusion })).toMatchObject({ conclusion: '', error: { code: 'AGENT_NO_ANSWER' } });
  });

  test('may have its own error, with a conclusion and without', () => {
    const error = new Error('broken');
    expect(toSubAgentValue({ error })).toMatchObject({ conclusion: '', error });
    expect(toSubAgentValue({ conclusion: 'Part.', error })).toMatchObject({ conclusion: 'Part.', error });
    expect(toSubAgentValue({ conclusion: 'Done.', error: null })).not.toHaveProperty('error');
  });

  test.each([[-1], [Number.NaN], [Number.POSITIVE_INFINITY], ['3'], [{}]])('has no number that is %j', (number) => {
    const value = toSubAgentValue({ conclusion: 'Done.', steps: number, bytesRead: number });
    expect(value).toEqual({ conclusion: 'Done.', evidence: [] });
  });

  test('has the first 20 quotes, and says so after its own reason', () => {
    const evidence = Array.from({ length: 21 }, (_, line) => ({ ...claim, startLine: line + 1, endLine: line + 1 }));
    const all = toSubAgentValue({ conclusion: 'Done.', evidence: evidence.slice(0, 20) });
    expect(all.evidence).toHaveLength(20);
    expect(all).not.toHaveProperty('incomplete');
    const cut = toSubAgentValue({ conclusion: 'Done.', evidence, incomplete: 'x'.repeat(9999) });
    expect(cut.evidence?.at(-1)).toMatchObject({ startLine: 20 });
    expect(cut).toMatchObject({ incomplete: `${'x'.repeat(299)}… Only the first 20 of its 21 quotes were checked.` });
  });
});

describe('the evidence of a result', () => {
  const evidenceOf = (...evidence: unknown[]) => toSubAgentValue({ conclusion: 'Done.', evidence }).evidence;

  test('is not believed when it claims to be verified', () => {
    expect(evidenceOf({ ...claim, verified: true, more: 1 })).toEqual([{ ...claim, verified: false }]);
  });

  test('is passed on as it is if this library has checked it', () => {
    const checked: Evidence = markLookedUp({ ...claim, verified: true });
    expect(evidenceOf(checked)?.[0]).toBe(checked);
    expect(evidenceOf({ ...checked })).toEqual([{ ...claim, verified: false }]);
  });

  test('has usable claims only, with short paths', () => {
    expect(evidenceOf(null, 'text', {}, { path: 'a', quote: 7 }, { ...claim, quote: ' ' })).toEqual([]);
    const [long] = evidenceOf({ ...claim, path: 'p'.repeat(500) }) ?? [];
    expect(long?.path).toBe(`${'p'.repeat(199)}…`);
  });

  test.each([[undefined], ['text'], [{ 0: claim, length: 1 }]])('is empty if it is %j', (evidence) => {
    expect(toSubAgentValue({ conclusion: 'Done.', evidence }).evidence).toEqual([]);
  });
});

describe('progress', () => {
  test('has short words, and no members of other types', () => {
    const long = 'x'.repeat(1_000_000);
    const shown = `${'x'.repeat(79)}…`;
    expect(toSubAgentValue({ phase: long, tool: long, label: long, step: 1, maxSteps: 2, secret: 'x' })).toEqual({
      phase: shown,
      tool: shown,
      label: shown,
      step: 1,
      maxSteps: 2,
    });
    expect(toSubAgentValue({ phase: 'reading', tool: 7, label: '', step: '1', evidence: 'x' })).toEqual({
      phase: 'reading',
    });
  });

  test('has the last 20 quotes', () => {
    const evidence = Array.from({ length: 30 }, (_, line) => ({ ...claim, startLine: line + 1, endLine: line + 1 }));
    const shown = toSubAgentValue({ phase: 'checking', evidence }).evidence;
    expect(shown?.map(({ startLine }) => startLine)).toEqual(Array.from({ length: 20 }, (_, index) => index + 11));
  });

  test('is distinguished from a result by the conclusion', () => {
    const values = [{ phase: 'reading' }, { phase: 'reading', conclusion: 'Done.' }, { error: 'x' }];
    expect(values.map((value) => isResult(toSubAgentValue(value)))).toEqual([false, true, true]);
  });
});

test.each([[undefined], [null], ['Done.'], [['Done.']], [{}], [{ text: 'Done.' }], [{ phase: 7 }]])(
  'a value that is neither progress nor a result is refused: %j',
  (value) => {
    expect(() => toSubAgentValue(value)).toThrow(expect.objectContaining({ code: 'AGENT_NO_ANSWER' }));
  },
);

test('the error of an agent without an answer has its own code', () => {
  expect(noAnswer('It ended.')).toMatchObject({ code: 'AGENT_NO_ANSWER', message: 'It ended.' });
});
