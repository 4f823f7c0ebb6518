// Requirement document 002, the standard envelope of tool responses, in its order. `docs/requirements.md` maps it to these tests.
import { describe, expect, test } from 'vitest';
import { callReader } from '../../fixtures/call-reader.ts';
import { deliveredOutput } from '../../fixtures/delivered-output.ts';
import { enterProject } from '../../fixtures/project-directory.ts';
import { numberedLines, returning } from '../../fixtures/returning-tool.ts';
import { runTool, truncatedOf } from '../../fixtures/run-tool.ts';
import { memoryStore, scopedArtifacts, truncateToolOutputs, unifiedLimits } from '../index.ts';
import {
  appliedDataSchema,
  brokenRules,
  contentDataSchema,
  entriesDataSchema,
  failure,
  isToolResponse,
  matchesDataSchema,
  partial,
  pathsDataSchema,
  success,
  toolErrorCodes,
  toolErrorOf,
  toolResponseSchema,
  toToolResponse,
} from '../protocol.ts';
import { filesystemStore } from '../stores/filesystem/filesystem-store.ts';

const facts = { input: { path: 'src', limit: 2 }, startedAt: 0 };
const done = success({ ...facts, data: { paths: ['src/a.ts'] }, happened: 'Found 1 file.' });
const cut = partial({
  ...facts,
  data: { paths: ['src/a.ts'], truncated: true },
  happened: 'Found 100 files.',
  state: '(Results truncated to first 100 matches.)',
  next: "Try increasing 'limit' or narrowing the 'path'.",
});
const failed = failure({
  ...facts,
  code: 'NOT_FOUND',
  message: "File 'src/main.py' does not exist.",
  next: 'Run LS[src].',
});
/** The behavior of the framework in the document: one end, which fills the limit. */
const asDescribed = unifiedLimits;

const rulesBrokenBy = (change: object) => brokenRules({ ...done, ...change }).length;

describe('002 §1 the envelope', () => {
  test('002 §1 status is success, partial or error', () => {
    for (const answer of [done, cut, failed]) expect(toolResponseSchema.parse(answer)).toEqual(answer);
    expect([done.status, cut.status, failed.status]).toEqual(['success', 'partial', 'error']);
    expect(rulesBrokenBy({ status: 'ok' })).toBeGreaterThan(0);
  });

  test('002 §1 a tool has no extra field at the top level', () => {
    expect(rulesBrokenBy({ took: 5 })).toBeGreaterThan(0);
    expect(toolResponseSchema.safeParse({ ...done, took: 5 }).success).toBe(false);
  });

  test('002 §1 data is always an object, never null', () => {
    expect(failed.data).toEqual({});
    for (const data of [null, [], 'text', undefined]) expect(rulesBrokenBy({ data })).toBeGreaterThan(0);
  });

  test('002 §1 text exists and is not empty', () => {
    for (const text of ['', undefined, 5]) expect(rulesBrokenBy({ text })).toBeGreaterThan(0);
  });

  test('002 §1 error exists if and only if the status is error', () => {
    expect(failed.error).toEqual({ code: 'NOT_FOUND', message: "File 'src/main.py' does not exist." });
    expect('error' in done).toBe(false);
    expect(rulesBrokenBy({ error: { code: 'TIMEOUT', message: 'late' } })).toBeGreaterThan(0);
    expect(brokenRules({ ...failed, error: undefined }).length).toBeGreaterThan(0);
  });

  test('002 §1 stats has time_ms, and numbers and texts from the tool', () => {
    const answer = success({
      ...facts,
      data: {},
      happened: 'Done.',
      startedAt: performance.now() - 20,
      stats: { total_entries: 500, engine: 'rg' },
    });
    expect(answer.stats).toMatchObject({ total_entries: 500, engine: 'rg' });
    expect(answer.stats.time_ms).toBeGreaterThanOrEqual(19);
    expect(rulesBrokenBy({ stats: {} })).toBeGreaterThan(0);
    expect(rulesBrokenBy({ stats: { time_ms: 1, nested: {} } })).toBeGreaterThan(0);
  });

  test('002 §1 context has cwd and params_input unchanged, and path_resolved', () => {
    const input = { path: './src/../src', odd: ['  ', { b: 1, a: 2 }] };
    const { context } = success({
      ...facts,
      input,
      data: {},
      happened: 'Done.',
      pathResolved: 'src',
      context: { host: 'a' },
    });
    expect(context).toEqual({ cwd: '.', params_input: input, path_resolved: 'src', host: 'a' });
  });

  test('002 §1 context.truncation_skip lets a tool that has its own pages pass', async () => {
    const answer = success({
      ...facts,
      data: { content: numberedLines(5000) },
      happened: 'Read.',
      truncationSkip: true,
    });
    expect(answer.context.truncation_skip).toBe(true);
    expect((await deliveredOutput(answer)).output).toBe(answer);
  });

  test('002 §1.1 cwd always exists, relative to the project root', () => {
    expect(done.context.cwd).toBe('.');
    const below = success({
      ...facts,
      data: {},
      happened: 'Done.',
      cwd: '/home/me/project/packages/app',
      root: '/home/me/project',
    });
    expect(below.context.cwd).toBe('packages/app');
    expect(rulesBrokenBy({ context: { params_input: {} } })).toBeGreaterThan(0);
    expect(rulesBrokenBy({ context: { cwd: '/home/me/project', params_input: {} } })).toBeGreaterThan(0);
  });
});

