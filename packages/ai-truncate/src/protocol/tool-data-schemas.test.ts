import { describe, expect, it } from 'vitest';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateOutput } from '../tools/truncate-output.ts';
import {
  appliedDataSchema,
  contentDataSchema,
  entriesDataSchema,
  matchesDataSchema,
  pathsDataSchema,
  rowsDataSchema,
  truncatedDataSchema,
} from './tool-data-schemas.ts';
import { toolResponseSchemaOf } from './tool-response-schema.ts';
import type { TruncatedOutput } from './truncated-output.ts';

const schemas = {
  appliedDataSchema,
  contentDataSchema,
  entriesDataSchema,
  matchesDataSchema,
  pathsDataSchema,
  rowsDataSchema,
};

describe('the data of a kind of tool', () => {
  it.each<[keyof typeof schemas, object]>([
    ['entriesDataSchema', { entries: [{ path: 'src', type: 'dir', size: 4096 }], truncated: false }],
    ['pathsDataSchema', { paths: ['src/a.ts'] }],
    ['matchesDataSchema', { matches: [{ file: 'a.ts', line: 1, text: '' }], fallback: 'python' }],
    ['contentDataSchema', { content: '', start_line: 1 }],
    ['appliedDataSchema', { applied: false, diff: '+a' }],
    ['rowsDataSchema', { rows: [{ title: 'x' }, null], failed_items: [{ path: 'b' }] }],
  ])('%s takes what the protocol names, and keeps what a tool adds', (name, data) => {
    expect(schemas[name].parse(data)).toStrictEqual(data);
  });

  it.each<[keyof typeof schemas, object, string]>([
    ['entriesDataSchema', { entries: [{ path: 'a', type: 'socket' }] }, 'entries.0.type'],
    ['entriesDataSchema', { entries: [{ path: '', type: 'file' }] }, 'entries.0.path'],
    ['pathsDataSchema', { paths: [1] }, 'paths.0'],
    ['matchesDataSchema', { matches: [{ file: 'a', line: 1.5, text: '' }] }, 'matches.0.line'],
    ['matchesDataSchema', { matches: [{ file: 'a', line: 1 }] }, 'matches.0.text'],
    ['contentDataSchema', {}, 'content'],
    ['appliedDataSchema', { applied: 'yes' }, 'applied'],
    ['rowsDataSchema', { rows: {} }, 'rows'],
    ['rowsDataSchema', { rows: [], truncated: 1 }, 'truncated'],
  ])('%s refuses %j', (name, data, path) => {
    expect(schemas[name].safeParse(data).error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
  });
});

describe('truncatedDataSchema', () => {
  it('takes what the framework makes, stored or not, and asks for every count', async () => {
    const output = Array.from({ length: 5000 }, (_, line) => `line ${line}`).join('\n');
    const stored = (await truncateOutput(output, {
      store: memoryStore(),
      scope: 'a',
      toolName: 'read',
      toolCallId: 'c',
    })) as TruncatedOutput;
    expect(truncatedDataSchema.parse(stored.data)).toStrictEqual(stored.data);
    expect(toolResponseSchemaOf(truncatedDataSchema).safeParse(stored).success).toBe(true);
    const { kept_lines: _, ...truncation } = stored.data.truncation;
    expect(truncatedDataSchema.safeParse({ ...stored.data, truncation }).success).toBe(false);
    expect(truncatedDataSchema.safeParse({ ...stored.data, truncated: false }).success).toBe(false);
    const lost = { ...stored.data, truncation: { ...stored.data.truncation, full_output_path: null } };
    expect(truncatedDataSchema.safeParse(lost).success).toBe(true);
  });
});
