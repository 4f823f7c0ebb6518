import { describe, expect, test } from 'vitest';
import { AiTruncateError, InvalidOptionError } from '../errors.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { ArtifactNotFoundError, ArtifactTooLargeError, requireArtifacts } from './artifacts.ts';
import { scopedArtifacts } from './scoped-artifacts.ts';

describe('artifacts as an option', () => {
  test('have the methods to find and read artifacts', () => {
    const { info, list, readLines } = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
    expect(() => requireArtifacts({ info, list, readLines })).not.toThrow();
  });

  test.each([[undefined], [null], ['chat-1'], [memoryStore()], [{ info() {}, list() {}, readLines: true }]])(
    'are not %o',
    (value) => {
      expect(() => requireArtifacts(value)).toThrow(InvalidOptionError);
      expect(() => requireArtifacts(value)).toThrow('`scopedArtifacts(store, { scope })`');
    },
  );
});

describe('a missing artifact', () => {
  test('is named in the error', () => {
    expect(new ArtifactNotFoundError('a.txt').message).toBe(
      'There is no artifact `a.txt` here: it was deleted, it expired, or the path is wrong.',
    );
  });

  test('is named by its first 200 characters', () => {
    expect(new ArtifactNotFoundError('x'.repeat(200)).message).toContain(`\`${'x'.repeat(200)}\``);
    const { message } = new ArtifactNotFoundError('x'.repeat(1_000_000));
    expect(message).toContain(`\`${'x'.repeat(200)}…\``);
  });

  test.each([
    [undefined, 'a value of type undefined'],
    [{ toString: () => 'SECRET' }, 'a value of type object'],
  ])('is named by its type if it is no text', (path, shown) => {
    expect(new ArtifactNotFoundError(path).message).toContain(`\`${shown}\``);
  });
});

test('each error is known by its code, even from another copy of this package', () => {
  const errors = [new ArtifactNotFoundError('a'), new ArtifactTooLargeError(5)];
  const copies = errors.map(({ message, code }) => new AiTruncateError(message, { code }));
  for (const [missing, tooLarge] of [errors, copies]) {
    expect([missing, tooLarge].map(ArtifactNotFoundError.isInstance)).toEqual([true, false]);
    expect([missing, tooLarge].map(ArtifactTooLargeError.isInstance)).toEqual([false, true]);
  }
  const forged = { code: 'ARTIFACT_NOT_FOUND' };
  expect([forged, null, 'text'].map(ArtifactNotFoundError.isInstance)).toEqual([false, false, false]);
});

test('an output that is too large is refused with the limit', () => {
  expect(new ArtifactTooLargeError(1000).message).toBe(
    'The output is larger than `maxArtifactBytes` (1000), so it was not saved. Raise the limit.',
  );
});
