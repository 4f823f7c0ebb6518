import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allPages, callReader } from '../../fixtures/call-reader.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { compileGlob } from './glob-artifacts-tool.ts';
import { ReaderRefusal } from './refusals.ts';

async function withSaved(counts: Record<string, number>): Promise<Artifacts> {
  const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
  for (const [toolName, count] of Object.entries(counts)) {
    for (let index = 0; index < count; index++) await artifacts.save('x', { toolName, toolCallId: `call-${index}` });
  }
  return artifacts;
}

describe('globArtifacts', () => {
  test('finds outputs by the names of their tools', async () => {
    const artifacts = await withSaved({ readServerLogs: 2, fetchPage: 1 });
    const { output, data } = await callReader(artifacts, 'globArtifacts', { pattern: '*{read-server,nothing}*.txt' });
    expect(output.status).toBe('success');
    expect(data.paths).toHaveLength(2);
    expect(output.stats.total_paths).toBe(2);
  });

  test('shows every path once to a model that follows the cursors', async () => {
    const artifacts = await withSaved({ readServerLogs: 130, fetchPage: 20 });
    const pages = await allPages(artifacts, 'globArtifacts', { pattern: '*server*' });
    const paths = pages.flatMap(({ data }) => data.paths);
    expect(new Set(paths).size).toBe(130);
    expect(paths).toHaveLength(130);
    for (const { output, text } of pages) {
      expect(JSON.stringify(output).length).toBeLessThanOrEqual(9000);
      expect(text.length).toBeLessThanOrEqual(9000);
    }
  });

  test.each(['', '{a', '[a', 'x'.repeat(600), 7, null, ['*']])('refuses an invalid pattern: %j', async (pattern) => {
    const artifacts = await withSaved({});
    expect((await callReader(artifacts, 'globArtifacts', { pattern })).code).toBe('INVALID_PARAM');
  });
});

const name = 'tool_20260113_153045_read-server-logs_call-123_7f3k9q2m4x8p1z5c.txt';

function fits(glob: string, path: string): boolean {
  return compileGlob(glob)(path);
}

function refusal(glob: unknown): string {
  try {
    compileGlob(glob as string);
  } catch (error) {
    if (error instanceof ReaderRefusal) return error.message;
    throw error;
  }
  return `accepted: ${glob}`;
}

describe('a glob without a folder', () => {
  test.each([
    '*',
    '*.txt',
    '*read-server-logs*',
    '*.{json,txt}',
    'tool_2026011?_*',
    '*_7f3k9q2m4x8p1z5[a-c].txt',
    '*READ-Server*',
    '*[!j].t?t',
    '**',
    '*.{j{son,5},txt}',
  ])('matches the name in any folder: %s', (glob) => {
    expect(fits(glob, `tool-output/${name}`)).toBe(true);
    expect(fits(glob, `/home/me/project/tool-output/chat-1/${name}`)).toBe(true);
    expect(fits(glob, `C:\\project\\tool-output\\${name}`)).toBe(true);
  });

  test.each(['*.json', 'read-server-logs', '?', 'tool-output*', '*.tx', '*[0-9].txt', '*.t.xt'])(
    'does not match another name: %s',
    (glob) => {
      expect(fits(glob, `tool-output/${name}`)).toBe(false);
    },
  );
});

describe('a glob with a folder', () => {
  test.each([
    'tool-output/*',
    './tool-output/*.txt',
    '**/*.txt',
    'tool-output/**',
    '**/tool-output/**/*.txt',
    '/tool-output/tool_*',
  ])('matches the path: %s', (glob) => {
    expect(fits(glob, `tool-output/${name}`)).toBe(true);
    expect(fits(glob, `/project/tool-output/${name}`)).toBe(true);
  });

  test.each(['output/*', '*/chat-1/x', 'tool-output/?', 'other/**', '../*'])(
    'does not match another path: %s',
    (glob) => {
      expect(fits(glob, `tool-output/${name}`)).toBe(false);
    },
  );

  test('crosses folders only with two stars', () => {
    expect(fits('tool-output/*', `tool-output/chat-1/${name}`)).toBe(false);
    expect(fits('tool-output/**', `tool-output/chat-1/${name}`)).toBe(true);
    expect(fits('tool-output/**/*.txt', `tool-output/chat-1/${name}`)).toBe(true);
  });
});

describe('signs', () => {
  test.each([
    ['a.c', 'abc'],
    ['a+', 'aa'],
    ['(a)', 'a'],
    ['^a$', 'a'],
    ['a|b', 'a'],
    ['\\*', 'x'],
    ['[!a/]', '/'],
  ])('with a meaning in other engines are literal: %s', (glob, text) => {
    expect(fits(glob, text)).toBe(false);
  });

  test.each([
    ['\\*', '*'],
    ['a.c', 'a.c'],
    ['[]]', ']'],
    ['[^a]', 'b'],
    ['a,b', 'a,b'],
    ['a}', 'a}'],
    ['日?', '日🙂'],
    ['{,a}b', 'b'],
  ])('%s matches %s', (glob, text) => {
    expect(fits(glob, text)).toBe(true);
  });
});

test.each([
  ['', /empty/],
  [7, /empty/],
  ['*a'.repeat(400), /has 800 characters, at most 512/],
  ['{a,b', /does not close/],
  ['[abc', /does not close/],
  ['[z-a]', /an invalid class/],
])('an invalid glob is refused with an alternative: %s', (glob, message) => {
  expect(refusal(glob)).toMatch(message);
});

test.each([
  `${'*a'.repeat(255)}b`,
  `${'**/a/'.repeat(100)}b`,
  `${'{a,aa}'.repeat(85)}b`,
  `${'*'.repeat(511)}b`,
  `${'?*'.repeat(250)}b`,
  `${'[a-z]*'.repeat(85)}`,
  `${'{'.repeat(250)}a${'}'.repeat(250)}`,
])('a hostile glob costs almost nothing: %.30s', (glob) => {
  const path = `tool-output/${'a/'.repeat(200)}${'a'.repeat(90)}`;
  const started = process.cpuUsage();
  for (let count = 0; count < 20; count++) fits(glob, path);
  const { user, system } = process.cpuUsage(started);
  // The usual matchers take more than ten seconds for one glob.
  expect((user + system) / 1000).toBeLessThan(1000);
});

test('any glob of a model results in a matcher or a short message, and throws nothing else', () => {
  const sign = fc.constantFrom(...'ab/\\*?{},[]!^-.+()|$&~:\ud83d'.split(''), '**', '[[:alpha:]]');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(sign, { maxLength: 60 }).map((signs) => signs.join('')),
        fc.string(),
      ),
      fc.string(),
      (glob, path) => {
        const message = refusal(glob);
        if (message.startsWith('accepted')) expect(typeof fits(glob, path)).toBe('boolean');
        else expect(message.length).toBeLessThan(150);
      },
    ),
    { numRuns: propertyRuns({ sample: 600, full: 3000 }) },
  );
});

test('a name matches itself with any of its parts replaced by a star', () => {
  fc.assert(
    fc.property(fc.nat(name.length), fc.nat(name.length), (one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      expect(fits(`${name.slice(0, from)}*${name.slice(to)}`, `tool-output/${name}`)).toBe(true);
    }),
  );
});
