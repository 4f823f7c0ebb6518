import { describe, expect, test } from 'vitest';
import { toClaim, unverified } from './evidence.ts';

const claimOf = (given: object) => toClaim({ path: 'a.txt', quote: 'some words', ...given });

describe('the lines of a claim', () => {
  test.each([
    ['as a developer names them', { startLine: 3, endLine: 7 }, [3, 7]],
    ['as a model names them', { start_line: 3, end_line: 7 }, [3, 7]],
    ['swapped', { startLine: 7, endLine: 3 }, [3, 7]],
    ['as texts', { startLine: '3', endLine: '7 ' }, [3, 7]],
    ['without the last one', { startLine: 3 }, [3, 3]],
    ['without the first one', { endLine: 7 }, [7, 7]],
    ['without any', {}, [1, 1]],
    ['counted from 0', { startLine: 0, endLine: 7 }, [7, 7]],
    ['that are no whole numbers', { startLine: 1.5, endLine: Number.NaN }, [1, 1]],
  ])('%s', (_, given, [start, end]) => {
    expect(claimOf(given)).toMatchObject({ startLine: start, endLine: end });
  });
});

test('a quote of exactly 500 characters is not cut', () => {
  expect(claimOf({ quote: 'x'.repeat(500) })).toMatchObject({ isCut: false });
  expect(claimOf({ quote: 'x'.repeat(501) })).toMatchObject({ isCut: true, quote: 'x'.repeat(500) });
});

test('a path of more than 1,024 characters is cut, because no artifact has one', () => {
  expect(claimOf({ path: 'x'.repeat(1_000_000) })?.path).toHaveLength(1024);
});

test('line feeds and tabs in the path of a claim that was not found become visible', () => {
  const claim = { path: 'a\nb\tc\u2028d', startLine: 1, endLine: 1, quote: 'x' };
  expect(unverified(claim).path).toBe('a␊b␉c\\u{2028}d');
});
