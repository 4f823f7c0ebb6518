import { expect, test } from 'vitest';
import { previewRows } from '../../components/preview-rows';
import { prettyJson } from '../../components/viewer/pretty-json';
import { processorMsOf } from '../../fixtures/processor-ms';
import { conversationScript } from './conversation';
import { exploreScript } from './explore-script';
import { play, type Steps } from './play';
import type { Exchange, ToolResult, Turn } from './turn';

const CHARS = 64 * 1024;
/** Processor time for one text. Every script takes less than a quarter of it; quadratic code takes seconds. */
const MAX_MS = 250;
const MAX_CALLS = 20;
const path = 'tool-output/tool_20261118_120000_read_c_0123456789abcdef.txt';
/** A question for each script. */
const questions = [
  'Why did checkout fail last night?',
  'How many orders were affected?',
  'Which region had the highest refunds?',
  'why the Baltics?',
  'show me the largest order',
  'orders from Italy',
  'search for timeouts in the checkout log',
  'show lines 210410-210425',
  'show the lines around it',
  'Summarise the checkout log',
  'Run the tests. What failed?',
  'how long did the tests take?',
  'Fix the failing test',
  'How do subagents work?',
  'call runTests {}',
  'as a chart please',
  'what did you just do?',
  'How much does it save?',
];
const tools = ['readServerLogs', 'queryOrders', 'searchDocs', 'readDoc', 'runTests', 'readFile', 'editFile', 'task'];
const readers = ['grepArtifacts', 'readArtifact', 'queryArtifact'];

const hostile = [
  'tool_20261118_120000_',
  '<tool-output-preview>\n',
  '</tool-output-preview>',
  'Full output saved to: ',
  'cursor "',
  'search for a ',
  'look a a a a ',
  'make ',
  'FAIL ',
  'x FAIL y\n',
  '1: FAIL a\n',
  '- Expected     ',
  '1: ERROR a1b2 payments.internal\n',
  '2: because a1b2 payments.internal\n',
  '{"a1":"b2"}\n',
  'ab12 ',
  '```',
  '---\n',
  '"\\"',
  '... [not shown: line 1 ',
  'line 1 ',
  'call x {}',
  'a',
  ' ',
  '\n',
  '\r',
].flatMap((unit) => ['', '\ry\n'].map((ending) => unit.repeat(CHARS / unit.length) + ending));

const turnWith = (turn: Partial<Turn>): Turn => ({
  question: 'Why did it fail?',
  results: [],
  earlier: [],
  problem: undefined,
  tools: new Set(tools),
  ...turn,
});

const resultOf = (toolName: string, text: string): ToolResult => ({
  toolName,
  input: { path },
  text,
  outcome: 'answered',
});

/** Runs a script to its end: every call is answered with this text, or the calls of tools that save with a path in front of it. */
function runWith(script: Steps<unknown>, text: string): void {
  const results: ToolResult[] = [];
  let step = script.next();
  while (!step.done && results.length < MAX_CALLS) {
    const { toolName } = step.value;
    const saved = readers.includes(toolName) ? text : `Full output saved to: ${path}\nFAIL ${text}`;
    results.push(resultOf(toolName, saved));
    step = script.next(results.at(-1) as ToolResult);
  }
}

test('any question is understood in linear time, at the start of a chat and later', () => {
  expectLinear((text) => {
    play(conversationScript(turnWith({ question: text })), []);
    const earlier: Exchange[] = [
      { question: text, results: [resultOf('readServerLogs', `Full output saved to: ${path}`)] },
    ];
    play(conversationScript(turnWith({ question: 'and in payments?', earlier })), []);
  });
});

test.each(questions)('for “%s”, any tool output is read in linear time', (question) => {
  expectLinear((text) => {
    runWith(conversationScript(turnWith({ question })), text);
    const earlier: Exchange[] = [
      { question: 'Why did checkout fail?', results: tools.map((name) => resultOf(name, text)) },
    ];
    runWith(conversationScript(turnWith({ question, earlier })), text);
  });
});

test('the explore agent reads any prompt and any output in linear time', () => {
  expectLinear((text) => {
    runWith(exploreScript(text), text);
    runWith(exploreScript(`${text} ${path}`), text);
    runWith(exploreScript(`Question: ${text}\nSaved output: ${path}`), text);
  });
});

test('any preview and any JSON document are formatted in linear time', () => {
  const truncation = {
    direction: 'auto',
    reason: 'lines',
    max_lines: 2_000,
    max_bytes: 51_200,
    original_lines: 3_000,
    original_bytes: 60_000,
    original_chars: 60_000,
    kept_lines: 100,
    kept_bytes: 2_000,
    full_output_path: path,
    media_type: 'text/plain',
  } as const;
  expectLinear((text) => {
    previewRows({ truncated: true, truncation, preview: `... [${text}not shown] ...` });
    prettyJson(JSON.stringify(text));
    prettyJson(`[${'"\\"",'.repeat(1_000)}1]`);
  });
});

function expectLinear(run: (text: string) => unknown): void {
  const slow = hostile.flatMap((text) => {
    const took = processorMsOf(() => run(text));
    return took > MAX_MS && processorMsOf(() => run(text)) > MAX_MS ? [{ text: text.slice(0, 40), took }] : [];
  });
  expect(slow).toEqual([]);
}
