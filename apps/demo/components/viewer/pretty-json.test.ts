import { expect, test } from 'vitest';
import { prettyJson } from './pretty-json';

test.each(['{"a":[1,{"b":"x, {y}: \\"z\\""},[],{}],"c":null}', '[]', '"text"', '[[1],[2,[3]]]'])(
  '%s is laid out as JSON.stringify does it',
  (text) => {
    expect(prettyJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
  },
);

test('numbers keep their digits, and duplicate keys stay', () => {
  expect(prettyJson('{"id":12345678901234567890,"id":1.0}')).toBe('{\n  "id": 12345678901234567890,\n  "id": 1.0\n}');
});

test('a text that is not JSON stays unchanged', () => {
  expect(prettyJson('{"a":1')).toBeUndefined();
  expect(prettyJson('2026-01-13 INFO')).toBeUndefined();
});

test('deep nesting does not become a trillion spaces', () => {
  const text = `${'['.repeat(5000)}${']'.repeat(5000)}`;
  expect(prettyJson(text)?.length).toBeLessThan(1_000_000);
});
