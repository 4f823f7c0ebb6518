import { describe, expect, it } from 'vitest';
import {
  appliedDataSchema,
  contentDataSchema,
  entriesDataSchema,
  matchesDataSchema,
  pathsDataSchema,
  rowsDataSchema,
} from './tool-data-schemas.ts';

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
