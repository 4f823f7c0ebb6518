import { tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { keptOf, runTool, truncatedOf } from '../../fixtures/run-tool.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateToolOutputs } from '../truncate-tool-outputs.ts';
import type { ToolResultOutput } from './delivery.ts';

const inputSchema = z.object({});
const log = 'line\n'.repeat(20_000);

function viewing(output: object, view: (output: never) => ToolResultOutput, store = memoryStore()) {
  const read = tool({ inputSchema, execute: async () => output, toModelOutput: ({ output }) => view(output as never) });
  return truncateToolOutputs({ read }, { store, scope: 'chat-1' });
}

describe('a tool with a view of its own', () => {
  it.each<[string, ToolResultOutput]>([
    ['text', { type: 'error-text', value: log }],
    ['JSON', { type: 'error-json', value: { log } }],
  ])('that says it failed stays failed: %s', async (_, view) => {
    const { output, sent } = await runTool(viewing({}, () => view));
    expect(truncatedOf(output)).toMatchObject({ status: 'error', error: { code: 'EXECUTION_ERROR' } });
    expect(sent.value).toMatch(/^read failed, /);
  });

  it('that throws is measured by its output', async () => {
    const store = memoryStore();
    const failing = (): never => {
      throw new Error('not a log');
    };
    const { output } = await runTool(viewing({ log }, failing, store));
    expect(JSON.parse(await keptOf(output, { store }))).toEqual({ log });
  });

  it('of a million parts is one text, and a text file is part of it', async () => {
    const store = memoryStore();
    const file = { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'end' } } as const;
    const parts = [...Array.from({ length: 1e6 }, () => ({ type: 'text', text: 'a' }) as const), file];
    const { output } = await runTool(viewing({}, () => ({ type: 'content', value: parts }), store));
    expect((await keptOf(output, { store })).length).toBe(2e6 + 3);
  });

  it('that reads what an MCP server adds beside its content gets all of it', async () => {
    const answer = { content: [], structuredContent: { rows: Array.from({ length: 20_000 }, (_, id) => ({ id })) } };
    const count = ({ structuredContent }: typeof answer): ToolResultOutput => ({
      type: 'text',
      value: `${structuredContent.rows.length} rows`,
    });
    const { output, sent } = await runTool(viewing(answer, count));
    expect(output).toBe(answer);
    expect(sent.value).toBe('20000 rows');
  });

  it('that does not has each large addition bounded by itself', async () => {
    const store = memoryStore();
    const answer = {
      content: [{ type: 'text', text: 'ok' }],
      structuredContent: { log },
      _meta: { log },
      isError: false,
    };
    const { output, sent } = await runTool(viewing(answer, () => ({ type: 'text', value: 'ok' }), store));
    const { structuredContent, _meta, ...rest } = output as typeof answer;
    expect(rest).toEqual({ content: answer.content, isError: false });
    expect(JSON.parse(await keptOf(structuredContent, { store }))).toEqual({ log });
    expect(JSON.parse(await keptOf(_meta, { store }))).toEqual({ log });
    expect(sent.value).toBe('ok');
  });
});
