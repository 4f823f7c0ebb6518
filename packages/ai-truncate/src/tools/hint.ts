import type { ToolExecutionOptions, ToolSet } from 'ai';
import { HINT_KINDS, type Hint, type HintedTools, OWN_TOOLS } from '../preview/notice-and-hint-words.ts';
import { isPlainRecord } from '../protocol/guards.ts';

/**
 * Tools of the application that a hint names, by what they do. For a kind that is left out, the hint names the tool that was added to
 * the set, and for `false` none.
 */
export interface HintTools {
  /** Delegates work to a sub-agent. */
  task?: string | false | undefined;
  /** Searches files. */
  grep?: string | false | undefined;
  /** Reads files. */
  read?: string | false | undefined;
  /** Filters and counts records. */
  query?: string | false | undefined;
}

/** The call whose output was truncated. */
export interface HintCall extends ToolExecutionOptions<unknown> {
  toolName: string;
  input: unknown;
  /** The path of the full output; `null` if it was not saved. */
  path: string | null;
}

/** The tools or the line in a hint: see `hint` of `truncateToolOutputs`. */
export type HintOption = HintTools | false | ((call: HintCall) => HintTools | string | false | undefined);

/** The tools that were added to a set, as a hint may name them. */
export function hintedTools(added: ToolSet, { hasExplore }: { hasExplore: boolean }): HintedTools {
  const kinds = HINT_KINDS.filter((kind) => Object.hasOwn(added, OWN_TOOLS[kind]) && (kind !== 'task' || hasExplore));
  return Object.fromEntries(kinds.map((kind) => [kind, OWN_TOOLS[kind]]));
}

/** The hint for one call. A function that fails costs the hint, but not the output. */
export function hintFor(
  option: HintOption | undefined,
  { added, call }: { added: HintedTools; call: () => HintCall },
): Hint {
  if (typeof option !== 'function') return namedBy(option, added);
  try {
    const answer: unknown = option(call());
    // A promise is not an answer, and its rejection must not be reported as unhandled.
    Promise.resolve(answer).catch(() => {});
    if (typeof answer === 'string') return answer;
    return answer === undefined || isPlainRecord(answer) ? namedBy(answer, added) : false;
  } catch {
    return false;
  }
}

/** The names that an application sets, and the added tools for all other kinds. */
export function namedBy(names: HintTools | false | undefined, added: HintedTools): HintedTools | false {
  if (names === false) return false;
  const entries = HINT_KINDS.map((kind) => [kind, names?.[kind] ?? added[kind]] as const);
  return Object.fromEntries(entries.filter(([, name]) => typeof name === 'string' && name !== ''));
}
