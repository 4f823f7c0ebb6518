import { describe, expect, test } from 'vitest';
import {
  artifactNameOf,
  createArtifactName,
  historyName,
  isNameOfCall,
  parseArtifactName,
  parseKey,
  toScopeKey,
} from './artifact-name.ts';
import { requireScope } from './scoped-artifacts.ts';

const createdAt = new Date('2026-01-13T15:30:45.678Z');

function nameOf(parts: { toolName?: string; toolCallId?: string; mediaType?: string }): string {
  return createArtifactName({ toolName: 'read', toolCallId: 'call_1', mediaType: 'text/plain', createdAt, ...parts });
}

describe('the name of an artifact', () => {
  test('contains the time, the tool and the call, and ends in 80 random bits', () => {
    expect(nameOf({ toolName: 'readServerLogs', toolCallId: 'call_123' })).toMatch(
      /^tool_20260113_153045_read-server-logs_call-123_[0-9a-hjkmnp-tv-z]{16}\.txt$/,
    );
  });

  test('is different each time', () => {
    expect(nameOf({})).not.toBe(nameOf({}));
  });

  test.each([
    ['application/json', 'json'],
    ['application/problem+json; charset=utf-8', 'json'],
    ['text/html', 'txt'],
    ['TEXT/CSV', 'txt'],
    ['application/x-ndjson', 'txt'],
    ['image/png', 'bin'],
    ['image/svg+xml', 'txt'],
    ['application/xml', 'txt'],
    ['application/x-yaml', 'txt'],
    ['application/javascript', 'txt'],
    ['', 'bin'],
  ])('ends for %s in .%s', (mediaType, extension) => {
    expect(nameOf({ mediaType }).split('.')).toEqual([expect.any(String), extension]);
  });

  test.each([
    ['', 'tool'],
    ['__proto__', 'proto'],
    ['../../etc/passwd', 'etc-passwd'],
    ['日本語', 'tool'],
    ['Größe', 'gro-e'],
    ['ＦＵＬＬ．．／', 'full'],
    ['HTTPServer', 'httpserver'],
    [`${'a'.repeat(31)}-b`, 'a'.repeat(31)],
  ])('contains the safe characters of the tool %j', (toolName, tool) => {
    expect(parseArtifactName(nameOf({ toolName }))?.tool).toBe(tool);
  });

  test('can be parsed into its parts', () => {
    expect(parseArtifactName(nameOf({ toolCallId: 'toolu_01A09Q90' }))).toEqual({
      createdAt: new Date('2026-01-13T15:30:45Z'),
      tool: 'read',
      call: 'toolu-01a09q90',
      id: expect.any(String),
      extension: 'txt',
    });
  });

  test.each([
    'tool_20261313_153045_read_call-1_7f3k9q2m4x8p1z5c.txt',
    'tool_20260230_153045_read_call-1_7f3k9q2m4x8p1z5c.txt',
    'tool_20260113_256045_read_call-1_7f3k9q2m4x8p1z5c.txt',
    'tool_20260113_153045_read_call-1_7f3k9q2m4x8p1z5c.html',
    'tool_20260113_153045_read_call-1_7f3k9q2m4x8p1z5.txt',
    'tool_20260113_153045_read_call-1_7f3k9q2m4x8p1z5u.txt',
    'tool_20260113_153045_Read_call-1_7f3k9q2m4x8p1z5c.txt',
    'tool_20260113_153045_read_call-1_7f3k9q2m4x8p1z5c.txt\n',
    'tool_20260113_153045__call-1_7f3k9q2m4x8p1z5c.txt',
  ])('is not %j', (name) => expect(parseArtifactName(name)).toBeUndefined());

  test('is found at the end of a path, and nowhere else', () => {
    const name = 'tool_20260113_153045_read_call-1_7f3k9q2m4x8p1z5c.txt';
    expect(artifactNameOf(`tool-output/${name}`)).toBe(name);
    expect(artifactNameOf(`data\\chat-1\\${name}`)).toBe(name);
    expect(artifactNameOf(name)).toBe(name);
    expect(artifactNameOf(`tool-output/${name}.info.json`)).toBeUndefined();
    expect(artifactNameOf(`${name}/other.txt`)).toBeUndefined();
    expect(artifactNameOf(`${'x/'.repeat(10_000_000)}${name}`)).toBe(name);
  });
});

