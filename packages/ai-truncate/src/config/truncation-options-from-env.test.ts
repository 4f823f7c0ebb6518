import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keptOf, truncatedOf } from '../../fixtures/run-tool.ts';
import { seedTruncate } from '../../fixtures/seed-004.ts';
import { unifiedLimits } from '../preview/limits.ts';
import { filesystemStore } from '../stores/filesystem/filesystem-store.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { secretPatterns } from '../text/secret-patterns.ts';
import { truncateOutput } from '../tools/truncate-output.ts';
import { truncationOptionsFromEnv } from './truncation-options-from-env.ts';

const asInTheDocument = {
  TOOL_OUTPUT_MAX_LINES: '2000',
  TOOL_OUTPUT_MAX_BYTES: '51200',
  TOOL_OUTPUT_TRUNCATE_DIRECTION: 'head',
  TOOL_OUTPUT_DIR: 'tool-output',
  TOOL_OUTPUT_RETENTION_DAYS: '7',
};

describe('options from the environment', () => {
  test('come from the five variables, without nesting', () => {
    expect(truncationOptionsFromEnv(asInTheDocument)).toEqual({
      maxLines: 2000,
      maxBytes: 51_200,
      keep: 'head',
      retentionDays: 7,
      directory: 'tool-output',
    });
  });

  test('are empty if no variable is set, or all are empty', () => {
    expect(truncationOptionsFromEnv({ PATH: '/bin', HOME: '' })).toEqual({});
    expect(
      truncationOptionsFromEnv({ TOOL_OUTPUT_MAX_LINES: '', TOOL_OUTPUT_DIR: ' ', TOOL_OUTPUT_KEEP: undefined }),
    ).toEqual({});
    expect(truncationOptionsFromEnv(process.env)).toEqual({});
  });

  test.each<[string, string, object]>([
    ['TOOL_OUTPUT_MAX_LINES', '500', { maxLines: 500 }],
    ['TOOL_OUTPUT_MAX_BYTES', '20480', { maxBytes: 20_480 }],
    ['TOOL_OUTPUT_MAX_CHARS', '8000', { maxChars: 8000 }],
    ['TOOL_OUTPUT_PREVIEW_BYTES', '4096', { previewBytes: 4096 }],
    ['TOOL_OUTPUT_TRUNCATE_DIRECTION', 'tail', { keep: 'tail' }],
    ['TOOL_OUTPUT_KEEP', 'ends', { keep: 'ends' }],
  ])('have only one member if only %s is set', (name, value, expected) => {
    expect(truncationOptionsFromEnv({ [name]: value })).toEqual(expected);
  });

  test.each<[string, Record<string, string>, object]>([
    ['a directory', { TOOL_OUTPUT_DIR: '/var/tool-output' }, { directory: '/var/tool-output' }],
    ['a retention', { TOOL_OUTPUT_RETENTION_DAYS: ' 30 ' }, { retentionDays: 30 }],
    ['an hourly sweep', { TOOL_OUTPUT_SWEEP: 'hourly' }, { sweep: 'hourly' }],
    ['no sweep', { TOOL_OUTPUT_SWEEP: 'off' }, { sweep: false }],
    ['secrets that are replaced', { TOOL_OUTPUT_REDACT: 'secrets' }, { redact: secretPatterns }],
    ['secrets that stay', { TOOL_OUTPUT_REDACT: 'off' }, {}],
    [
      'have all variables except an empty limit',
      { TOOL_OUTPUT_DIR: 'd', TOOL_OUTPUT_RETENTION_DAYS: '3', TOOL_OUTPUT_SWEEP: 'off', TOOL_OUTPUT_MAX_LINES: '' },
      { directory: 'd', retentionDays: 3, sweep: false },
    ],
  ])('leave the limits alone if they only say where outputs are saved and for how long: %s', (_, env, expected) => {
    expect(truncationOptionsFromEnv(env)).toEqual(expected);
  });

  test('show the preview of the document: the first 2,000 lines, and the whole output saved in its directory', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tool-output-'));
    try {
      const output = Array.from({ length: 5234 }, (_, index) => `${index + 1}: ok`).join('\n');
      const { directory: found, ...limits } = truncationOptionsFromEnv({
        ...asInTheDocument,
        TOOL_OUTPUT_DIR: join(directory, 'kept'),
      });
      const store = filesystemStore({ directory: found });
      const identity = { store, scope: 'chat-1', toolName: 'Read', toolCallId: 'call_1' };
      const truncated = truncatedOf(
        await truncateOutput(output as unknown, { ...identity, ...unifiedLimits, ...limits }),
      );
      const { content } = seedTruncate(output, { maxLines: 2000, maxBytes: 51_200, direction: 'head' });
      expect(truncated.data.preview).toBe(content);
      expect(truncated.data.truncation).toMatchObject({
        direction: 'head',
        kept_lines: 2000,
        max_lines: 2000,
        max_bytes: 51_200,
      });
      expect(await keptOf(truncated, { store })).toBe(output);
      expect(await readdir(join(directory, 'kept'))).toContain('chat-1');
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  test('hold for an output of many bytes too, apart from the notice and the hint', async () => {
    const output = Array.from({ length: 5000 }, (_, index) => `${index + 1}: ${'x'.repeat(60)}`).join('\n');
    const { directory: _, ...limits } = truncationOptionsFromEnv({ TOOL_OUTPUT_TRUNCATE_DIRECTION: 'tail' });
    const identity = { store: memoryStore(), scope: 'chat-1', toolName: 'Read', toolCallId: 'call_1' };
    const { data } = truncatedOf(await truncateOutput(output as unknown, { ...identity, ...unifiedLimits, ...limits }));
    expect(output.endsWith(data.preview)).toBe(true);
    expect(data.truncation.kept_bytes).toBeGreaterThan(50_500);
  });
});

describe('an invalid variable', () => {
  test.each<[Record<string, unknown>, string]>([
    [{ TOOL_OUTPUT_MAX_LINES: '0' }, '`TOOL_OUTPUT_MAX_LINES` must be a whole number of at least 1; got 0.'],
    [{ TOOL_OUTPUT_MAX_LINES: 'many' }, "`TOOL_OUTPUT_MAX_LINES` must be a whole number of at least 1; got 'many'."],
    [{ TOOL_OUTPUT_MAX_LINES: '1e3' }, "got '1e3'."],
    [{ TOOL_OUTPUT_MAX_LINES: '-5' }, "got '-5'."],
    [{ TOOL_OUTPUT_MAX_LINES: '2.5' }, "got '2.5'."],
    [{ TOOL_OUTPUT_MAX_LINES: 2000 }, '`TOOL_OUTPUT_MAX_LINES` must be a string; got 2000.'],
    [{ TOOL_OUTPUT_MAX_LINES: '9'.repeat(400) }, '`TOOL_OUTPUT_MAX_LINES` must be a whole number'],
    [{ TOOL_OUTPUT_MAX_BYTES: '50KB' }, "`TOOL_OUTPUT_MAX_BYTES` must be a whole number of at least 1024; got '50KB'."],
    [{ TOOL_OUTPUT_MAX_BYTES: '512' }, '`TOOL_OUTPUT_MAX_BYTES` must be a whole number of at least 1024; got 512.'],
    [{ TOOL_OUTPUT_MAX_CHARS: '5' }, '`TOOL_OUTPUT_MAX_CHARS` must be a whole number of at least 256; got 5.'],
    [{ TOOL_OUTPUT_PREVIEW_BYTES: '2000000' }, 'at least 1024 and at most 1048576; got 2000000.'],
    [
      { TOOL_OUTPUT_TRUNCATE_DIRECTION: 'HEAD' },
      "`TOOL_OUTPUT_TRUNCATE_DIRECTION` must be one of head, tail; got 'HEAD'.",
    ],
    [{ TOOL_OUTPUT_KEEP: 'all' }, '`TOOL_OUTPUT_KEEP` must be one of auto, head, tail, ends'],
    [{ TOOL_OUTPUT_KEEP: 'ends', TOOL_OUTPUT_MAX_LINES: '2' }, 'at least 3 with TOOL_OUTPUT_KEEP=ends; got 2.'],
    [{ TOOL_OUTPUT_KEEP: 'ends', TOOL_OUTPUT_TRUNCATE_DIRECTION: 'head' }, '`TOOL_OUTPUT_KEEP` must be left out if'],
    [{ TOOL_OUTPUT_SWEEP: 'daily' }, "`TOOL_OUTPUT_SWEEP` must be one of hourly, off; got 'daily'."],
    [{ TOOL_OUTPUT_REDACT: 'yes' }, "`TOOL_OUTPUT_REDACT` must be one of secrets, off; got 'yes'."],
    [{ TOOL_OUTPUT_RETENTION_DAYS: '0' }, '`TOOL_OUTPUT_RETENTION_DAYS` must be a whole number of at least 1; got 0.'],
    [{ TOOL_OUTPUT_RETENTION_DAYS: '40000' }, 'at most 36500; got 40000.'],
    [
      { TOOL_OUTPUT_MAXLINES: '5' },
      'Unknown environment variable `TOOL_OUTPUT_MAXLINES`. Did you mean `TOOL_OUTPUT_MAX_LINES`?',
    ],
  ])('throws with its name: %o', (env, message) => {
    expect(() => truncationOptionsFromEnv(env as never)).toThrow(message);
  });

  test('is not searched in a value that is not an environment', () => {
    expect(() => truncationOptionsFromEnv(undefined as never)).toThrow('`env` must be an object, as `process.env`');
  });
});
