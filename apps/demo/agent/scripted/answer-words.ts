import { formatted } from './formatted';
import type { TestRun } from './tests-rule';

interface Found {
  conclusion: string;
  /** Links to the lines that show it. */
  places: readonly string[];
  /** Links to lines where the quote was not found. */
  unverified?: readonly string[];
}

/** What the offline model says around what it found. What it found it never says by heart. */
export const answerWords = {
  unpaid:
    'The answers of an LLM that this demo pays for are used up for now. So the offline model answers: rules, no LLM. Ask again later.',
  unknown: ({ problem }: { problem: string | undefined }): string =>
    [
      'I am the offline model: a handful of rules, no LLM. I found no rule for this question. What I can do:',
      '- read the logs of checkout, payments or inventory and find what failed: “Why did checkout fail last night?”',
      '- answer questions about 20,000 orders: “Which region had the highest refunds?”, “How many orders were cancelled per product?”',
      '- run the tests, and fix what fails: “Run the tests. What failed?”, “Fix the failing test”',
      '- look something up in the documentation of the AI SDK: “How do subagents work?”',
      '- search the last saved output (“search for deploy”), show lines of it (“show lines 120-140”), or call a tool by its name (“call runTests {}”)',
      '',
      'With `OPENAI_API_KEY` set, an LLM answers here, with the same tools.',
      ...(problem === undefined ? [] : ['', problem]),
    ].join('\n'),

  readingLogs: 'I read the log of that service.',
  delegating: 'The log is too large to be read here. I have it searched by the explore agent.',
  noFailureShown: (question: string): string =>
    `The output was not saved, and the part of it that I was shown names no failure. I cannot answer “${question}” from it.`,
  finding: ({ conclusion, places, unverified = [] }: Found): string =>
    [
      conclusion,
      places.length > 0 && `Evidence: ${places.join(', ')}`,
      unverified.length > 0 && `Not verified, the quote does not stand there: ${unverified.join(', ')}`,
    ]
      .filter(Boolean)
      .join('\n\n'),

  readingOrders: 'I get all orders and ask the saved JSON one exact question.',
  nothingSaved: 'The orders were not saved, so there is nothing that I could query.',
  records: ({ conclusion, places, rows }: Found & { rows: readonly Record<string, unknown>[] }): string => {
    const columns = Object.keys(rows[0] ?? {});
    const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
    const table =
      rows.length <= 1
        ? []
        : [
            row(columns),
            row(columns.map(() => '---')),
            ...rows.map((each) => row(columns.map((name) => formatted(each[name])))),
          ];
    return [conclusion, table.join('\n'), places.length > 0 && `Evidence: ${places.join(', ')}`]
      .filter(Boolean)
      .join('\n\n');
  },

  runningTests: 'I run the tests.',
  tests: ({ summary, failures, link }: TestRun & { link: string | undefined }): string =>
    [
      `${summary}.`,
      ...failures.map(({ name, details }) => [`**${name}** failed:`, '', '```', ...details, '```'].join('\n')),
      link && `Evidence: ${link}`,
    ]
      .filter(Boolean)
      .join('\n\n'),
  nothingToFix: (summary: string): string => `There is nothing to fix: ${summary}.`,
  cannotFix: (name: string): string =>
    `“${name}” fails, but does not say which value of which line is wrong. Rules cannot fix that.`,
  readingFile: (path: string, line: number): string => `The test points at ${path}, line ${line}. I read it.`,
  tryingChange: (from: string, to: string): string =>
    `It says \`${from}\` where \`${to}\` is expected. I try the change first, without writing it.`,
  askingApproval: 'The patch fits. To write it I need your approval.',
  denied: 'You denied the change, so nothing was written. The test still fails.',
  fixed: ({ summary, failures }: TestRun): string =>
    failures.length === 0 ? `Fixed: ${summary}.` : `The change was written, but tests still fail: ${summary}.`,

  searchingDocs: 'I look it up in the documentation of the installed AI SDK.',
  noPage: (words: readonly string[]): string =>
    `The documentation has no page with ${words.join(', ') || 'these words'}.`,
  page: ({ path, title, paragraph }: { path: string; title: string; paragraph: string }): string =>
    [
      `From “${title}” (\`${path}\`):`,
      paragraph
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n'),
    ].join('\n\n'),

  lines: ({ heading, rows }: { heading: string; rows: readonly { link: string; text: string }[] }): string =>
    [heading, rows.map(({ link, text }) => `- ${link} \`${text.replaceAll('`', "'")}\``).join('\n')]
      .filter(Boolean)
      .join('\n\n'),
  answered: (toolName: string, text: string): string => [`\`${toolName}\` answered:`, '```', text, '```'].join('\n'),
  toolFailed: (toolName: string, text: string): string => `\`${toolName}\` could not do it: ${text.slice(0, 500)}`,
};
