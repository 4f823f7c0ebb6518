import { type InferUITools, tool } from 'ai';
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { ChatTools } from './chat-message';
import { boundedMcpTools, chatTools } from './chat-tools';
import { scriptedModel } from './scripted/scripted-model';
import { workspaceOf } from './workspace';

const tools = chatTools({
  chatKey: '6f1c1d2e-8a53-4d0e-9b3a-1f2e3d4c5b6a',
  workspace: workspaceOf(new Map(), async () => {}),
  exploreModel: scriptedModel(),
});
type Described = keyof ChatTools;
type Built = InferUITools<typeof tools>;

test('the page shows the tools with their true kinds', () => {
  expectTypeOf<keyof Built>().toEqualTypeOf<Described>();
  // Each way: an output that is missing here would never be shown, one too many could never come.
  expectTypeOf<{ [NAME in Described]: Built[NAME]['output'] }>().toEqualTypeOf<{
    [NAME in Described]: ChatTools[NAME]['output'];
  }>();
  expectTypeOf<{ [NAME in Described]: Built[NAME]['input'] }>().toMatchTypeOf<{ [NAME in Described]: unknown }>();
  const names: Record<Described, true> = {
    readServerLogs: true,
    queryOrders: true,
    searchDocs: true,
    readDoc: true,
    runTests: true,
    readFile: true,
    editFile: true,
    readArtifact: true,
    grepArtifacts: true,
    queryArtifact: true,
    task: true,
  };
  expect(Object.keys(tools).sort()).toEqual(Object.keys(names).sort());
});

test('an MCP tool with the name of a demo tool is renamed', () => {
  const served = {
    readFile: tool({ inputSchema: z.object({}), execute: () => 'served' }),
    other: tool({ inputSchema: z.object({}), execute: () => 'x' }),
  };
  expect(Object.keys(boundedMcpTools(served, { chatKey: 'chat', taken: tools }))).toEqual(['mcp_readFile', 'other']);
});
