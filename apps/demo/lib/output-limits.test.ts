import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readOutputLimits } from './output-limits';

const folder = mkdtempSync(join(tmpdir(), 'output-limits-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(content: unknown): string {
  const path = join(folder, `${Math.random()}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}
const limitsOf = (tool: object) => ({
  tool_output_limits: { default: { max_lines: 500, truncation_strategy: 'head_tail' }, tools: { readDoc: tool } },
});

test('a file sets limits for all tools and for one tool', () => {
  const path = fileOf(limitsOf({ max_lines: 100 }));
  expect(readOutputLimits({ DEMO_LIMITS_FILE: path })).toMatchObject({
    maxLines: 500,
    keep: 'ends',
    perTool: { readDoc: { maxLines: 100 } },
  });
});

test('a variable overrides the file', () => {
  const path = fileOf(limitsOf({ max_lines: 100 }));
  expect(readOutputLimits({ DEMO_LIMITS_FILE: path, TOOL_OUTPUT_KEEP: 'tail' })).toMatchObject({
    maxLines: 500,
    keep: 'tail',
  });
});

test('a value without a variable comes from the file', () => {
  const default_ = { max_chars: 8000, truncation_strategy: 'head_tail' };
  const path = fileOf({ tool_output_limits: { default: default_ } });
  const ofFile = readOutputLimits({ DEMO_LIMITS_FILE: path });
  expect(readOutputLimits({ DEMO_LIMITS_FILE: path, TOOL_OUTPUT_DIR: 'outputs' })).toEqual({
    ...ofFile,
    directory: 'outputs',
  });
  expect(readOutputLimits({ DEMO_LIMITS_FILE: path, TOOL_OUTPUT_MAX_BYTES: '9000' })).toEqual({
    ...ofFile,
    maxBytes: 9000,
  });
});

test.each([
  ['a file that is not there', join(folder, 'nowhere.json'), /DEMO_LIMITS_FILE is .* can be read \(ENOENT/],
  ['a file that is no JSON', fileOf('max_lines: 5'), /DEMO_LIMITS_FILE is .* a JSON file that can be read/],
  ['a misspelt limit', fileOf({ tool_output_limits: { default: { maxlines: 5 } } }), /maxlines/],
  ['a tool that is not there', fileOf({ tool_output_limits: { tools: { grep: { max_lines: 5 } } } }), /grep/],
  ['an option that no tool follows', fileOf(limitsOf({ show_context: 2 })), /sets show_context of readDoc/],
])('%s stops the start', (_, path, message) => {
  expect(() => readOutputLimits({ DEMO_LIMITS_FILE: path })).toThrow(message);
});
