import { requireOption, requireOptions } from '../options.ts';
import { isPlainRecord } from '../protocol/guards.ts';
import { modelText } from '../text/frame.ts';
import { byteLength, endOfFirstBytes, shortened, thousands } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';
import type { TextKind } from './kind-scan.ts';
import type { ResolvedLimits } from './limits.ts';
import type { CutLimits } from './truncate-text.ts';

/** The part of an output that its preview shows, or the kind of preview that describes the whole output. */
export type ShownPart =
  | { kind: 'part'; unit: 'lines' | 'characters'; shown: number; total: number }
  | { kind: 'sample' | 'summary'; unit: 'lines' | 'characters'; total: number };

export interface NoticeFacts {
  toolName: string;
  /** The tool itself reported a failure. */
  isError: boolean;
  /**
   * The output was read to its end. Otherwise it became too large to save, and the counts cover only its beginning. @default true
   */
  isComplete?: boolean;
  /** The tool changed the output while it was read. @default false */
  hasChanged?: boolean;
  /** The shown lines belong to the text view, which only the readers of this library know. @default false */
  hasView?: boolean | undefined;
  part: ShownPart;
  /** The path of the full output; `null` if it could not be stored. */
  path: string | null;
  /** The application does not save outputs of this tool. @default false */
  isUnsavedByChoice?: boolean | undefined;
}

/** The first line that the model sees: the output is incomplete, how much is shown, and where the rest is. */
export function truncationNotice(facts: NoticeFacts): string {
  const { toolName, isError, isComplete = true, hasChanged = false, hasView = false, part, path } = facts;
  const { isUnsavedByChoice = false } = facts;
  const outcome = isError ? FAILED : 'succeeded';
  const shown = shownPart(part, isComplete ? '' : 'more than ');
  const numbering = hasView && path !== null && part.kind === 'part' ? `${LINE_NUMBERS} ` : '';
  return `${shownToolName(toolName)} ${outcome}${INCOMPLETE}${shown} shown. ${numbering}${whereTheRestIs(path, { isComplete, hasChanged, isUnsavedByChoice })}`;
}

const FAILED = 'failed';
const INCOMPLETE = ', but its output is incomplete: ';
/** The words before a path. */
export const SAVED_TO = 'Full output saved to: ';
const NOT_SAVED_BY_CHOICE = "This tool's outputs are not saved.";

/** Whether a notice of this library is about the output of a failed tool, or about an output that was not saved by choice. */
export function isFinalNotice(notice: string): boolean {
  return notice.includes(` ${FAILED}${INCOMPLETE}`) || notice.includes(NOT_SAVED_BY_CHOICE);
}

const LINE_NUMBERS = 'Line numbers are those of readArtifact.';

interface SaveFacts {
  isComplete: boolean;
  hasChanged: boolean;
  isUnsavedByChoice: boolean;
}

function whereTheRestIs(path: string | null, { isComplete, hasChanged, isUnsavedByChoice }: SaveFacts): string {
  if (path !== null) return `${SAVED_TO}${path}`;
  if (isUnsavedByChoice) return NOT_SAVED_BY_CHOICE;
  if (hasChanged)
    return 'It changed after the tool had returned it, so the rest was not saved and cannot be retrieved.';
  return isComplete
    ? 'The rest was not saved and cannot be retrieved.'
    : 'It became too large to save, so the rest was not read and cannot be retrieved.';
}

/** The text for people while a tool is still running. The model sees it too if the run ends there. */
export function runningNotice({ toolName, part }: Pick<NoticeFacts, 'toolName' | 'part'>): string {
  return `${shownToolName(toolName)} is still running: ${shownPart(part)} shown.`;
}

/** The tools of this library that a hint can name, by their purpose. */
export const OWN_TOOLS = {
  task: 'task',
  grep: 'grepArtifacts',
  read: 'readArtifact',
  query: 'queryArtifact',
} as const;
export const HINT_KINDS: readonly (keyof typeof OWN_TOOLS)[] = ['task', 'grep', 'read', 'query'];

/** The tools that one call may use, by their purpose. */
export type HintedTools = { readonly [KIND in keyof typeof OWN_TOOLS]?: string };

/** The tools to name, the line itself, or no hint. */
export type Hint = HintedTools | string | false;

/** Throws unless the option names tools, has the other form, or is `false` or missing. */
export function requireHint(value: unknown, others: 'a function' | 'a line'): void {
  const isOther = typeof value === (others === 'a line' ? 'string' : 'function');
  if (value === undefined || value === false || isOther) return;
  const expected = `names of tools by ${HINT_KINDS.join(', ')}, or ${others}, or \`false\``;
  requireOption(isPlainRecord(value), { option: 'hint', value, expected });
  requireOptions(value, { known: HINT_KINDS, at: 'hint' });
  for (const [kind, name] of Object.entries(value)) {
    const isName = name === undefined || name === false || (typeof name === 'string' && name !== '');
    requireOption(isName, { option: `hint.${kind}`, value: name, expected: 'the name of a tool, or `false`' });
  }
}

/** The facts that determine a hint. */
export interface HintFacts {
  toolName: string;
  path: string | null;
  hint: Hint;
  /** The output looks like records, which can be queried. @default false */
  holdsRecords?: boolean | undefined;
  /** The same call may be repeated without harm. @default false */
  isRepeatable?: boolean | undefined;
}

