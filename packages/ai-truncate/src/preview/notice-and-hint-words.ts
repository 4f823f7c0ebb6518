import { modelText } from '../text/frame.ts';
import { byteLength, endOfFirstBytes, thousands } from '../text/utf.ts';
import type { ResolvedLimits } from './limits.ts';
import type { CutLimits } from './truncate-text.ts';

/** How much of an output its preview shows: so much of it, or what stands for it as a whole. */
export type ShownPart =
  | { kind: 'part'; unit: 'lines' | 'characters'; shown: number; total: number }
  | { kind: 'sample' | 'summary'; unit: 'lines' | 'characters'; total: number };

export interface NoticeFacts {
  toolName: string;
  /** The tool itself said that it failed. */
  isError: boolean;
  /** Nothing of it was read after it had become too large to keep: what is counted is what came until then. @default true */
  isComplete?: boolean;
  /** Its tool changed it while it was read. @default false */
  hasChanged?: boolean;
  part: ShownPart;
  /** Where the full output is; `null` when it could not be stored. */
  path: string | null;
}

/** The first line a model reads: that something is missing, how much, and where it is. */
export function truncationNotice(facts: NoticeFacts): string {
  const { toolName, isError, isComplete = true, hasChanged = false, part, path } = facts;
  const outcome = isError ? 'failed' : 'succeeded';
  const shown = shownPart(part, isComplete ? '' : 'more than ');
  return `${shownToolName(toolName)} ${outcome}, but its output is incomplete: ${shown} shown. ${whereTheRestIs(path, { isComplete, hasChanged })}`;
}

type SaveFacts = Required<Pick<NoticeFacts, 'isComplete' | 'hasChanged'>>;

function whereTheRestIs(path: string | null, { isComplete, hasChanged }: SaveFacts): string {
  if (path !== null) return `Full output saved to: ${path}`;
  if (hasChanged) return 'It changed after the tool had returned it: the rest was not saved and cannot be retrieved.';
  return isComplete
    ? 'The rest was not saved and cannot be retrieved.'
    : 'It became too large to save: the rest was not read and cannot be retrieved.';
}

/** What a person reads while a tool still works; the model reads it when the run ends there. */
export function runningNotice({ toolName, part }: Pick<NoticeFacts, 'toolName' | 'part'>): string {
  return `${shownToolName(toolName)} is still running: ${shownPart(part)} shown.`;
}

/** Tools that a hint can name. */
export const HINTED_TOOLS: readonly string[] = ['task', 'grepArtifacts', 'readArtifact', 'queryArtifact'];

/** What decides which tools a hint names. */
export interface HintFacts {
  path: string | null;
  /** The names of the tools the agent can call. */
  tools: readonly string[];
  /** The output looks like records, which can be queried. @default false */
  holdsRecords?: boolean | undefined;
  /** The tool that may be called once more where nothing was kept. */
  repeatable?: string | undefined;
}

/** The last line: what to do next, naming only tools that this agent can call; empty when there is nothing to name. */
export function truncationHint({ path, tools, holdsRecords = false, repeatable }: HintFacts): string {
  if (path === null) {
    if (repeatable === undefined) return '';
    return `To see more of it, call ${shownToolName(repeatable)} again with narrower parameters, if it has any.`;
  }
  if (tools.includes('task')) {
    return 'Use task(agent="explore", prompt="…") with this path to have a sub-agent grep and read it (offset/limit). Do NOT read the full file yourself - delegate to save context.';
  }
  const uses = [];
  if (tools.includes('grepArtifacts')) uses.push('grepArtifacts to search the full output');
  if (tools.includes('readArtifact')) uses.push('readArtifact with offset/limit to view specific sections');
  const hints = uses.length === 0 ? [] : [`Use ${uses.join(', or ')}.`];
  if (tools.includes('queryArtifact')) {
    const query = 'se queryArtifact to filter, sort and count its records.';
    if (holdsRecords) hints.push(`U${query}`);
    // A reader that is the only one is named for what it can do, also where that may be nothing.
    else if (uses.length === 0) hints.push(`If it is JSON or CSV, u${query}`);
  }
  return hints.join(' ');
}

