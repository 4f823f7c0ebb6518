import { describe, expect, test } from 'vitest';
import { AiTruncateError, InvalidOptionError } from './errors.ts';

const invalid = (value: unknown) => new InvalidOptionError({ option: 'maxLines', value, expected: 'a number' }).message;

describe('errors', () => {
  test('are distinguished by code, and recognize each other across copies of the package', () => {
    const error = new InvalidOptionError({ option: 'keep', value: 'x', expected: "'head'" });
    expect(error).toMatchObject({ name: 'InvalidOptionError', code: 'INVALID_OPTION', option: 'keep' });
    const fromOtherCopy = Object.defineProperty(new Error('x'), Symbol.for('ai-truncate.error'), { value: true });
    expect(AiTruncateError.isInstance(fromOtherCopy)).toBe(true);
    expect(InvalidOptionError.isInstance(fromOtherCopy)).toBe(false);
    expect(InvalidOptionError.isInstance(error)).toBe(true);
    expect(AiTruncateError.isInstance(new Error('x'))).toBe(false);
  });

  test('have their cause', () => {
    const cause = new Error('disk');
    expect(new AiTruncateError('no', { code: 'STORE_FULL', cause }).cause).toBe(cause);
    expect('cause' in new AiTruncateError('no', { code: 'STORE_FULL' })).toBe(false);
  });

  test('describe the received value, however odd or long it is', () => {
    expect(invalid('2000')).toContain("got '2000'.");
    expect(invalid('x'.repeat(1000)).length).toBeLessThan(120);
    expect(invalid(12n)).toContain('got 12n.');
    expect(invalid(undefined)).toContain('got undefined.');
    expect(invalid([1])).toContain('got an array.');
    expect(invalid(Symbol('x'))).toContain('got a symbol.');
    expect(invalid({ maxLines: 5 })).toContain('got an object.');
    expect(invalid(new Date())).toContain('got an instance of Date.');
    expect(invalid(Object.create(null))).toContain('got an object.');
  });
});
