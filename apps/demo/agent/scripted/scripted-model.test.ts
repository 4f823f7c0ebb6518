import { generateText, isStepCount, type ModelMessage, type ToolSet, tool } from 'ai';
import { createTaskTool, isTruncatedOutput, memoryStore, truncateToolOutputs } from 'ai-truncate';
import type { ArtifactStore } from 'ai-truncate/store';
import type { TaskData } from 'ai-truncate/ui';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { missingServerInstruction } from '../chat-instructions';
import { editFileTool } from '../edit-file';
import { queryOrders } from '../query-orders';
import { readDoc } from '../read-doc';
import { readFileTool } from '../read-file';
import { runTestsTool } from '../run-tests';
import { searchDocs } from '../search-docs';
import { serverLog } from '../server-log';
import { testedFile } from '../shipping-tests';
import { toStream } from '../text-stream';
import { type Workspace, workspaceOf } from '../workspace';
import { SCRIPTED_PROVIDER, scriptedModel } from './scripted-model';

const model = scriptedModel({ thinkingMs: 0 });

/** Asks the scripted model with real tools around it. Some of them may give other data. */
async function ask(
  prompt: string | ModelMessage[],
  { tools = {}, workspace = newWorkspace(), delegates = true, store = memoryStore() }: Asked = {},
) {
  const own: ToolSet = {
    readServerLogs: logsOf(() => serverLog({ service: 'checkout', hours: 12, bytes: 2_000_000 })),
    queryOrders,
    searchDocs,
    readDoc,
    runTests: runTestsTool(workspace),
    readFile: readFileTool(workspace),
    editFile: editFileTool(workspace),
    ...tools,
  };
  const keeping = { store, scope: 'chat' };
  const set = delegates
    ? truncateToolOutputs(own, { ...keeping, explore: { model } })
    : truncateToolOutputs(own, keeping);
  const result = await generateText({ model, tools: set, stopWhen: isStepCount(12), prompt });
  const calls = result.steps.flatMap((step) => step.toolCalls.map(({ toolName }) => toolName));
  return {
    finalStep: result.finalStep,
    responseMessages: result.responseMessages,
    text: result.finalStep.text,
    calls,
    outputOf: (name: string) => result.toolResults.find(({ toolName }) => toolName === name)?.output,
  };
}

interface Asked {
  store?: ArtifactStore;
  tools?: ToolSet;
  workspace?: Workspace;
  delegates?: boolean;
}

const newWorkspace = (files: Record<string, string> = {}) =>
  workspaceOf(new Map(Object.entries(files)), async () => {});

const logsOf = (log: () => Iterable<string>) =>
  tool({
    inputSchema: z.object({ service: z.string(), hours: z.number() }),
    execute: () => toStream(log()[Symbol.iterator]()),
  });

/** 5,000 quiet lines with these in their middle. */
function* quietNightWith(lines: string[]): Generator<string> {
  for (let index = 0; index < 2_500; index++) yield `09:${index} INFO  all is well in place ${index}\n`;
  for (const line of lines) yield `${line}\n`;
  for (let index = 2_500; index < 5_000; index++) yield `09:${index} INFO  all is well in place ${index}\n`;
}

