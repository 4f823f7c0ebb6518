import { expect, test } from 'vitest';
import { previewRows } from '../../components/preview-rows';
import { prettyJson } from '../../components/viewer/pretty-json';
import { processorMsOf } from '../../fixtures/processor-ms';
import { callRule } from './call-rule';
import { docsRule } from './docs-rule';
import { exploreReply } from './explore-reply';
import { fixRule } from './fix-rule';
import { logsRule } from './logs-rule';
import { ordersRule } from './orders-rule';
import { searchRule } from './search-rule';
import { testsRule } from './tests-rule';
import type { Turn } from './turn';

const CHARS = 64 * 1024;
/** Processor time for one text. Every rule takes less than a quarter of it; quadratic code takes seconds. */
const MAX_MS = 250;
const path = 'tool-output/tool_20261118_120000_read_c_0123456789abcdef.txt';
const rules = { callRule, docsRule, fixRule, logsRule, ordersRule, searchRule, testsRule };
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
const resultsWith = (text: string, toolNames: readonly string[]) =>
  toolNames.map((toolName) => ({ toolName, input: {}, text, outcome: 'answered' as const }));

test.each(Object.entries(rules))('%s reads any question in linear time', (_name, rule) => {
  const earlier = resultsWith(`Full output saved to: ${path}`, ['readServerLogs']);
  expectLinear((text) => {
    const turn = turnWith({ question: text, earlier });
    rule.matches(turn);
    rule.next(turn);
  });
});

test.each(Object.entries(rules))('%s reads any tool output in linear time', (_name, rule) => {
  expectLinear((text) => {
    rule.next(turnWith({ results: resultsWith(text, tools) }));
    const saved = resultsWith(`Full output saved to: ${path}\nFAIL ${text}`, tools);
    rule.next(turnWith({ results: [...saved, ...resultsWith(text, readers)] }));
    rule.next(turnWith({ earlier: saved, results: resultsWith(text, readers), question: 'search for it' }));
  });
});

test('the explore agent reads any prompt and any output in linear time', () => {
  expectLinear((text) => {
    for (const name of [path, path.replace('.txt', '.json')]) {
      exploreReply(turnWith({ question: text }));
      exploreReply(turnWith({ question: `${text} ${name}` }));
      exploreReply(
        turnWith({ question: `Question: ${text}\nSaved output: ${name}`, results: resultsWith(text, readers) }),
      );
      const answers = [...resultsWith(text, readers), ...resultsWith(text, readers)];
      exploreReply(turnWith({ question: `Question: ${text}\nSaved output: ${name}`, results: answers }));
    }
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
