import { generateText, isStepCount, type ToolSet, tool } from 'ai';
import { createTaskTool, isTruncatedOutput, memoryStore, truncateToolOutputs } from 'ai-truncate';
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
import { answerWords } from './answer-words';
import { scriptedModel } from './scripted-model';

/** Asks the offline model with real tools around it; some of them may give other data. */
async function ask(prompt: string, { tools = {}, workspace = newWorkspace(), delegates = true }: Asked = {}) {
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
  const keeping = { store: memoryStore(), scope: 'chat' };
  const set = delegates
    ? truncateToolOutputs(own, { ...keeping, explore: { model: scriptedModel() } })
    : truncateToolOutputs(own, keeping);
  const result = await generateText({ model: scriptedModel(), tools: set, stopWhen: isStepCount(12), prompt });
  const calls = result.steps.flatMap((step) => step.toolCalls.map(({ toolName }) => toolName));
  return {
    ...result,
    text: result.finalStep.text,
    calls,
    outputOf: (name: string) => result.toolResults.find(({ toolName }) => toolName === name)?.output,
  };
}

interface Asked {
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
    expect(text).toContain('payments.timeoutMs changed from 30000 to 300');
    expect(text).toContain('was not charged');
    expect(text).toMatch(/\[read-server-logs:\d+\]\(\/a\/tool_\S+\.txt#L\d+\)/);
    const log = outputOf('readServerLogs');
    const task = outputOf('task') as { status: string; data: TaskData };
    expect(isTruncatedOutput(log) && log.data.preview).not.toContain('timeoutMs changed');
    expect(task.data.evidence.map(({ verified }) => verified)).toEqual([true, true]);
    expect(task.data.steps).toBeLessThan(6);
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
    expect(text).toMatch(/Not verified, the quote does not stand there: \[\S+:1\]\(\S+\)$/);
  });

  test('a different log gives a different answer', async () => {
    const lines = [
      '09:41 WARN  volume /data is 100% full because nightly backups are kept twice',
      '09:42 ERROR could not write order 77: no space left on volume /data',
    ];
    const { text } = await ask('Why did checkout fail last night?', {
      tools: { readServerLogs: logsOf(() => quietNightWith(lines)) },
    });
    expect(text).toContain('Line 2,502 says: `09:42 ERROR could not write order 77');
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
    expect(text).toContain('No line of the output stands out for ERROR');
  });

  test('without a sub-agent the model searches by itself', async () => {
    const { text, calls } = await ask('Why did checkout fail last night?', { delegates: false });
    expect(calls).toEqual(['readServerLogs', 'grepArtifacts', 'readArtifact']);
    expect(text).toContain('payments.timeoutMs changed from 30000 to 300');
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
  test('a question about orders becomes one exact query with an example', async () => {
    const { text, calls } = await ask('Which region had the highest refunds?');
    expect(calls).toEqual(['queryOrders', 'queryArtifact', 'queryArtifact', 'queryArtifact', 'grepArtifacts']);
    expect(text).toContain('Baltics is first: sum of total 88,116.30, count 328, where status is refunded.');
    expect(text).toMatch(/\| Baltics \| 88,116\.30 \| 328 \|/);
    expect(text).toMatch(/\[query-orders:\d+\]\(\/a\//);
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
    expect(text).toContain('North is first: sum of total 1,665, count 333, where status is refunded.');
  });

  test.each([
    [
      'How many orders were cancelled per product?',
      /.+ is first: count \d+, sum of total [\d,.]+, where status is cancelled/,
    ],
    ['What is the average order in Iberia?', /Of all records where region is Iberia: avg of total/],
    ['Which refund reason is the most often?', / is first: count/],
  ])('%s', async (question, answer) => {
    expect((await ask(question)).text).toMatch(answer);
  });
});

describe('tests and edits', () => {
  test('the answer names the failure with its details and lines', async () => {
    const { text, calls } = await ask('Run the tests. What failed?');
    expect(calls).toEqual(['runTests', 'grepArtifacts']);
    expect(text).toContain('1 failed | 2519 passed (2520), exit status 1');
    expect(text).toContain('shipping > IE > an order of 60.00 ships free');
    expect(text).toMatch(/\[run-tests:\d+-\d+\]\(\/a\//);
  });

  test('a failing test is fixed at the line that it names, after a dry run, and run again', async () => {
    const workspace = newWorkspace();
    const { text, calls } = await ask('Fix the failing test', { workspace });
    expect(calls).toEqual(['runTests', 'grepArtifacts', 'readFile', 'editFile', 'editFile', 'runTests']);
    expect(JSON.parse(String(workspace.read(testedFile))).IE).toEqual({ freeFrom: 60, fee: 5.9 });
    expect(text).toContain('Fixed: Tests 2520 passed (2520), exit status 0');
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

  test('an unknown question is answered with the list of known questions', async () => {
    const { text, calls } = await ask('Write a poem about the sea');
    expect(calls).toEqual([]);
    expect(text).toContain('I found no rule for this question');
    expect(text).toContain('Why did checkout fail last night?');
  });

  test('the answer names an MCP server whose tools are missing', async () => {
    const system = missingServerInstruction('The MCP server (npx x) cannot be used: it ended.');
    const { text } = await generateText({ model: scriptedModel(), instructions: system, prompt: 'call listTickets' });
    expect(text).toContain('The MCP server (npx x) cannot be used: it ended.');
  });
});

test('a record that the question names by its id is found, even when no sample contains it', async () => {
  const { text } = await ask('What did customer c-47147 order?');
  expect(text).toContain('customer is c-47147');
});

test('the model can answer every example that it offers', async () => {
  const examples = [...answerWords.unknown({ problem: undefined }).matchAll(/“([^”]+)”/g)].map(
    (match) => match[1] ?? '',
  );
  expect(examples.length).toBeGreaterThan(5);
  const conversational = ['search for deploy', 'show lines 120-140'];
  for (const example of examples.filter((each) => !conversational.includes(each))) {
    expect((await ask(example)).text, example).not.toContain('I found no rule');
  }
});