describe('logs', () => {
  test('a question about a failure is delegated, and the answer has the cause, its numbers and verified evidence', async () => {
    const { text, calls, outputOf } = await ask('Why did checkout fail last night?');
    expect(calls).toEqual(['readServerLogs', 'task']);
    expect(text).toContain('Deploy 2026.11.18-1 cut `payments.timeoutMs` from 30,000 to 300 ms.');
    expect(text).toMatch(
      /\d+ orders were not charged between 00:03:3\d and 00:2\d:\d\d UTC, until `on-call` rolled back/,
    );
    expect(text).toMatch(/\[read-server-logs:\d+\]\(\/a\/tool_\S+\.txt#L\d+\)/);
    const log = outputOf('readServerLogs');
    const task = outputOf('task') as { status: string; data: TaskData };
    expect(isTruncatedOutput(log) && log.data.preview).not.toContain('timeoutMs changed');
    expect(task.data.evidence.map(({ verified }) => verified)).toEqual([true, true, true]);
    expect(task.data.steps).toBeLessThan(9);
  });

  test('a row of evidence that a sub-agent writes into its conclusion is not linked', async () => {
    const explore = {
      description: 'Searches.',
      run: async (prompt: string) => {
        const [path = ''] = /tool-output\/\S+\.txt/.exec(prompt) ?? [];
        return {
          conclusion: `It was the cache.\nEvidence:\n- ${path} line 120\u2028- ${path} line 121`,
          evidence: [{ path, startLine: 1, endLine: 1, quote: 'all is well in place 0' }],
        };
      },
    };
    const task = createTaskTool({ agents: { explore }, store: memoryStore(), scope: 'other' });
    const { text } = await ask('Why did checkout fail last night?', { tools: { task }, delegates: false });
    expect(text).toContain('It was the cache.\nEvidence:\n- ');
    expect(text).not.toMatch(/:12[01]\]/);
    expect(text).toMatch(/Unverified, not found at that line: \[\S+:1\]\(\S+\)$/);
  });

  test('a different log gives a different answer', async () => {
    const lines = [
      '09:41 WARN  volume /data is 100% full because nightly backups are kept twice',
      '09:42 ERROR could not write order 77: no space left on volume /data',
    ];
    const { text } = await ask('Why did checkout fail last night?', {
      tools: { readServerLogs: logsOf(() => quietNightWith(lines)) },
    });
    expect(text).toContain('1 line says `could not write order 77');
    expect(text).toContain('Just before the first failure, line 2,501 says:');
    expect(text).toContain('because nightly backups are kept twice');
    expect(text).not.toContain('timeoutMs');
  });

  test('the words of the question decide the search', async () => {
    const lines = [
      '09:41 INFO  certificate of bank.example was renewed',
      '09:42 INFO  gift vouchers were imported: 512',
    ];
    const { text } = await ask('What do the logs say about vouchers?', {
      tools: { readServerLogs: logsOf(() => quietNightWith(lines)) },
    });
    expect(text).toContain('gift vouchers were imported: 512');
    expect(text).not.toContain('certificate');
  });

  test('a log without a failure gives an answer without a failure', async () => {
    const { text } = await ask('Which errors are in the logs?', {
      tools: { readServerLogs: logsOf(() => quietNightWith([])) },
    });
    expect(text).toContain('No line reports a failure. Each of these words is in 0 lines of the log: ERROR');
  });

  test('without a sub-agent the model searches by itself', async () => {
    const { text, calls } = await ask('Why did checkout fail last night?', { delegates: false });
    expect(new Set(calls)).toEqual(new Set(['readServerLogs', 'grepArtifacts', 'readArtifact']));
    expect(text).toContain('cut `payments.timeoutMs` from 30,000 to 300 ms');
  });

  test('the answer says that a tool failed', async () => {
    const broken = tool({
      inputSchema: z.object({}),
      execute: (): string => {
        throw new Error('log server is away');
      },
    });
    const { text } = await ask('Read the logs', { tools: { readServerLogs: broken } });
    expect(text).toContain('log server is away');
  });
});

describe('records', () => {
  test('a question about orders becomes an exact query, and what stands out is explained', async () => {
    const { text, calls } = await ask('Which region had the highest refunds?');
    expect(calls).toEqual(['queryOrders', 'queryArtifact', 'queryArtifact', 'queryArtifact']);
    expect(text).toContain(
      'Highest: **Baltics**, with €88,116.30 in 328 refunded orders, 3.1 times as much as DACH (€28,086.10). 212 of the 328 are for Trail tent 2P.',
    );
    expect(text).toMatch(
      /Evidence: query over \[query-orders\]\(\/a\/\S+\), `status = refunded by region`: 1,416 of 20,000 records match\.$/,
    );
  });

  test('different orders give a different answer', async () => {
    const orders = Array.from({ length: 2_000 }, (_, id) => ({
      id,
      region: id % 2 ? 'North' : 'South',
      total: id % 2 ? 5 : 1,
      status: id % 3 ? 'paid' : 'refunded',
    }));
    const other = tool({ inputSchema: z.object({}), execute: () => ({ orders }) });
    const { text } = await ask('Which region had the highest refunds?', { tools: { queryOrders: other } });
    expect(text).toContain('Highest: **North**, with €1,665.00 in 333 refunded orders');
  });

  test('a second question about the orders uses the saved ones', async () => {
    const store = memoryStore();
    const before = await ask('How many orders were refunded in July?', { store });
    const messages: ModelMessage[] = [
      { role: 'user', content: 'How many orders were refunded in July?' },
      ...before.responseMessages,
      { role: 'user', content: 'And in August?' },
    ];
    const { calls, text } = await ask(messages, { store });
    expect(calls).toEqual(['queryArtifact']);
    expect(text).toMatch(/^\*\*\d+\*\* refunded orders in August 2026/);
  });
});

describe('tests and edits', () => {
  test('the answer names the failure with its details and lines', async () => {
    const { text, calls } = await ask('Run the tests. What failed?');
    expect(calls).toEqual(['runTests', 'grepArtifacts']);
    expect(text).toContain('1 of 2,520 tests failed, 2,519 passed.');
    expect(text).toContain('shipping > IE > an order of 60.00 ships free');
    expect(text).toMatch(/\[run-tests:\d+-\d+\]\(\/a\//);
  });

  test('a failing test is fixed at the line that it names, after a dry run, and run again', async () => {
    const workspace = newWorkspace();
    const { text, calls } = await ask('Fix the failing test', { workspace });
    expect(calls).toEqual(['runTests', 'grepArtifacts', 'readFile', 'editFile', 'editFile', 'runTests']);
    expect(JSON.parse(String(workspace.read(testedFile))).IE).toEqual({ freeFrom: 60, fee: 5.9 });
    expect(text).toContain('Fixed. All 2,520 tests pass.');
  });

  test('a different mistake has a different fix', async () => {
    const right = JSON.parse(String(newWorkspace().read(testedFile)));
    const wrong = { ...right, IE: { freeFrom: 60, fee: 5.9 }, PL: { freeFrom: 40.5, fee: 4.5 } };
    const workspace = newWorkspace({ [testedFile]: JSON.stringify(wrong, null, 2) });
    await ask('Fix the failing test', { workspace });
    expect(JSON.parse(String(workspace.read(testedFile)))).toMatchObject({ PL: { freeFrom: 40, fee: 4.5 } });
  });

  test('when no test fails, there is no fix', async () => {
    const workspace = newWorkspace();
    await ask('Fix the failing test', { workspace });
    const { text, calls } = await ask('Fix the failing test', { workspace });
    expect(calls).toEqual(['runTests']);
    expect(text).toContain('There is nothing to fix');
  });
});

describe('other questions', () => {
  test('a question about the SDK is answered with a paragraph of its documentation', async () => {
    const { text, calls } = await ask('How do subagents work?');
    expect(calls).toEqual(['searchDocs', 'readDoc']);
    expect(text).toContain('From “Subagents” (`03-agents/06-subagents.mdx`)');
  });

  test('a tool can be called by its name', async () => {
    const echo = tool({ inputSchema: z.object({ message: z.string() }), execute: ({ message }) => `heard ${message}` });
    expect((await ask('call echo {"message":"hello"}', { tools: { echo } })).text).toContain('heard hello');
  });

  test('an answer to an unknown question names the unknown words and offers known questions', async () => {
    const { text, calls, finalStep } = await ask('Write a poem about the sea');
    expect(calls).toEqual([]);
    expect(text).toContain('I did not understand “Write”, “poem”, “sea”.');
    expect(finalStep.providerMetadata?.[SCRIPTED_PROVIDER]).toMatchObject({
      isUnclear: true,
      suggestions: expect.arrayContaining(['Why did checkout fail last night?']),
    });
  });

  test('the answer names an MCP server whose tools are missing', async () => {
    const system = missingServerInstruction('The MCP server (npx x) cannot be used: it ended.');
    const { text } = await generateText({ model, instructions: system, prompt: 'call listTickets' });
    expect(text).toContain('The MCP server (npx x) cannot be used: it ended.');
  });
});
