import { describe, expect, test } from 'vitest';
import { isTruncatedOutput, type TruncatedOutput } from './truncated-output.ts';

const output: TruncatedOutput = {
  status: 'partial',
  data: {
    truncated: true,
    truncation: {
      direction: 'auto',
      reason: 'lines',
      max_lines: 2000,
      max_bytes: 51200,
      original_lines: 5234,
      original_bytes: 182345,
      original_chars: 182001,
      kept_lines: 200,
      kept_bytes: 16000,
      full_output_path: null,
      media_type: 'text/plain',
    },
    preview: '…',
  },
  text: 'read succeeded, but its output is incomplete',
  stats: { time_ms: 12 },
  context: { cwd: '.', params_input: {} },
};

function withTruncation(change: Record<string, unknown>): unknown {
  return { ...output, data: { ...output.data, truncation: { ...output.data.truncation, ...change } } };
}

describe('isTruncatedOutput', () => {
  test('recognizes a truncated output, even after a round trip through JSON', () => {
    expect(isTruncatedOutput(output)).toBe(true);
    expect(isTruncatedOutput(JSON.parse(JSON.stringify(output)))).toBe(true);
  });

  test.each([
    ['nothing', null],
    ['text', 'truncated'],
    ['an output of a tool that has such a key', { data: { truncated: true } }],
    [
      'a listing that its own tool truncated',
      { status: 'partial', data: { entries: [], truncated: true }, text: 'Listed 2' },
    ],
    ['a success', { ...output, status: 'success' }],
    ['a list', [output]],
    ['an answer without stats', { ...output, stats: undefined }],
    ['an answer whose path is a number', withTruncation({ full_output_path: 7 })],
    ['an answer without counts', withTruncation({ original_lines: undefined })],
    ['an answer without text', { ...output, text: undefined }],
    ['an answer without a preview', { ...output, data: { ...output.data, preview: 1 } }],
  ])('rejects %s', (_name, value) => {
    expect(isTruncatedOutput(value)).toBe(false);
  });
});
