import { call, failureOf, type Script } from './play';
import { runTests, summaryOf, type TestFailure } from './tests-script';

const again = ['Run the tests. What failed?'];

/** Runs the tests, tries to correct the value that a failure names, asks for approval, and runs the tests again. */
export function* fixScript(): Script {
  const run = yield* runTests();
  const [failure] = run.failures;
  if (!failure) return { text: `There is nothing to fix. ${summaryOf(run)}`, suggestions: again };
  const { place, expected, received, name } = failure;
  if (!place || expected === undefined || received === undefined) return { text: cannotFix(name), suggestions: again };

  const path = place.file;
  const say = `The failure points to ${path}:${place.line}. Opening it.`;
  const file = yield* call('readFile', { path }, { say });
  const patch = patchFor(file.text, { line: place.line, from: received, to: expected });
  if (patch === undefined) return { text: cannotFix(name), suggestions: again };

  const dryRun = yield* call(
    'editFile',
    { path, patch, dryRun: true },
    { say: `It has \`${received}\`; the test expects \`${expected}\`. Dry run first.` },
  );
  if (!/^The patch fits/.test(dryRun.text)) return { text: failureOf(dryRun) };
  const edit = yield {
    toolName: 'editFile',
    input: { path, patch, dryRun: false },
    say: 'The patch applies. Approve it to write the file.',
  };
  if (edit.outcome === 'denied')
    return { text: 'You rejected the change. Nothing was written, so the test still fails.', suggestions: again };
  if (edit.outcome !== 'answered' || !/^Changed /.test(edit.text)) return { text: failureOf(edit) };
  const after = yield* runTests();
  const start = after.failed === 0 ? 'Fixed.' : 'The change was written, but tests still fail.';
  return { text: `${start} ${summaryOf(after)}`, suggestions: again };
}

function cannotFix(name: TestFailure['name']): string {
  return `“${name}” fails, but its message does not say which line is wrong. Without an LLM, I cannot fix it.`;
}

/** A patch that replaces a text in one line; `undefined` if the line does not contain the text. */
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