function shownPart(part: ShownPart, moreThan = ''): string {
  const total = `${moreThan}${thousands(part.total)} ${part.unit}`;
  return part.kind === 'part' ? `${thousands(part.shown)} of ${total}` : `only a ${part.kind} of its ${total}`;
}

const MAX_NAME_BYTES = 64;

/** A model can invent a tool name of any length and content; spaces would let it write the notice, or a line of a log. */
export function shownToolName(toolName: string): string {
  const name = toolName.slice(0, MAX_NAME_BYTES).replace(/[^\p{L}\p{N}_.:/-]/gu, '_');
  const end = endOfFirstBytes(name, MAX_NAME_BYTES);
  if (end === 0) return 'The tool';
  return end < name.length || toolName.length > MAX_NAME_BYTES ? `${name.slice(0, end)}…` : name;
}

/** The facts behind notice and hint, except how much is shown. */
export type OutputFacts = Omit<NoticeFacts, 'part'> & HintFacts;

/** How the budget of one output is shared: so much for the preview, the rest for the words around it. */
export interface PreviewPlan {
  /** The room for the preview alone. */
  limits: CutLimits;
  /** The `text` of a `TruncatedOutput`: the notice and, on the next line, the hint when there is one. */
  noticeAndHint(part: ShownPart): string;
}

/** In less room a preview says nothing; rather than that, the hint goes. */
const LEAST_ROOM = 256;

/**
 * Leaves so much to the preview that all the model reads is in the budget, also when the notice gets as long as it can.
 * A path may take up to 512 bytes of it.
 */
export function planPreview(limits: ResolvedLimits, output: { chars: number; facts: OutputFacts }): PreviewPlan {
  const full = planWith(limits, output);
  return full.limits.maxBytes >= LEAST_ROOM
    ? full
    : planWith(limits, { ...output, facts: { ...output.facts, tools: [], repeatable: undefined } });
}

function planWith(limits: ResolvedLimits, { chars, facts }: { chars: number; facts: OutputFacts }): PreviewPlan {
  const hint = truncationHint(facts);
  const noticeAndHint = (part: ShownPart) => truncationNotice({ ...facts, part }) + (hint === '' ? '' : `\n${hint}`);
  const overhead = (part: ShownPart) => byteLength(modelText({ text: noticeAndHint(part), preview: '' }));
  const longest: ShownPart[] = [
    { kind: 'part', unit: 'characters', shown: chars, total: chars },
    { kind: 'summary', unit: 'characters', total: chars },
  ];
  const room = limits.previewBytes - Math.max(...longest.map(overhead));
  const { maxLines, maxChars } = limits;
  return { limits: { maxLines, maxBytes: Math.max(0, room), maxChars }, noticeAndHint };
}

const LOOKED_AT = 8192;

/**
 * Whether an output begins like records that can be queried: objects in a JSON array, JSON lines, or a table with a header. The
 * hint would mislead elsewhere, so whatever is in doubt is not taken for records.
 */
export function looksLikeRecords(head: string): boolean {
  const start = head.slice(0, LOOKED_AT);
  if (/^[\s\ufeff]*\[\s*\{\s*["}]/.test(start)) return true;
  // The first line break is the one that is matched: with a choice, a row of blank lines would be tried from each of them.
  if (/^[\s\ufeff]*\{\s*["}]/.test(start)) return /:\s*\[\s*\{\s*"|\}[^\S\n]*\n\s*\{\s*"/.test(start);
  // Quoted cells may hold delimiters.
  const rows = start.replace(/"[^"\n]*"/g, 'cell').split('\n', 1 + ROWS_OF_A_TABLE);
  if (rows.length <= ROWS_OF_A_TABLE) return false;
  return [',', '\t', ';'].some((delimiter) => {
    const [header = [], ...cells] = rows.slice(0, ROWS_OF_A_TABLE).map((row) => row.split(delimiter));
    const isHeader = header.length > 1 && header.every((name) => COLUMN_NAME.test(name));
    return isHeader && cells.every(({ length }) => length === header.length);
  });
}

const ROWS_OF_A_TABLE = 3;
/** A name is neither a number nor a sentence. */
const COLUMN_NAME = /^[\s\ufeff]*[^\d\s][^\n]{0,39}$/;
