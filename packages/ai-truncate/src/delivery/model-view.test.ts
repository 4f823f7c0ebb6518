import { tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { countArtifacts, keptOf, runTool, truncatedOf } from '../../fixtures/run-tool.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateToolOutputs } from '../tools/truncate-tool-outputs.ts';
import type { ToolResultOutput } from './delivery.ts';

const inputSchema = z.object({});
const log = 'line\n'.repeat(20_000);

function viewing(
  output: object,
  view: (output: never) => ToolResultOutput,
  { store = memoryStore(), isMcp = false } = {},
) {
  const read = tool({ inputSchema, execute: async () => output, toModelOutput: ({ output }) => view(output as never) });
  // As the MCP client marks its tools.
  if (isMcp) Object.assign(read, { _meta: undefined });
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
    const { output } = await runTool(viewing({ log }, failing, { store }));
    expect(JSON.parse(await keptOf(output, { store }))).toEqual({ log });
  });

  it('of a million parts is one text, and a text file is part of it', async () => {
    const store = memoryStore();
    const file = { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'end' } } as const;
    const parts = [...Array.from({ length: 1e6 }, () => ({ type: 'text', text: 'a' }) as const), file];
    const { output } = await runTool(viewing({}, () => ({ type: 'content', value: parts }), { store }));
    expect((await keptOf(output, { store })).length).toBe(2e6 + 3);
  });

  it('that reads what an MCP server adds beside its content gets all of it', async () => {
    const answer = { content: [], structuredContent: { rows: Array.from({ length: 20_000 }, (_, id) => ({ id })) } };
    const count = ({ structuredContent }: typeof answer): ToolResultOutput => ({
      type: 'text',
      value: `${structuredContent.rows.length} rows`,
    });
    const { output, sent } = await runTool(viewing(answer, count, { isMcp: true }));
    expect(output).toBe(answer);
    expect(sent.value).toBe('20000 rows');
  });

  it('that does not has what is large bounded as one', async () => {
    const store = memoryStore();
    const extras = {
      structuredContent: { log },
      _meta: Object.fromEntries(Array.from({ length: 50 }, (_, id) => [id, log])),
    };
    const answer = { content: [{ type: 'text', text: 'ok' }], isError: false, ...extras };
    const view = (): ToolResultOutput => ({ type: 'text', value: 'ok' });
    const { output, sent } = await runTool(viewing(answer, view, { store, isMcp: true }));
    const { structuredContent, ...rest } = output as typeof answer;
    expect(rest).toEqual({ content: answer.content, isError: false });
    expect(JSON.parse(await keptOf(structuredContent, { store }))).toEqual(extras);
    expect(await countArtifacts(store)).toBe(1);
    expect(sent.value).toBe('ok');
  });

  it('that is of no MCP server is left to its author', async () => {
    const output = { content: ['block'], report: log };
    expect((await runTool(viewing(output, () => ({ type: 'text', value: 'ok' })))).output).toBe(output);
  });

  it.each<[string, unknown]>([
    ['without parts', { type: 'content' }],
    [
      'with a file that is no base64',
      { type: 'content', value: [{ type: 'file', mediaType: 'text/plain', data: { type: 'data', data: '_-8A' } }] },
    ],
  ])('never fails the tool: %s', async (_, view) => {
    const { read } = viewing({ ok: true }, () => view as ToolResultOutput);
    const output = await (read as unknown as { execute: (input: unknown) => Promise<unknown> }).execute({});
    expect(output).toEqual({ ok: true });
  });

  it('that throws for a getter of another name is not asked of it', async () => {
    const output = {
      name: 'n',
      get data() {
        throw new Error('not loaded');
      },
    };
    const { sent } = await runTool(viewing(output, ({ name }: { name: string }) => ({ type: 'text', value: name })));
    expect(sent.value).toBe('n');
  });
});
