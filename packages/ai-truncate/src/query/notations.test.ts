import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileSearchPattern } from '../text/pattern.ts';
import { aggregationIn, plainAggregate, plainCondition } from './notations.ts';
import { operatorNames } from './operators.ts';

describe('an operator of another language', () => {
  test.each([
    ['=', 'eq'],
    ['===', 'eq'],
    ['<>', 'ne'],
    ['!==', 'ne'],
    ['<=', 'lte'],
    ['includes', 'contains'],
    ['starts_with', 'startsWith'],
    ['STARTSWITH', 'startsWith'],
    ['~', 'matches'],
    [' Regex ', 'matches'],
    ['IS', 'eq'],
  ])('is translated: %s', (op, expected) => {
    expect(plainCondition({ op, value: 1 })).toEqual({ op: expected, value: 1 });
  });

  test.each([
    ['is null', 'eq'],
    ['IS  NOT\tNULL', 'ne'],
    ['isnull', 'eq'],
    ['notnull', 'ne'],
  ])('compares with null: %s', (op, expected) => {
    expect(plainCondition({ op, value: 'anything' })).toEqual({ op: expected, value: null });
  });

  test.each(operatorNames)('may be written in any case: %s', (name) => {
    expect(plainCondition({ op: name.toUpperCase(), value: 1 }).op).toBe(name);
  });

  test.each([
    ...['', ' ', 'soundsLike', 'constructor', '__proto__', 'tostring', 'is not', `eq${' '.repeat(40)}`],
    ...[7, null, undefined, [['eq']], {}],
  ])('is left as it is if it is unclear: %j', (op) => {
    const given = { op, value: 1 };
    expect(plainCondition(given)).toEqual(given);
  });
});

describe('LIKE', () => {
  /** A second implementation, which goes through both texts from their start. */
  function isLike(text: string, pattern: string): boolean {
    if (pattern === '') return text === '';
    if (pattern[0] !== '%') return text[0] === pattern[0] && isLike(text.slice(1), pattern.slice(1));
    return isLike(text, pattern.slice(1)) || (text !== '' && isLike(text.slice(1), pattern));
  }

  function holds({ op, value }: { op: unknown; value: unknown }, text: string): boolean {
    const wanted = String(value);
    if (op === 'eq') return text === wanted;
    if (op === 'startsWith') return text.startsWith(wanted);
    if (op === 'contains') return text.includes(wanted);
    const compiled = compileSearchPattern(wanted);
    if (op !== 'matches' || !compiled.ok) throw new Error(`cannot be tested: ${String(op)} ${wanted}`);
    return compiled.pattern.test(text);
  }

  const letters = (maxLength: number) =>
    fc.string({ unit: fc.constantFrom(...'ab.*/\\[(+-'.split('')), minLength: 1, maxLength });

  test('means the same after its translation', () => {
    const end = fc.constantFrom('', '%');
    fc.assert(
      fc.property(end, letters(3), end, letters(6), fc.boolean(), (open, part, close, random, isContained) => {
        const value = open + part + close;
        const text = isContained ? random.slice(0, 2) + part + random.slice(3) : random;
        expect(holds(plainCondition({ op: 'LIKE', value }), text)).toBe(isLike(text, value));
        const inAnyCase = plainCondition({ op: 'ilike', value: value.toUpperCase() });
        expect(holds(inAnyCase, text)).toBe(isLike(text, value));
      }),
      { numRuns: 300 },
    );
  });

  test.each(['', '%', '%%', 'a%b', 'a_c', 7, null, [['a%']]])('is left as it is if it is unclear: %j', (value) => {
    expect(plainCondition({ op: 'like', value })).toEqual({ op: 'like', value });
  });
});

describe('an aggregation of another language', () => {
  test.each<[string, string | undefined, object]>([
    ['AVG(price)', undefined, { op: 'avg', field: 'price' }],
    ['mean', 'price', { op: 'avg', field: 'price' }],
    ['COUNT(*)', undefined, { op: 'count', field: undefined }],
    ['count()', undefined, { op: 'count', field: undefined }],
    ['Count(DISTINCT user.id)', undefined, { op: 'distinct', field: 'user.id' }],
    ['nunique', 'id', { op: 'distinct', field: 'id' }],
    [' sum ( a.b ) ', undefined, { op: 'sum', field: 'a.b' }],
    ['max(a)', 'b', { op: 'max', field: 'b' }],
    ['total', 'a', { op: 'sum', field: 'a' }],
  ])('is translated: %s', (op, field, expected) => {
    expect(plainAggregate(op, field)).toEqual(expected);
  });

  test.each(['', 'mode', 'mode(x)', 'constructor', '__proto__(x)', `sum(${'x'.repeat(600)})`, 7, null])(
    'is left as it is if it is unclear: %j',
    (op) => {
      expect(plainAggregate(op, 'f')).toEqual({ op, field: 'f' });
    },
  );

  test('is recognized in place of a field', () => {
    expect(aggregationIn('avg(price)')).toEqual({ op: 'avg', field: 'price' });
    expect(aggregationIn('COUNT(*)')).toEqual({ op: 'count', field: undefined });
    expect(['price', 'avg', 'year(placed)', 'avg(price) desc', ''].map((name) => aggregationIn(name))).toEqual(
      Array(5).fill(undefined),
    );
  });
});
