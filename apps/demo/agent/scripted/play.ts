import type { Reply, ToolResult } from './turn';

/** A tool call that a script asks for, and the text before it. */
export interface Ask {
  toolName: string;
  input: Record<string, unknown>;
  say?: string | undefined;
}

/** The end of a script. */
export interface Answer {
  text: string;
  /** Questions that the UI offers as buttons. */
  suggestions?: readonly string[];
  /** The question has words that no rule knows. */
  isUnclear?: true;
}

/** A part of a script: it yields tool calls and receives their results. */
export type Steps<RESULT> = Generator<Ask, RESULT, ToolResult>;

/** The steps to one answer, written as if tool calls returned immediately. */
export type Script = Steps<Answer>;

/** Ends a script, because one of its calls failed. */
class ToolFailed extends Error {
  readonly result: ToolResult;
  constructor(result: ToolResult) {
    super(`${result.toolName} failed`);
    this.result = result;
  }
}

/** A call whose failure ends the script. */
export function* call(
  toolName: string,
  input: Record<string, unknown>,
  { say }: { say?: string } = {},
): Steps<ToolResult> {
  const result = yield { toolName, input, say };
  if (result.outcome !== 'answered') throw new ToolFailed(result);
  return result;
}

/**
 * The next step of a script. A model keeps no state between its steps, so the script runs from its start with the results that
 * the prompt contains, up to the first call without a result.
 */
export function play(script: Script, results: readonly ToolResult[]): Reply {
  try {
    let step = script.next();
    for (const result of results) {
      if (step.done) break;
      // The results of another script, from before an update of the demo.
      if (step.value.toolName !== result.toolName) return { text: 'This answer cannot continue. Ask again.' };
      step = script.next(result);
    }
    if (step.done) return step.value;
    const { toolName, input, say } = step.value;
    return { call: { toolName, input }, ...(say !== undefined && { text: say }) };
  } catch (error) {
    if (!(error instanceof ToolFailed)) throw error;
    return { text: failureOf(error.result) };
  }
}

const MAX_FAILURE_CHARS = 500;

/** The answer if a tool failed. */
export function failureOf({ toolName, text }: ToolResult): string {
  return `\`${toolName}\` failed: ${text.slice(0, MAX_FAILURE_CHARS)}`;
}
