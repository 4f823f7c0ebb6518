import { describe, expect, it } from 'vitest';
import { allPages, callReader } from '../../fixtures/call-reader.ts';
import type { Artifacts } from '../artifacts/artifacts.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../stores/memory-store.ts';

async function withSaved(counts: Record<string, number>): Promise<Artifacts> {
  const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
  for (const [toolName, count] of Object.entries(counts)) {
    for (let index = 0; index < count; index++) await artifacts.save('x', { toolName, toolCallId: `call-${index}` });
  }
  return artifacts;
}

describe('globArtifacts', () => {
  it('finds outputs by the names of their tools', async () => {
    const artifacts = await withSaved({ readServerLogs: 2, fetchPage: 1 });
    const { output, data } = await callReader(artifacts, 'globArtifacts', { pattern: '*{read-server,nothing}*.txt' });
    expect(output.status).toBe('success');
    expect(data.paths).toHaveLength(2);
    expect(output.stats.total_paths).toBe(2);
  });

  it('shows every path once to who follows the cursors', async () => {
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

  it.each(['', '{a', '[a', 'x'.repeat(600), 7, null, ['*']])('refuses a pattern that is none: %j', async (pattern) => {
    const artifacts = await withSaved({});
    expect((await callReader(artifacts, 'globArtifacts', { pattern })).code).toBe('INVALID_PARAM');
  });
});
