import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';

/** What the rules of the offline model know: the last question, and what tools answered to it so far. */
export interface Turn {
  question: string;
  /** Results of this turn, in order. */
  results: ToolResult[];
  /** Results of the turns before. */
  earlier: ToolResult[];
  /** What the instructions say is missing. */
  problem: string | undefined;
  /** Names of the tools that may be called. */
  tools: ReadonlySet<string>;
}

/** One tool call with what the model was sent for it, and nothing else: rules see no more than an LLM would. */
export interface ToolResult {
  toolName: string;
  input: Record<string, unknown>;
  text: string;
  outcome: 'answered' | 'failed' | 'denied';
}

/** A step of the offline model: something to say, a tool to call, or both. */
export interface Reply {
  text?: string;
  call?: { toolName: string; input: Record<string, unknown> };
}

/** Reads the state of the conversation out of a prompt. */
export function turnOf({ prompt, tools }: Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>): Turn {
  const start = prompt.findLastIndex(({ role }) => role === 'user');
  const asked = prompt[start];
  return {
    question: asked?.role === 'user' ? textOf(asked.content) : '',
    results: resultsOf(prompt.slice(start + 1)),
    earlier: resultsOf(prompt.slice(0, Math.max(0, start))),
    problem: prompt.map(problemIn).find((problem) => problem !== undefined),
    tools: new Set(tools?.map(({ name }) => name)),
  };
}

function problemIn(message: LanguageModelV4Prompt[number]): string | undefined {
  return message.role === 'system' ? /^.* cannot be used: .*$/m.exec(message.content)?.[0] : undefined;
}

function resultsOf(messages: LanguageModelV4Prompt): ToolResult[] {
  const inputs = new Map<string, unknown>();
  const results: ToolResult[] = [];
  for (const message of messages) {
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    for (const part of message.content) {
      if (part.type === 'tool-call') inputs.set(part.toolCallId, part.input);
      if (part.type !== 'tool-result') continue;
      const input = inputs.get(part.toolCallId);
      results.push({
        toolName: part.toolName,
        input: typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {},
        text: textOfOutput(part.output),
        outcome: outcomeOf(part.output.type),
      });
    }
  }
  return results;
}

type Output = { type: string; value?: unknown };

function outcomeOf(type: string): ToolResult['outcome'] {
  if (type === 'execution-denied') return 'denied';
  return type.startsWith('error') ? 'failed' : 'answered';
}

function textOfOutput({ type, value }: Output): string {
  if (typeof value === 'string') return value;
  if (type === 'content' && Array.isArray(value)) return textOf(value);
  if (isEnvelope(value)) return value.text;
  return value === undefined ? '' : JSON.stringify(value);
}

/** A tool that answers in the envelope of the tool response protocol says in its `text` what happened. */
function isEnvelope(value: unknown): value is { text: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'status' in value &&
    'text' in value &&
    typeof value.text === 'string'
  );
}

function textOf(content: readonly { type: string; text?: string }[]): string {
  return content.map((part) => part.text ?? '').join('\n');
}

/** The last result of a tool in these. */
export function lastOf(results: readonly ToolResult[], toolName: string): ToolResult | undefined {
  return results.findLast((result) => result.toolName === toolName);
}
