/** What stands in the forms of older agents beside a preview. A model reads it. */

const MAX_HINT_CHARS = 512;

/** What to do next, as `truncationHint` wrote it: the line behind the notice. */
function hintIn(text: string): string {
  return (text.split('\n', 2)[1] ?? '').slice(0, MAX_HINT_CHARS);
}

/** For `hint` of {@link toOpenAgentic}: the path stands beside it. */
export function openAgenticHint({ text, path }: { text: string; path: string | null }): string {
  if (path === null) return 'The full output was not saved and cannot be retrieved.';
  const hint = hintIn(text);
  const next = hint === '' ? 'Search it, or read parts of it with offset/limit. Do NOT read the full file.' : hint;
  return `Full output saved to artifact_path. ${next}`;
}

/** For the text of {@link toOpenCode}, whose agents read files. */
export function openCodeHint({ text, path, isError }: { text: string; path: string | null; isError: boolean }): string {
  const outcome = `The tool call ${isError ? 'failed and' : 'succeeded but'} the output was truncated.`;
  if (path === null) return `${outcome} The full output was not saved and cannot be retrieved.`;
  const next = hintIn(text).startsWith('Use task(')
    ? 'Use the Task tool to have a subagent process this file with Grep and Read (with offset/limit). Do NOT read the full file yourself - delegate to save context.'
    : 'Use Grep to search the full content or Read with offset/limit to view specific sections.';
  return `${outcome} Full output saved to: ${path}\n${next}`;
}

/** The row for what is missing. */
export function openCodeGap({ removed, unit }: { removed: number; unit: 'lines' | 'bytes' }): string {
  return `...${removed} ${unit} truncated...`;
}
