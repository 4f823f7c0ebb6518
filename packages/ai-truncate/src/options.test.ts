import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from './errors.ts';
import {
  notify,
  requireListener,
  requireOptionalBoolean,
  requireOptionalFunction,
  requireOptionalString,
  requireOptionalWholeNumber,
  requireOptions,
  requireWholeNumber,
  withoutUndefined,
} from './options.ts';

const known = ['maxLines', 'maxBytes', 'keep', 'directory'];

describe('an unknown option', () => {
  test.each([
    ['maxLine', 'Unknown option `maxLine`. Did you mean `maxLines`?'],
    ['maxlines', 'Unknown option `maxlines`. Did you mean `maxLines`?'],
    ['max_bytes', 'Unknown option `max_bytes`. Did you mean `maxBytes`?'],
    ['direction', 'Unknown option `direction`. Did you mean `keep`?'],
    ['dir', 'Unknown option `dir`. Did you mean `directory`?'],
    ['temperature', 'Unknown option `temperature`. Known: maxLines, maxBytes, keep, directory.'],
    ['toString', 'Unknown option `toString`. Known: maxLines, maxBytes, keep, directory.'],
  ])('%s is reported with the likely name', (name, message) => {
    const act = () => requireOptions({ [name]: 1 }, { known });
    expect(act).toThrow(message);
    expect(act).toThrow(InvalidOptionError);
  });

  test('is reported with its path', () => {
    const act = () => requireOptions({ maxLine: 1 }, { known, at: 'perTool.grep' });
    expect(act).toThrow('Unknown option `perTool.grep.maxLine`. Did you mean `maxLines`?');
  });

  test('may be undefined', () => {
    expect(() => requireOptions({ maxLine: undefined, keep: 'head' }, { known })).not.toThrow();
  });

  test('with a megabyte is reported quickly', () => {
    const name = 'max_'.repeat(250_000);
    expect(() => requireOptions({ [name]: 1 }, { known })).toThrow('Known: maxLines');
  });
});

test.each([[null], ['text'], [7]])('options that are not an object are refused: %j', (options) => {
  expect(() => requireOptions(options, { known, expected: 'an object with a `store`' })).toThrow(
    '`options` must be an object with a `store`; got',
  );
});

test('each kind of option is checked, and optional', () => {
  expect(() => requireWholeNumber('maxLines', { value: 0, min: 1 })).toThrow('a whole number of at least 1; got 0.');
  expect(() => requireOptionalWholeNumber('maxLines', { value: undefined, min: 1 })).not.toThrow();
  expect(() => requireOptionalFunction('onSweep', 'log')).toThrow("`onSweep` must be a function; got 'log'.");
  expect(() => requireOptionalBoolean('allowSkip', 'yes')).toThrow('`allowSkip` must be `true` or `false`');
  expect(() => requireOptionalString('directory', 7)).toThrow('`directory` must be a string; got 7.');
  expect(() => requireOptionalString('directory', undefined)).not.toThrow();
});

test('a listener is a function or an array of functions', () => {
  for (const right of [undefined, () => {}, [], [() => {}, () => {}]]) {
    expect(() => requireListener('onTruncate', right)).not.toThrow();
  }
  for (const wrong of [null, 'log', {}]) {
    expect(() => requireListener('onTruncate', wrong)).toThrow(
      '`onTruncate` must be a function or an array of functions; got',
    );
  }
  const missing = [() => {}, undefined];
  expect(() => requireListener('onTruncate', missing)).toThrow('`onTruncate[1]` must be a function; got undefined.');
});

test('each listener is called, even if another one throws', async () => {
  const heard: string[] = [];
  const fail = () => {
    throw new Error('no');
  };
  const reject = async () => fail();
  notify([fail, reject, (event: string) => heard.push(event), (event) => heard.push(event)], 'event');
  notify(undefined, 'none');
  await Promise.resolve();
  expect(heard).toEqual(['event', 'event']);
});

test('options that are undefined are dropped', () => {
  expect(withoutUndefined({ keep: 'head', maxLines: undefined, maxBytes: 0 })).toEqual({ keep: 'head', maxBytes: 0 });
});
