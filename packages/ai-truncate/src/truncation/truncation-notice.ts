import { endOfFirstBytes } from './byte-length.ts';
import { thousands } from './thousands.ts';
import { PREVIEW_TAG, visibleText } from './visible-text.ts';

/** How much of an output its preview shows. */
export interface ShownPart {
  unit: 'lines' | 'characters';
  shown: number;
  total: number;
  /** The preview tells what the output says in other words. */
  isSummary?: boolean;
}

export interface NoticeFacts {
  toolName: string;
  /** The tool itself said that it failed. */
  isError: boolean;
  part: ShownPart;
  /** Where the full output is; `null` when it could not be stored. */
  path: string | null;
}

/** The first line a model reads: that something is missing, how much, and where it is. */
export function truncationNotice({ toolName, isError, part, path }: NoticeFacts): string {
  const outcome = isError ? 'failed' : 'succeeded';
  const saved = path === null ? 'The rest was not saved and cannot be retrieved.' : `Full output saved to: ${path}`;
  return `${shortName(toolName)} ${outcome}, but its output is incomplete: ${shownPart(part)} shown. ${saved}`;
}

/**
 * The last line: what to do next, naming only tools that this agent can call; empty when there is nothing to name.
 * @param tools the names of the tools the agent can call.
 */
export function truncationHint({ path, tools }: { path: string | null; tools: readonly string[] }): string {
  if (path === null) return '';
  if (tools.includes('task')) {
    return 'Use task(agent="explore", prompt="…") with this path to have a sub-agent grep and read it (offset/limit). Do NOT read the full file yourself - delegate to save context.';
  }
  const uses = [];
  if (tools.includes('grepArtifacts')) uses.push('grepArtifacts to search the full output');
  if (tools.includes('readArtifact')) uses.push('readArtifact with offset/limit to view specific sections');
  return uses.length === 0 ? '' : `Use ${uses.join(', or ')}.`;
}

/** What the model reads for one output: notice, framed preview, hint. `text` is the notice, and the hint on the next line. */
export function modelText({ text, preview }: { text: string; preview: string }): string {
  const [notice = '', ...hint] = text.split('\n');
  return [notice, `<${PREVIEW_TAG}>`, preview, `</${PREVIEW_TAG}>`, ...hint].join('\n');
}

/** What a gap between two shown parts leaves out. Line numbers count from 1. */
export interface Gap {
  /** Whole lines. */
  lines: number;
  /** The number of the first of them. */
  from: number;
  chars?: number;
  /** The line before the gap is cut inside. */
  restOf?: number;
  /** The line behind the gap is cut inside. */
  startOf?: number;
}

/** The row that stands for what is not shown. */
export function gapRow({ lines, from, chars, restOf, startOf }: Gap): string {
  const parts = [];
  if (restOf !== undefined) parts.push(`the rest of line ${restOf}`);
  if (lines > 0) parts.push(count(lines, 'line'));
  if (chars !== undefined) parts.push(count(chars, 'character'));
  if (startOf !== undefined) parts.push(`the start of line ${startOf}`);
  const numbers = lines > 1 ? `: lines ${from}-${from + lines - 1}` : lines === 1 ? `: line ${from}` : '';
  return `... [${parts.join(', ')} not shown${numbers}] ...`;
}

/** A line out of the middle, with its true number. */
export function salientRow(row: { line: number; text: string; count: number; lastLine: number }): string {
  const repeats = row.count === 1 ? '' : ` [${thousands(row.count)} times, last in line ${row.lastLine}]`;
  return `${row.line}: ${row.text}${repeats}`;
}

function count(value: number, noun: string): string {
  return `${thousands(value)} ${noun}${value === 1 ? '' : 's'}`;
}

function shownPart({ unit, shown, total, isSummary }: ShownPart): string {
  if (isSummary) return `only a summary of ${thousands(total)} ${unit}`;
  return `${thousands(shown)} of ${thousands(total)} ${unit}`;
}

const MAX_NAME_BYTES = 64;

/** A model can invent a tool name of any length and content. */
function shortName(toolName: string): string {
  const name = visibleText(toolName.slice(0, MAX_NAME_BYTES)).replace(/\s+/g, ' ').trim() || 'The tool';
  const end = endOfFirstBytes(name, MAX_NAME_BYTES);
  return end < name.length || toolName.length > MAX_NAME_BYTES ? `${name.slice(0, end)}…` : name;
}
