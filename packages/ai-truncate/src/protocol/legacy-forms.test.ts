import { describe, expect, test } from 'vitest';
import { forgedOutput } from '../../fixtures/forged-output.ts';
import { log } from '../../fixtures/one-megabyte.ts';
import { truncatedOf } from '../../fixtures/run-tool.ts';
import { seedTruncate } from '../../fixtures/seed-004.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateOutput } from '../tools/truncate-output.ts';
import { toOpenAgentic, toOpenCode } from './legacy-forms.ts';

const page = `<html>${'x'.repeat(183_408)}</html>`;

async function fetched(options: object = {}) {
  const identity = { store: memoryStore(), scope: 'chat-1', toolName: 'WebFetch', toolCallId: 'call_123' };
  return truncatedOf(await truncateOutput(page as unknown, { ...identity, ...options }));
}

describe('an output in the form of OpenAgentic', () => {
  test('has all members of the example, and no others', async () => {
    const output = await fetched({ hint: { task: 'task' }, keep: 'ends' });
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

  test.each([
    [
      { grep: 'grepArtifacts', read: 'readArtifact' },
      'Use grepArtifacts to search the full output, or readArtifact with offset/limit to view specific sections.',
    ],
    [false, 'Search it, or read parts of it with offset/limit. Do NOT read the full file.'],
  ])('names no sub-agent if there is none: %j', async (names, next) => {
    const { hint } = toOpenAgentic(await fetched({ hint: names }));
    expect(hint).toBe(`Full output saved to artifact_path. ${next}`);
  });

  test('says so when the output was not saved', async () => {
    const put = () => Promise.reject(new Error('full'));
    const store = { ...memoryStore(), put };
    const { artifact_path, hint } = toOpenAgentic(
      await fetched({ store, hint: { task: 'task' }, onTruncate: () => {} }),
    );
    expect(artifact_path).toBeNull();
    expect(hint).toBe('The full output was not saved and cannot be retrieved.');
  });

  test('is bounded like the envelope', async () => {
    expect(JSON.stringify(toOpenAgentic(await fetched())).length).toBeLessThan(2 * 16_384);
    expect(toOpenAgentic(forgedOutput({ text: `a\n${log}` }) as never)).toMatchObject({ tool_name: '' });
  });

  test('is the output itself if it was within the limits', () => {
    const value = { rows: [1] };
    expect(toOpenAgentic(value)).toBe(value);
    expect(toOpenAgentic('short')).toBe('short');
  });
});

const short = Array.from({ length: 3000 }, (_, index) => `line ${index + 1}`).join('\n');
const wide = Array.from({ length: 3000 }, (_, index) => `line ${index + 1} ${'é'.repeat(40)}`).join('\n');
const limits = { maxLines: 2000, maxBytes: 51_200 };

/** The output of OpenCode according to its document: §4 for the preview, §6.3 and §6.4 for the rest. */
function asInTheDocument(
  text: string,
  { direction, path, hint }: { direction: 'head' | 'tail'; path: string | null; hint: string },
) {
  const { content } = seedTruncate(text, { ...limits, direction });
  const gap = `...${text.split('\n').length - content.split('\n').length} lines truncated...`;
  const words = `The tool call succeeded but the output was truncated. Full output saved to: ${path}\n${hint}`;
  return direction === 'head' ? `${content}\n\n${gap}\n\n${words}` : `${gap}\n\n${words}\n\n${content}`;
}

async function truncated(text: string, options: object) {
  const identity = { store: memoryStore(), scope: 'chat-1', toolName: 'grep', toolCallId: 'call_1' };
  return truncatedOf(
    await truncateOutput(text as unknown, { ...identity, ...limits, previewBytes: 51_200, ...options }),
  );
}

describe('an output in the form of OpenCode', () => {
  const delegate =
    'Use the Task tool to have a subagent process this file with Grep and Read (with offset/limit). Do NOT read the full file yourself - delegate to save context.';
  const search = 'Use Grep to search the full content or Read with offset/limit to view specific sections.';

  test.each([
    ['head', { task: 'task' }, delegate],
    ['tail', { task: 'Task' }, delegate],
    ['head', {}, search],
    ['tail', { grep: 'grepArtifacts' }, search],
  ] as const)('equals the output in the document, byte for byte: %s, with %j', async (direction, names, hint) => {
    const output = await truncated(short, { keep: direction, hint: names });
    const path = output.data.truncation.full_output_path;
    expect(toOpenCode(output)).toEqual({
      truncated: true,
      content: asInTheDocument(short, { direction, path, hint }),
      outputPath: expect.stringMatching(/^tool-output\/tool_/),
    });
  });

  test.each(['head', 'tail'] as const)('counts bytes if the byte limit ended the %s', async (keep) => {
    const { content } = toOpenCode(await truncated(wide, { keep }));
    const removed = Number(/\.\.\.(\d+) bytes truncated\.\.\./.exec(content)?.[1]);
    const preview = keep === 'head' ? content.split('\n\n...')[0] : content.split('specific sections.\n\n')[1];
    expect(wide[keep === 'head' ? 'startsWith' : 'endsWith'](preview ?? '-')).toBe(true);
    expect(removed).toBe(Buffer.byteLength(wide) - Buffer.byteLength(preview ?? ''));
  });

  test.each(['auto', 'ends'] as const)('has the preview first if it has several parts: %s', async (keep) => {
    const output = await truncated(wide, { keep });
    expect(toOpenCode(output).content.startsWith(`${output.data.preview}\n\n...`)).toBe(true);
  });

  test('the gap counts bytes when the last of the shown lines is cut', async () => {
    const { content } = toOpenCode(await truncated(`a\n${'x'.repeat(100_000)}\nend`, { keep: 'head', maxLines: 2 }));
    expect(content).toMatch(/^a\nx+\n\n\.\.\.\d+ bytes truncated\.\.\.\n\n/);
  });

  test('counts bytes of a single line that is shown in part', async () => {
    const { content } = toOpenCode(await truncated('x'.repeat(100_000), { keep: 'head', maxLines: 1 }));
    expect(content).toMatch(/x\n\n\.\.\.\d+ bytes truncated\.\.\.\n\n/);
  });

  test('says so when the output was not saved, and when the tool failed', async () => {
    const store = { ...memoryStore(), put: () => Promise.reject(new Error('full')) };
    const output = await truncated(short, { store, onTruncate: () => {} });
    expect(toOpenCode({ ...output, status: 'error' })).toMatchObject({
      outputPath: null,
      content: expect.stringContaining(
        'The tool call failed and the output was truncated. The full output was not saved and cannot be retrieved.',
      ),
    });
  });

  test('is the text itself if it was within the limits', () => {
    expect(toOpenCode('short')).toEqual({ truncated: false, content: 'short' });
  });
});
