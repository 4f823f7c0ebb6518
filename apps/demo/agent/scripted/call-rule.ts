import { answerWords } from './answer-words';
import type { Rule } from './rule';
import { contentOf } from './shown-output';
import type { Turn } from './turn';

const MAX_ANSWER_CHARS = 2_000;

/** Calls a tool that the visitor names, with the JSON that they write behind it: also the tools of an MCP server. */
export const callRule: Rule = {
  matches: (turn) => callIn(turn) !== undefined,
  next(turn) {
    const call = callIn(turn);
    const answer = turn.results.findLast(({ toolName }) => toolName === call?.toolName);
    if (!answer) return { ...(call && { call }) };
    if (answer.outcome !== 'answered') return { text: answerWords.toolFailed(answer.toolName, answer.text) };
    return { text: answerWords.answered(answer.toolName, contentOf(answer.text).slice(0, MAX_ANSWER_CHARS)) };
  },
};

function callIn({ question, tools }: Turn): { toolName: string; input: Record<string, unknown> } | undefined {
  const [, toolName = '', json = '{}'] =
    /^\s*(?:please )?(?:use|call|run) (?:the tool )?([\w-]+)(?:\s+(?:with )?(\{[\s\S]*\}))?\s*$/i.exec(question) ?? [];
  if (!tools.has(toolName)) return undefined;
  try {
    const input: unknown = JSON.parse(json);
    return typeof input === 'object' && input !== null
      ? { toolName, input: input as Record<string, unknown> }
      : undefined;
  } catch {
    return undefined;
  }
}