describe('002 §2 data by kind of tool', () => {
  test('002 §2 ls gives entries with path and type', () => {
    const entries = ['file', 'dir', 'link'].map((type) => ({ path: 'src', type, size: 5 }));
    expect(entriesDataSchema.parse({ entries })).toEqual({ entries });
    expect(entriesDataSchema.safeParse({ entries: [{ path: 'src', type: 'socket' }] }).success).toBe(false);
  });

  test('002 §2 glob gives paths', () => {
    expect(pathsDataSchema.safeParse({ paths: ['src/a.ts'] }).success).toBe(true);
    expect(pathsDataSchema.safeParse({ paths: [{ path: 'src/a.ts' }] }).success).toBe(false);
    // Listed in `docs/requirements.md` as not held.
    expect(pathsDataSchema.safeParse({ paths: ['/srv/a.ts', 'src\\a.ts'] }).success).toBe(true);
  });

  test('002 §2 the paths of glob are relative POSIX paths when the store has such paths', async () => {
    enterProject();
    const store = filesystemStore();
    await deliveredOutput(numberedLines(5234), { store });
    const { data } = await callReader(scopedArtifacts(store, { scope: 'chat-1' }), 'globArtifacts', { pattern: '*' });
    expect(data.paths).toEqual([expect.stringMatching(/^tool-output\/chat-1\/tool_[^\\/]+$/)]);
  });

  test('002 §2 grep gives matches with file, line and text', () => {
    expect(matchesDataSchema.safeParse({ matches: [{ file: 'a.ts', line: 3, text: '// TODO' }] }).success).toBe(true);
    expect(matchesDataSchema.safeParse({ matches: [{ file: 'a.ts', text: '// TODO' }] }).success).toBe(false);
  });

  test('002 §2 read gives content', () => {
    expect(contentDataSchema.safeParse({ content: 'text' }).success).toBe(true);
    expect(contentDataSchema.safeParse({ content: ['text'] }).success).toBe(false);
  });

  test('002 §2 edit and write give applied', () => {
    expect(appliedDataSchema.safeParse({ applied: true }).success).toBe(true);
    expect(appliedDataSchema.safeParse({ applied: 'yes' }).success).toBe(false);
  });

  test('002 §2 data.truncated makes an answer partial, and its text names the reason and the next step', () => {
    expect(cut.status).toBe('partial');
    expect(cut.text).toBe(
      "Found 100 files. (Results truncated to first 100 matches.) Try increasing 'limit' or narrowing the 'path'.",
    );
    expect(() => success({ ...facts, data: { truncated: true } as object, happened: 'Done.' })).toThrow('truncated');
    expect(() => partial({ ...facts, data: { truncated: true }, happened: 'Cut.', next: '' })).toThrow('next');
  });

  test('002 §2 the framework wraps an output that is too large in a second envelope', async () => {
    enterProject();
    const { output } = await deliveredOutput(numberedLines(5234), { ...asDescribed, store: filesystemStore() });
    expect(toolResponseSchema.safeParse(output).success).toBe(true);
    const { status, data } = truncatedOf(output);
    expect([status, Object.keys(data)]).toEqual(['partial', ['truncated', 'truncation', 'preview']]);
    expect(data).toMatchObject({ truncated: true, preview: numberedLines(2000) });
    const { reason, original_chars, media_type, expires_at, ...asInTheDocument } = data.truncation;
    expect([reason, original_chars, media_type]).toEqual(['bytes', numberedLines(5234).length, 'text/plain']);
    expect(expires_at).toBeTypeOf('string');
    expect(asInTheDocument).toEqual({
      direction: 'head',
      max_lines: 2000,
      max_bytes: 51_200,
      original_lines: 5234,
      original_bytes: Buffer.byteLength(numberedLines(5234)),
      kept_lines: 2000,
      kept_bytes: Buffer.byteLength(numberedLines(2000)),
      full_output_path: expect.stringMatching(/^tool-output\/.*tool_\d{8}_\d{6}_read_/),
    });
  });

  test('002 §2 the second envelope has a preview of the output, and the stats and context of the tool', async () => {
    const answer = success({
      ...facts,
      data: { content: 'x'.repeat(60_000) },
      happened: 'Read it.',
      stats: { total_lines: 1 },
    });
    const output = truncatedOf((await deliveredOutput(answer, asDescribed)).output);
    expect(JSON.stringify(answer, null, 2).startsWith(output.data.preview)).toBe(true);
    expect(Buffer.byteLength(output.data.preview)).toBeGreaterThan(51_200 * 0.9);
    expect(output.stats).toMatchObject({ time_ms: answer.stats.time_ms, total_lines: 1 });
    expect(output.context).toMatchObject({ cwd: '.', params_input: facts.input });
  });

  test('002 §2 an error stays an error in the second envelope', async () => {
    const answer = { ...failed, data: { log: 'x'.repeat(60_000) } };
    const output = truncatedOf((await deliveredOutput(answer, asDescribed)).output);
    expect(output).toMatchObject({ status: 'error', error: failed.error });
  });
});

