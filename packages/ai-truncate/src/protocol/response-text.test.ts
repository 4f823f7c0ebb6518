import { describe, expect, it } from 'vitest';
import { InvalidOptionError } from '../errors.ts';
import { type ResponseTextOptions, responseText } from './response-text.ts';
import { nextAfter, stateOf } from './response-words.ts';
import { toolErrorCodes } from './tool-response.ts';

describe('responseText', () => {
  it('says what happened, in what state, and what to do next', () => {
    const text = responseText({
      status: 'partial',
      happened: "Found 100 matches for 'TODO'",
      state: 'Truncated to the first 100',
      next: "Narrow 'path' or increase 'limit'",
    });
    expect(text).toBe("Found 100 matches for 'TODO'. Truncated to the first 100. Narrow 'path' or increase 'limit'.");
  });

  it('leaves the end of a sentence as it is written', () => {
    const text = responseText({ status: 'success', happened: ' Done! ', state: '(Cached.)', next: 'More?' });
    expect(text).toBe('Done! (Cached.) More?');
    expect(responseText({ status: 'success', happened: 'Found 3 (in 2 files)' })).toBe('Found 3 (in 2 files).');
  });

  it('needs no next step for a success', () => {
    expect(responseText({ status: 'success', happened: 'Listed 20 entries.', next: '' })).toBe('Listed 20 entries.');
  });

  it.each(['partial', 'error'] as const)('refuses an empty next step where the status is %s', (status) => {
    for (const next of ['', '  ', undefined]) {
      const options = { status, happened: 'Found 1.', next } as ResponseTextOptions;
      expect(() => responseText(options)).toThrow(
        `\`next\` must be the next step, which an answer with status '${status}'`,
      );
    }
  });

  it.each<[string, object]>([
    ['happened', { happened: '' }],
    ['happened', { happened: 5 }],
    ['state', { happened: 'x', state: 1 }],
    ['next', { happened: 'x', next: {} }],
  ])('names `%s` when it is no text', (option, options) => {
    const compose = () => responseText({ status: 'success', ...options } as ResponseTextOptions);
    expect(compose).toThrow(InvalidOptionError);
    expect(compose).toThrow(`\`${option}\` must be a text`);
  });
});

describe('the words that stand for a tool without words of its own', () => {
  it('tell the state from the marks', () => {
    expect(stateOf({ entries: [] })).toBe('');
    expect(stateOf({ truncated: true, fallback: 'python', failed_items: [1, 2], applied: false })).toBe(
      'The result is truncated. A fallback was used: python. 2 items failed. Dry run: nothing was written.',
    );
    expect(stateOf({ failed_items: ['a'] })).toBe('1 item failed.');
  });

  it('name a next step for each of the ten codes, and for one that nobody knows', () => {
    expect(toolErrorCodes).toHaveLength(10);
    expect(new Set(toolErrorCodes.map(nextAfter)).size).toBe(10);
    expect(nextAfter('QUOTA')).toBe(nextAfter('INTERNAL_ERROR'));
    expect(nextAfter('constructor')).toBe(nextAfter('INTERNAL_ERROR'));
  });
});
