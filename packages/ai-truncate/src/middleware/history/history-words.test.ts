import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../text/estimate-tokens.ts';
import { historyReference, isHistoryReference, type ReferenceFacts } from './history-words.ts';
import { REFERENCE_TOKENS } from './plan-history.ts';

const name = 'history_read-page_call-7_0123456789abcdef.txt';
const facts: ReferenceFacts = {
  toolName: 'readPage',
  path: `tool-output/${name}`,
  shortPath: `tool-output/${name}`,
  bytes: 12_345,
  beginning: '# Chapter 7\n\nIt was a dark night.',
  hint: false,
};

describe('a reference', () => {
  test('states the tool, the path, the size and the first line', () => {
    expect(historyReference(facts)).toBe(
      'The output of readPage was moved out of this conversation. Full output saved to: ' +
        'tool-output/history_read-page_call-7_0123456789abcdef.txt (12,345 bytes). It begins: # Chapter 7',
    );
  });

  test('names the tools of the hint on a second line', () => {
    expect(historyReference({ ...facts, hint: { read: 'readArtifact' } })).toBe(
      'The output of readPage was moved out of this conversation. Full output saved to: ' +
        'tool-output/history_read-page_call-7_0123456789abcdef.txt (12,345 bytes). It begins: # Chapter 7\n' +
        'Use readArtifact with offset/limit to view specific sections.',
    );
  });

  test('ends after the size when the output has no visible text', () => {
    expect(historyReference({ ...facts, beginning: ' \n\n' })).toBe(
      'The output of readPage was moved out of this conversation. Full output saved to: ' +
        'tool-output/history_read-page_call-7_0123456789abcdef.txt (12,345 bytes).',
    );
  });

  test('shows the first line as one visible line', () => {
    expect(
      historyReference({ ...facts, beginning: '\n\n\u001b[31mred\u001b[0m \u202ereversed\tline\nnext' }),
    ).toContain('It begins: red \\u{202e}reversed line');
  });

  test.each<[string, Partial<ReferenceFacts>]>([
    ['a first line of a megabyte', { beginning: 'word '.repeat(200_000) }],
    ['a first line of Chinese', { beginning: '漢字'.repeat(500) }],
    ['a first line of base64', { beginning: 'aB3x9Zq'.repeat(100) }],
    ['an endless tool name', { toolName: 'x1Y2'.repeat(1000) }],
    ['a tool name of symbols', { toolName: '\u{1f600}'.repeat(1000) }],
    ['a long path of the file system', { path: `${'some/long/Folder-9x/'.repeat(20)}${name}` }],
    ['a long hint', { hint: 'Ask the colleague at the other desk. '.repeat(50) }],
    [
      'the names of four tools',
      { hint: { task: 'delegate', grep: 'grepFiles', read: 'readFile', query: 'queryFile' } },
    ],
    [
      'all of them',
      {
        ...{ toolName: 'x1Y2'.repeat(1000), path: `${'some/long/Folder-9x/'.repeat(20)}${name}` },
        ...{ hint: 'Ask again. '.repeat(90), beginning: '漢'.repeat(900), bytes: 123_456_789_012 },
      },
    ],
  ])('has at most 88 estimated tokens with %s', (_, given) => {
    const reference = historyReference({ ...facts, ...given });
    expect(estimateTokens(reference)).toBeLessThanOrEqual(REFERENCE_TOKENS);
    expect(reference).toContain(name);
    expect(isHistoryReference(reference)).toBe(true);
  });

  test('is recognized only as a whole short text', () => {
    expect(isHistoryReference(historyReference(facts))).toBe(true);
    expect(isHistoryReference(`Look: ${historyReference(facts)}`)).toBe(false);
    expect(isHistoryReference(historyReference(facts) + 'x'.repeat(2000))).toBe(false);
    expect(isHistoryReference('The output of readPage was moved.')).toBe(false);
  });
});