describe('002 §3 states', () => {
  test('002 §3.1 success means no truncation, no fallback, no failure, and a completed write', () => {
    for (const data of [{ truncated: true }, { fallback: 'python' }, { failed_items: ['a'] }, { applied: false }]) {
      expect(rulesBrokenBy({ data })).toBeGreaterThan(0);
    }
    expect(rulesBrokenBy({ data: { applied: true } })).toBe(0);
  });

  test('002 §3.2 truncated output is partial, with the totals in stats', () => {
    const answer = partial({
      ...facts,
      data: { matches: [], truncated: true },
      happened: 'Found matches.',
      state: 'Results truncated to first 100 items.',
      next: 'Use offset to see more.',
      stats: { total_matches: 500 },
    });
    expect(answer).toMatchObject({ status: 'partial', stats: { total_matches: 500 } });
    expect(answer.text).toContain('Results truncated to first 100 items. Use offset to see more.');
  });

  test('002 §3.2 a fallback is partial, and the text names it', () => {
    const answer = partial({
      ...facts,
      data: { fallback: 'python' },
      happened: 'Found 2 matches.',
      next: 'Install ripgrep.',
    });
    expect(answer.status).toBe('partial');
    expect(answer.text).toContain('python');
  });

  test('002 §3.2 a dry run is partial, and the text says that no file was written', () => {
    const answer = partial({
      ...facts,
      data: { applied: false },
      happened: 'Made a diff.',
      next: 'Call again to write.',
    });
    expect(answer).toMatchObject({ status: 'partial', data: { applied: false } });
    expect(answer.text).toContain('Dry run: nothing was written.');
  });

  test('002 §3.2 a partial failure is partial, and the text counts what failed', () => {
    const answer = partial({
      ...facts,
      data: { failed_items: ['a.ts'] },
      happened: '3 files processed.',
      next: 'Check the rights.',
    });
    expect(answer.status).toBe('partial');
    expect(answer.text).toBe('3 files processed. 1 item failed. Check the rights.');
  });

  test('002 §3.3 an error has a code and a message', () => {
    expect(failed).toMatchObject({ status: 'error', error: { code: 'NOT_FOUND' } });
    expect(() => failure({ ...facts, code: '', message: 'x', next: 'y' })).toThrow('code');
  });

  test('002 §3.3 the ten codes of the document are known', () => {
    expect([...toolErrorCodes].sort()).toEqual(
      [
        'NOT_FOUND',
        'ACCESS_DENIED',
        'PERMISSION_DENIED',
        'INVALID_PARAM',
        'TIMEOUT',
        'INTERNAL_ERROR',
        'EXECUTION_ERROR',
        'CONFLICT',
        'IS_DIRECTORY',
        'BINARY_FILE',
      ].sort(),
    );
  });

  test('002 §3.3 errors of the operating system get the matching code', () => {
    const codes = {
      ENOENT: 'NOT_FOUND',
      EACCES: 'PERMISSION_DENIED',
      EISDIR: 'IS_DIRECTORY',
      ENOSPC: 'EXECUTION_ERROR',
    };
    for (const [code, meant] of Object.entries(codes)) {
      expect(toolErrorOf(Object.assign(new Error('no'), { code })).code).toBe(meant);
    }
  });

  test('002 §3.3 the error text of an older tool becomes a status and an error object', () => {
    const answer = toToolResponse({ error: 'Error: it broke' }, facts);
    expect(answer).toMatchObject({ status: 'error', error: { code: 'INTERNAL_ERROR', message: 'Error: it broke' } });
    expect(toToolResponse({ error: 'Error: ENOENT: no such file' }, facts)).toMatchObject({
      error: { code: 'NOT_FOUND' },
    });
    expect(isToolResponse(answer)).toBe(true);
  });
});

