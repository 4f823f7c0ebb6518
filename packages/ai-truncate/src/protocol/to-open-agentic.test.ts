import { describe, expect, it } from 'vitest';
import { log } from '../../fixtures/five-megabytes.ts';
import { forgedOutput } from '../../fixtures/forged-output.ts';
import { truncatedOf } from '../../fixtures/run-tool.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateOutput } from '../tools/truncate-output.ts';
import { toOpenAgentic } from './to-open-agentic.ts';

const page = `<html>${'x'.repeat(183_408)}</html>`;

async function fetched(options: object = {}) {
  const identity = { store: memoryStore(), scope: 'chat-1', toolName: 'WebFetch', toolCallId: 'call_123' };
  return truncatedOf(await truncateOutput(page as unknown, { ...identity, ...options }));
}

describe('an output in the form of OpenAgentic', () => {
  it('has all members of the example, and no other', async () => {
    const output = await fetched({ tools: ['task'], keep: 'ends' });
    expect(toOpenAgentic(output)).toEqual({
      _openagentic_truncated: true,
      reason: 'tool_output_too_large',
      tool_name: 'WebFetch',
      tool_use_id: 'call_123',
      original_chars: 183_421,
      preview: output.data.preview,
      artifact_path: output.data.truncation.full_output_path,
      hint: 'Full output saved to artifact_path. Use task(agent="explore", prompt="…") with this path to have a sub-agent grep and read it (offset/limit). Do NOT read the full file yourself - delegate to save context.',
    });
    expect(output.data.preview).toMatch(/^<html>x+\n\.\.\. \[[\d,]+ characters not shown.*\] \.\.\.\nx+<\/html>$/);
    expect(output.data.truncation.full_output_path).toContain('call-123');
  });

  it.each([
    [
      ['grepArtifacts', 'readArtifact'],
      'Use grepArtifacts to search the full output, or readArtifact with offset/limit to view specific sections.',
    ],
    [[], 'Search it, or read parts of it with offset/limit. Do NOT read the full file.'],
  ])('names no sub-agent where there is none: %j', async (tools, next) => {
    const { hint } = toOpenAgentic(await fetched({ tools }));
    expect(hint).toBe(`Full output saved to artifact_path. ${next}`);
  });

  it('says so when nothing was kept', async () => {
    const put = () => Promise.reject(new Error('full'));
    const store = { ...memoryStore(), put };
    const { artifact_path, hint } = toOpenAgentic(await fetched({ store, tools: ['task'], onTruncate: () => {} }));
    expect(artifact_path).toBeNull();
    expect(hint).toBe('The full output was not saved and cannot be retrieved.');
  });

  it('is bounded like the envelope', async () => {
    expect(JSON.stringify(toOpenAgentic(await fetched())).length).toBeLessThan(2 * 16_384);
    expect(toOpenAgentic(forgedOutput({ text: `a\n${log}` }) as never)).toMatchObject({ tool_name: '' });
  });

  it('is the output itself where that was within the limits', () => {
    const value = { rows: [1] };
    expect(toOpenAgentic(value)).toBe(value);
    expect(toOpenAgentic('short')).toBe('short');
  });
});
