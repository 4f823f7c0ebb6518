import { type Hint, SAVED_TO, shownToolName, truncationHint } from '../../preview/notice-and-hint-words.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';
import { shortened, thousands } from '../../text/utf.ts';
import { visibleText } from '../../text/visible-text.ts';
import { REFERENCE_TOKENS } from './plan-history.ts';

/** The facts about a result that was moved out of the conversation. */
export interface ReferenceFacts {
  toolName: string;
  path: string;
  /** The path for a reader of this library, which is shorter than a path of the file system. */
  shortPath: string;
  /** The size of the saved output. */
  bytes: number;
  /** The beginning of the output. */
  beginning: string;
  /** The names of tools, or the whole hint. */
  hint: Hint;
}

const MOVED = `was moved out of this conversation. ${SAVED_TO}`;
const NO_NAME = 'a tool';
const BEGINS = ' It begins: ';
const MAX_BEGINNING_CHARS = 160;
/** A path has at most 512 bytes, and the other parts are far shorter. */
const MAX_REFERENCE_CHARS = 1200;

/**
 * The text in place of a result that was moved out of the conversation: the path, the size and the first line, in at most 110 tokens. A
 * long first line is cut. If the text is still too long, it is written without the hint, then with the short path, then without the tool.
 */
export function historyReference(facts: ReferenceFacts): string {
  const { toolName, path, shortPath, hint } = facts;
  const line = truncationHint({ toolName, path, hint });
  const full = (at: string, next: string) => fitted(facts, { path: at, hint: hint === false ? '' : next });
  return (
    full(path, line) ??
    full(path, '') ??
    full(shortPath, line) ??
    full(shortPath, '') ??
    head({ ...facts, toolName: '' }, shortPath)
  );
}

/** The reference with as much of the first line as fits; `undefined` if even the words around it are too long. */
function fitted(facts: ReferenceFacts, { path, hint }: { path: string; hint: string }): string | undefined {
  const start = head(facts, path);
  const end = hint === '' ? '' : `\n${hint}`;
  const fits = (text: string) => estimateTokens(text) <= REFERENCE_TOKENS;
  if (!fits(start + end)) return undefined;
  const beginning = firstLine(facts.beginning);
  for (
    let chars = MAX_BEGINNING_CHARS;
    chars >= MIN_BEGINNING_CHARS && beginning !== '';
    chars = Math.floor(chars * 0.8)
  ) {
    const whole = `${start}${BEGINS}${shortened(beginning, chars)}${end}`;
    if (fits(whole)) return whole;
  }
  return start + end;
}

const MIN_BEGINNING_CHARS = 16;

function head({ toolName, bytes }: ReferenceFacts, path: string): string {
  const name = toolName === '' ? NO_NAME : shownToolName(toolName).replaceAll(' ', '_');
  return `The output of ${name} ${MOVED}${path} (${thousands(bytes)} bytes).`;
}

/** The first line with text, with hidden characters made visible because it is untrusted. */
function firstLine(beginning: string): string {
  const line = /[^\s].*/.exec(beginning.slice(0, 4 * MAX_BEGINNING_CHARS))?.[0] ?? '';
  return visibleText(shortened(line, 2 * MAX_BEGINNING_CHARS))
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Whether a text is a reference or looks like one. A tool can return such a text. It counts as a reference and stays, because it is
 * short.
 */
export function isHistoryReference(text: string): boolean {
  return text.length <= MAX_REFERENCE_CHARS && REFERENCE.test(text);
}

const REFERENCE = /* @__PURE__ */ new RegExp(
  `^The output of (?:\\S+|${NO_NAME}) ${MOVED.replaceAll('.', '\\.')}[^\\n]+ \\([\\d,]+ bytes\\)\\.`,
);