describe('002 §4 the text', () => {
  test('002 §4 the text says what happened, in which state, and what to do next', () => {
    const parts = [
      'Found 100 files.',
      '(Results truncated to first 100 matches.)',
      "Try increasing 'limit' or narrowing the 'path'.",
    ];
    expect(cut.text).toBe(parts.join(' '));
    expect(failed.text).toBe("File 'src/main.py' does not exist. Run LS[src].");
    expect(done.text).toBe('Found 1 file.');
  });

  test('002 §4 a partial answer and an error without a next step are refused', () => {
    expect(() => partial({ ...facts, data: { truncated: true }, happened: 'Cut.', next: ' ' })).toThrow('next');
    expect(() => failure({ ...facts, code: 'TIMEOUT', message: 'late', next: ' ' })).toThrow('next');
  });

  test('002 §4 the text of a truncated output has the three parts too', async () => {
    const tools = truncateToolOutputs(
      { Read: returning(numberedLines(5234)) },
      { ...asDescribed, store: memoryStore(), scope: 'chat-1', readers: ['grepArtifacts', 'readArtifact'] },
    );
    const { output } = await runTool(tools, { toolName: 'Read' });
    const [happened, next] = truncatedOf(output).text.split('\n');
    expect(happened).toMatch(
      /^Read succeeded, but its output is incomplete: 2,000 of 5,234 lines shown\. Full output saved to: \S+$/,
    );
    expect(next).toMatch(/^Use grepArtifacts to search the full output, or readArtifact with offset\/limit /);
  });
});

describe('002 §5 the example', () => {
  const example = {
    status: 'partial',
    data: {
      entries: [
        { path: 'src/main.py', type: 'file' },
        { path: 'src/utils/', type: 'dir' },
      ],
      truncated: true,
    },
    text: "Listed 2 entries in 'src' (truncated from 500 total). Consider using 'search_code' for deeper lookup or increasing 'limit'.",
    error: null,
    stats: { time_ms: 150, total_entries: 500 },
    context: { cwd: '.', params_input: { path: 'src', limit: 2 }, path_resolved: 'src' },
  };

  test('002 §5 the example is valid, even with its error null, which counts as absent', () => {
    const { error: _, ...without } = example;
    expect(toolResponseSchema.parse(example)).toMatchObject(without);
    expect(isToolResponse(example)).toBe(true);
    expect(entriesDataSchema.parse(example.data)).toEqual(example.data);
  });

  test('002 §5 the builder creates the example', () => {
    const { error: _, ...without } = example;
    const answer = partial({
      input: example.context.params_input,
      startedAt: performance.now(),
      data: example.data,
      happened: "Listed 2 entries in 'src' (truncated from 500 total).",
      state: '',
      next: "Consider using 'search_code' for deeper lookup or increasing 'limit'.",
      stats: { total_entries: 500 },
      pathResolved: 'src',
    });
    expect({ ...answer, stats: { ...answer.stats, time_ms: 150 } }).toEqual(without);
  });
});