describe('a key', () => {
  const name = 'tool_20260113_153045_read_call-1_7f3k9q2m4x8p1z5c.txt';

  test('belongs to an artifact or to its side-car', () => {
    expect(parseKey(`chat-1/${name}`)).toMatchObject({ kind: 'artifact', artifactKey: `chat-1/${name}`, name });
    expect(parseKey(`chat-1/${name}.info.json`)).toMatchObject({ kind: 'info', artifactKey: `chat-1/${name}`, name });
  });

  test.each([
    name,
    `con/${name}`,
    `Chat/${name}`,
    `a/b/${name}`,
    `_abc/${name}`,
    `chat-1/${name}.bak`,
    'chat-1/notes.txt',
  ])('is not %s', (key) => expect(parseKey(key)).toBeUndefined());
});

describe('the folder of a scope', () => {
  test('is the scope itself if that is a safe token', async () => {
    expect(await toScopeKey('chat-1')).toBe('chat-1');
    expect(await toScopeKey('0'.repeat(32))).toBe('0'.repeat(32));
  });

  test.each(['Chat', 'con', 'com1', 'a'.repeat(33), '-a', '_a', 'a b', '../b', 'é', 'a\0', '.', 'public/x'])(
    'is a hash for %j',
    async (scope) => expect(await toScopeKey(scope)).toMatch(/^_[0-9a-hjkmnp-tv-z]{26}$/),
  );

  test('differs for owners whose names differ only in form, case or a broken character', async () => {
    const scopes = ['é', 'e\u0301', 'É', '\ud800', '\ud801', '\ufffd', 'user', 'User', 'USER', ' user', 'user\0'];
    const keys = await Promise.all(scopes.map(toScopeKey));
    expect(new Set(keys.map((key) => key.normalize().toLowerCase())).size).toBe(scopes.length);
  });

  test('differs for scopes whose characters differ only in one of their two bytes', async () => {
    const scopes = ['A b', '\u0141 b', 'A\u0120b', 'A \u0162', '\u4e41 b', '\ud841 b'];
    expect(new Set(await Promise.all(scopes.map(toScopeKey))).size).toBe(scopes.length);
  });

  test.each([undefined, null, '', 5, {}])('does not exist for the scope %j', (scope) => {
    expect(() => requireScope(scope)).toThrow('`scope` must be a non-empty string');
  });
});

describe('the name of a result that left a conversation', () => {
  const hash = new Uint8Array(32).fill(255);
  const call = { toolName: 'readServerLogs', toolCallId: 'call_123' };

  test('contains the tool, the call and the beginning of the hash, and no time', () => {
    const name = historyName(call, hash);
    expect(name).toBe('history_read-server-logs_call-123_zzzzzzzzzzzzzzzz.txt');
    expect(parseArtifactName(name)).toEqual({
      ...{ tool: 'read-server-logs', call: 'call-123', id: 'zzzzzzzzzzzzzzzz', extension: 'txt' },
    });
    expect(artifactNameOf(`tool-output/${name}`)).toBe(name);
    expect(parseKey(`chat-1/${name}.info.json`)).toMatchObject({ kind: 'info', name });
  });

  test.each([
    'history_a_b_zzzzzzzzzzzzzzzz.json',
    'history_a_b_zzzz.txt',
    'history_A_b_zzzzzzzzzzzzzzzz.txt',
    'history_a_zzzzzzzzzzzzzzzz.txt',
  ])('%s is no such name', (name) => {
    expect(parseArtifactName(name)).toBeUndefined();
  });

  test('belongs to its call only', () => {
    const name = historyName(call, hash);
    expect(isNameOfCall(name, call)).toBe(true);
    expect(isNameOfCall(name, { ...call, toolCallId: 'call_124' })).toBe(false);
    expect(isNameOfCall(name, { ...call, toolName: 'readPage' })).toBe(false);
    expect(isNameOfCall('page.txt', call)).toBe(false);
  });

  test('belongs to no call when the id of the call has no safe character', () => {
    const unnamed = { toolName: 'read', toolCallId: '日本' };
    expect(isNameOfCall(historyName(unnamed, hash), unnamed)).toBe(false);
  });
});
