import { expect, test, vi } from 'vitest';
import { InvalidOptionError } from '../errors.ts';
import { resolveScope, type Scope } from './resolve-scope.ts';

test.each<[string, Scope]>([
  ['a string', 'chat-1'],
  ['a function', () => 'chat-1'],
  ['an asynchronous function', async () => 'chat-1'],
])('the owner of the running call comes from %s', async (_, scope) => {
  expect(await resolveScope({ scope })).toBe('chat-1');
});

test.each([[null], [undefined]])('a function that returns %s names no owner', async (found) => {
  const call = { scope: async () => found };
  await expect(resolveScope(call)).rejects.toBeInstanceOf(InvalidOptionError);
  await expect(resolveScope(call)).rejects.toThrow(`\`scope\` must be a string for this call; got ${found}.`);
});

test('an error of the function names no owner', async () => {
  const error = new Error('no session');
  await expect(resolveScope({ scope: () => Promise.reject(error) })).rejects.toBe(error);
});

test('a function that never answers names no owner', async () => {
  const call = { scope: () => new Promise<string>(() => {}), saveTimeoutMs: 1 };
  await expect(resolveScope(call)).rejects.toThrow('`scope`');
});

test('an aborted call has no owner, and its function is not called', async () => {
  const scope = vi.fn(() => 'chat-1');
  const abortSignal = AbortSignal.abort(new Error('stopped'));
  await expect(resolveScope({ scope: 'chat-1', abortSignal })).rejects.toThrow('stopped');
  await expect(resolveScope({ scope, abortSignal })).rejects.toThrow('stopped');
  expect(scope).not.toHaveBeenCalled();
});