/** The last line, which suggests the next step. It names only tools that this call may use. */
export function truncationHint({
  toolName,
  path,
  hint,
  holdsRecords = false,
  isRepeatable = false,
}: HintFacts): string {
  if (hint === false) return '';
  if (typeof hint === 'string') return onOneLine(hint);
  const next = path === null ? '' : readingHint(hint, { holdsRecords });
  if (next !== '') return next;
  return isRepeatable
    ? `To see more of this output, call ${shownToolName(toolName)} again with narrower parameters.`
    : 'Nothing more can be shown of this output.';
}

/** Offsets are line numbers of our own reader, so the text for a tool of the application contains none. */
function readingHint(tools: HintedTools, { holdsRecords }: { holdsRecords: boolean }): string {
  const isOwn = (kind: keyof HintedTools) => tools[kind] === OWN_TOOLS[kind];
  const [task, grep, read, query] = HINT_KINDS.map((kind) => tools[kind] && shownToolName(tools[kind]));
  if (task) {
    const use = isOwn('task')
      ? 'task(agent="explore", prompt="…") with this path to have a sub-agent grep and read it (offset/limit)'
      : `${task} with this path to have a sub-agent search the full output`;
    return `Use ${use}. Do NOT read the full file yourself - delegate to save context.`;
  }
  const uses = [];
  if (grep) uses.push(`${grep} to search the full output`);
  if (read) {
    uses.push(
      `${read} with ${isOwn('read') ? 'offset/limit to view specific sections' : 'pagination to view parts of it'}`,
    );
  }
  const hints = uses.length === 0 ? [] : [`Use ${uses.join(', or ')}.`];
  if (query) {
    const use = `se ${query} to filter, sort and count its records.`;
    if (holdsRecords) hints.push(`U${use}`);
    // The only reader is named even if the output may have no records.
    else if (uses.length === 0) hints.push(`If it is JSON or CSV, u${use}`);
  }
  return hints.join(' ');
}

/** Enough for one or two sentences. A longer line would take room from the preview. */
const MAX_LINE_CHARS = 400;

function onOneLine(text: string): string {
  const line = shortened(text, MAX_LINE_CHARS).replace(/\s+/g, ' ').trim();
  return shortened(visibleText(line), MAX_LINE_CHARS);
}

function shownPart(part: ShownPart, moreThan = ''): string {
  const total = `${moreThan}${thousands(part.total)} ${part.unit}`;
  return part.kind === 'part' ? `${thousands(part.shown)} of ${total}` : `only a ${part.kind} of its ${total}`;
}

const MAX_NAME_BYTES = 64;

/** A model can invent a tool name of any length and content. With spaces, it could imitate the notice or a line of a log. */
export function shownToolName(toolName: string): string {
  const name = toolName.slice(0, MAX_NAME_BYTES).replace(/[^\p{L}\p{N}_.:/-]/gu, '_');
  const end = endOfFirstBytes(name, MAX_NAME_BYTES);
  if (end === 0) return 'The tool';
  return end < name.length || toolName.length > MAX_NAME_BYTES ? `${name.slice(0, end)}…` : name;
}

/** The facts for notice and hint, except the shown part. */
export type OutputFacts = Omit<NoticeFacts, 'part'> & HintFacts;

/** Divides the budget of one output between the preview and the text around it. */
export interface PreviewPlan {
  /** The room for the preview alone. */
  limits: CutLimits;
  /** The `text` of a `TruncatedOutput`: the notice and, on the next line, the hint if there is one. */
  noticeAndHint(part: ShownPart): string;
}

/** A smaller preview would be useless, so the hint is left out instead. */
const LEAST_ROOM = 256;

/**
 * Gives the preview the largest size for which the whole model text fits into the budget, even with the longest notice. A path
 * takes at most 512 bytes of it.
 */
export function planPreview(limits: ResolvedLimits, output: { chars: number; facts: OutputFacts }): PreviewPlan {
  const full = planWith(limits, output);
  const { maxBytes, maxChars = maxBytes } = full.limits;
  return Math.min(maxBytes, maxChars) >= LEAST_ROOM
    ? full
    : planWith(limits, { ...output, facts: { ...output.facts, hint: false } });
}

function planWith(limits: ResolvedLimits, { chars, facts }: { chars: number; facts: OutputFacts }): PreviewPlan {
  const hint = truncationHint(facts);
  const noticeAndHint = (part: ShownPart) => truncationNotice({ ...facts, part }) + (hint === '' ? '' : `\n${hint}`);
  const longest: ShownPart[] = [
    { kind: 'part', unit: 'characters', shown: chars, total: chars },
    { kind: 'summary', unit: 'characters', total: chars },
  ];
  const words = longest.map((part) => modelText({ text: noticeAndHint(part), preview: '' }));
  const { maxLines, maxChars, previewBytes, previewChars } = limits;
  const room = {
    maxBytes: Math.max(0, previewBytes - Math.max(...words.map(byteLength))),
    maxChars: Math.max(0, Math.min(maxChars, previewChars - Math.max(...words.map(({ length }) => length)))),
  };
  return { limits: { maxLines, ...room }, noticeAndHint };
}

/** The words of a gap row that describe the rows after it, for each kind of output. */
export function wordsAboutRows(kind: TextKind): string {
  if (kind.kind === 'page') return 'which show the text of a page without its markup';
  if (kind.kind === 'markdown') return 'with the headings around them';
  const { files = 0 } = kind.outline;
  return `with the files and hunks around them; the diff has ${files === 1 ? '1 file' : `${thousands(files)} files`}`;
}
