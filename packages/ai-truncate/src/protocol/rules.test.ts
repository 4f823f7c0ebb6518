import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { expectedProjectPath, toProjectPath } from './rules.ts';

describe('toProjectPath', () => {
  test.each<[string, string | undefined, string]>([
    ['.', undefined, '.'],
    ['./', undefined, '.'],
    ['src', undefined, 'src'],
    ['./src//app/', undefined, 'src/app'],
    ['src/../lib', undefined, 'lib'],
    ['packages\\app', undefined, 'packages/app'],
    ['/srv/app', '/srv/app', '.'],
    ['/srv/app/src', '/srv/app/', 'src'],
    ['/srv/./app/x/../src', '/srv/app', 'src'],
    ['/src', '/', 'src'],
    ['C:\\Work\\app\\src', 'c:\\Work\\app', 'src'],
    ['C:/Work/app', 'C:\\Work', 'app'],
    ['\\\\host\\share\\app\\src', '\\\\host\\share\\app', 'src'],
    ['/srv/app/a:b', '/srv/app', './a:b'],
  ])('%s under %s is %s', (path, root, relative) => {
    expect(toProjectPath(path, root)).toBe(relative);
  });

  test.each<[string, string | undefined]>([
    ['', undefined],
    ['..', undefined],
    ['src/../../x', '/srv'],
    ['/srv/app', undefined],
    ['/srv/other', '/srv/app'],
    ['/srv/app-2', '/srv/app'],
    ['/srv/app/../x', '/srv/app'],
    ['/srv/app', 'srv'],
    ['/srv/app', '.'],
    ['D:\\app', 'C:\\'],
    ['C:\\app', '/'],
    ['https://host/app', 'https://host'],
  ])('%s is not inside %s', (path, root) => {
    expect(toProjectPath(path, root)).toBeUndefined();
  });

  test('returns a path that the protocol allows, or none', () => {
    const path = fc.string({ unit: fc.constantFrom('/', '\\', '.', '..', ':', 'a', 'C', ' ') });
    const property = fc.property(path, fc.option(path, { nil: undefined }), (text, root) => {
      const relative = toProjectPath(text, root);
      if (relative !== undefined) expect(expectedProjectPath(relative)).toBeUndefined();
    });
    fc.assert(property, { numRuns: propertyRuns({ sample: 4000, full: 20_000 }) });
  });
});
