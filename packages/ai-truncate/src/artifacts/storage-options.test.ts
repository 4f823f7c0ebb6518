import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../errors.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { openArtifacts, requireStorageOptions, STORAGE_OPTIONS, type StorageOptions } from './storage-options.ts';

const store = memoryStore();
const check = (options: unknown) => requireStorageOptions(options as StorageOptions, { known: STORAGE_OPTIONS });

describe('options for storage', () => {
  test.each<[string, object]>([
    ['a text as scope', { store, scope: 'chat-1' }],
    ['a function as scope', { store, scope: () => 'chat-1' }],
    ['options that are left undefined', { store, scope: 'chat-1', saveTimeoutMs: undefined, sweep: undefined }],
    ['all options', { store, scope: 'a', maxArtifactBytes: 1, saveTimeoutMs: 1, retentionDays: 1, sweep: 'hourly' }],
    ['the longest time', { store, scope: 'a', saveTimeoutMs: 2 ** 31 - 1 }],
  ])('may be %s', (_, options) => {
    expect(() => check(options)).not.toThrow();
  });

  test.each<[string, unknown, string]>([
    ['missing', undefined, 'an object with `store` and `scope`'],
    ['a store', store, '`'],
    ['without a store', { scope: 'a' }, '`store` must be'],
    ['without a scope', { store }, '`scope` must be a non-empty string that names the owner'],
    ['an empty scope', { store, scope: '' }, '`scope` must be'],
    ['a scope that is a number', { store, scope: 7 }, 'got 7'],
    ['no time', { store, scope: 'a', saveTimeoutMs: 0 }, '`saveTimeoutMs` must be'],
    ['a time longer than a timer', { store, scope: 'a', saveTimeoutMs: 2 ** 31 }, '`saveTimeoutMs` must be'],
    ['no retention', { store, scope: 'a', retentionDays: 0 }, '`retentionDays` must be'],
    ['a misspelt option', { store, scope: 'a', retentionDay: 3 }, 'Did you mean `retentionDays`?'],
  ])('are refused if they are %s', (_, options, message) => {
    expect(() => check(options)).toThrow(InvalidOptionError);
    expect(() => check(options)).toThrow(message);
  });
});

describe('the artifacts of a call', () => {
  test('belong to the owner that the scope finds', async () => {
    const artifacts = await openArtifacts({ store, scope: async () => 'chat-1', retentionDays: 3 });
    const { path, createdAt, expiresAt } = await artifacts.save('text', { toolName: 'a', toolCallId: 'b' });
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(3 * 86_400_000);
    const others = await openArtifacts({ store, scope: () => 'chat-2' });
    expect((await artifacts.info(path)).bytes).toBe(4);
    await expect(others.info(path)).rejects.toMatchObject({ code: 'ARTIFACT_NOT_FOUND' });
  });

  test('are limited in size', async () => {
    const artifacts = await openArtifacts({ store, scope: 'chat-1', maxArtifactBytes: 3 });
    const saving = artifacts.save('text', { toolName: 'a', toolCallId: 'b' });
    await expect(saving).rejects.toMatchObject({ code: 'ARTIFACT_TOO_LARGE' });
  });

  test.each([undefined, null, ''])('do not exist if the scope finds %j', async (found) => {
    await expect(openArtifacts({ store, scope: () => found })).rejects.toThrow('`scope` must be');
  });

  test('do not exist if the scope fails, or if the call was aborted', async () => {
    const failing = () => Promise.reject(new Error('no session'));
    await expect(openArtifacts({ store, scope: failing })).rejects.toThrow('no session');
    const abortSignal = AbortSignal.abort(new Error('left'));
    await expect(openArtifacts({ store, scope: 'a', abortSignal })).rejects.toThrow('left');
  });
});
