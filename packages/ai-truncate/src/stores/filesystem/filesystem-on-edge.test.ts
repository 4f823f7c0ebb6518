import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesystemStore } from './filesystem-on-edge.ts';

test('the file system store of the edge runtime says what to use in its place', () => {
  expect(() => filesystemStore({ directory: '/data' })).toThrow(
    '`filesystemStore` needs Node.js, but this code runs on an edge runtime. Remove `runtime = "edge"`, or use `vercelBlobStore()` from ' +
      '`ai-truncate/vercel-blob` or `filesSdkStore()` from `ai-truncate/files-sdk`.',
  );
});

test('bundlers for the edge runtime find it, and no module of Node', () => {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const { exports } = JSON.parse(manifest) as { exports: Record<string, Record<string, string>> };
  // Conditions are tried in their order.
  expect(Object.keys(exports['./filesystem'] ?? {})).toEqual(['types', 'edge-light', 'default']);
  expect(readFileSync(new URL('./filesystem-on-edge.ts', import.meta.url), 'utf8')).not.toMatch(/from 'node:/);
});
