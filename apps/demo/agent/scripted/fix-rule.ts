import { answerWords } from './answer-words';
import type { Rule } from './rule';
import { runAndRead, type TestFailure } from './tests-rule';
import { lastOf, type Reply, type ToolResult } from './turn';

/** Runs the tests, mends the value that one of them names, tries the change, asks for approval, and runs the tests again. */
export const fixRule: Rule = {
  matches: ({ question }) =>
    (/\b(fix|repair|correct|mend)\b/i.test(question) || (/\bmake\b/i.test(question) && /\bpass\b/i.test(question))) &&
    /\b(tests?|failing|failure|it)\b/i.test(question),
  next({ results }) {
    const applied = results.findLastIndex((result) => isEdit(result, false) && isApplied(result));
    if (applied !== -1) return afterChange(results.slice(applied + 1));
    const run = runAndRead({ results });
    if (!('summary' in run)) return run;
    const [failure] = run.failures;
    if (!failure) return { text: answerWords.nothingToFix(run.summary) };
    return change(failure, results);
  },
};

function change(failure: TestFailure, results: readonly ToolResult[]): Reply {
  const { place, expected, received } = failure;
  if (!place || expected === undefined || received === undefined) return { text: answerWords.cannotFix(failure.name) };
  const path = place.file;
  const file = lastOf(results, 'readFile');
  if (!file)
    return { text: answerWords.readingFile(path, place.line), call: { toolName: 'readFile', input: { path } } };
  if (file.outcome !== 'answered') return { text: answerWords.toolFailed('readFile', file.text) };
  const patch = patchFor(file.text, { line: place.line, from: received, to: expected });
  if (patch === undefined) return { text: answerWords.cannotFix(failure.name) };

  const tried = results.find((result) => isEdit(result, true));
  if (!tried) return { text: answerWords.tryingChange(received, expected), call: edit({ path, patch, dryRun: true }) };
  if (!/^The patch fits/.test(tried.text)) return { text: answerWords.toolFailed('editFile', tried.text) };
  const real = results.find((result) => isEdit(result, false));
  if (!real) return { text: answerWords.askingApproval, call: edit({ path, patch, dryRun: false }) };
  return { text: real.outcome === 'denied' ? answerWords.denied : answerWords.toolFailed('editFile', real.text) };
}

function afterChange(results: readonly ToolResult[]): Reply {
  const run = runAndRead({ results: [...results] });
  if (!('summary' in run)) return run;
  return { text: answerWords.fixed(run) };
}

function edit(input: { path: string; patch: string; dryRun: boolean }): Reply['call'] {
  return { toolName: 'editFile', input };
}

function isEdit({ toolName, input }: ToolResult, dryRun: boolean): boolean {
  return toolName === 'editFile' && (input.dryRun === true) === dryRun;
}

function isApplied({ outcome, text }: ToolResult): boolean {
  return outcome === 'answered' && /^Changed /.test(text);
}

/** A patch that replaces a text in one line; nothing when that line does not have it. */
function patchFor(file: string, { line, from, to }: { line: number; from: string; to: string }): string | undefined {
  const lines = file.split('\n');
  const old = lines[line - 1];
  if (!old?.includes(from)) return undefined;
  const before = lines.slice(Math.max(0, line - 2), line - 1);
  const after = lines.slice(line, line + 1);
  const count = before.length + 1 + after.length;
  const start = line - before.length;
  return [
    `@@ -${start},${count} +${start},${count} @@`,
    ...before.map((text) => ` ${text}`),
    `-${old}`,
    // A function, because `$'` in a replacement string would insert the rest of the line.
    `+${old.replace(from, () => to)}`,
    ...after.map((text) => ` ${text}`),
  ].join('\n');
}
