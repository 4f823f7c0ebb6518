import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';

/** A question, and the results of the tool calls that followed it. */
export interface Exchange {
  question: string;
  results: ToolResult[];
}

/** The state of a conversation, as its prompt contains it. */
export interface Turn extends Exchange {
  /** The questions before this one, oldest first. */
  earlier: Exchange[];
  /** What the instructions say is missing. */
  problem: string | undefined;
  /** Names of the tools that may be called. */
  tools: ReadonlySet<string>;
}

/** One tool call, and its output as the model sees it. Scripts see only the text that an LLM would see. */
export interface ToolResult {
  toolName: string;
  input: Record<string, unknown>;
  text: string;
  outcome: 'answered' | 'failed' | 'denied';
}

/** A step of the scripted model: a text, a tool call, or both. */
export interface Reply {
  text?: string;
  call?: { toolName: string; input: Record<string, unknown> };
  suggestions?: readonly string[];
  isUnclear?: true;
}

/** Reads the state of the conversation from a prompt. */
export function turnOf({ prompt, tools }: Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>): Turn {
  const exchanges = exchangesIn(prompt);
  return {
    ...(exchanges.at(-1) ?? { question: '', results: [] }),
    earlier: exchanges.slice(0, -1),
    problem: prompt.map(problemIn).find((problem) => problem !== undefined),
    tools: new Set(tools?.map(({ name }) => name)),
  };
}

function problemIn(message: LanguageModelV4Prompt[number]): string | undefined {
  return message.role === 'system' ? /^.* cannot be used: .*$/m.exec(message.content)?.[0] : undefined;
}

function exchangesIn(prompt: LanguageModelV4Prompt): Exchange[] {
  const inputs = new Map<string, unknown>();
  const exchanges: Exchange[] = [];
  for (const message of prompt) {
    if (message.role === 'user') exchanges.push({ question: textOf(message.content), results: [] });
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    for (const part of message.content) {
      if (part.type === 'tool-call') inputs.set(part.toolCallId, part.input);
      if (part.type !== 'tool-result') continue;
      const input = inputs.get(part.toolCallId);
      exchanges.at(-1)?.results.push({
        toolName: part.toolName,
        input: typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {},
        text: textOfOutput(part.output),
        outcome: outcomeOf(part.output.type),
      });
    }
  }
  return exchanges;
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

/** A tool that answers in the envelope of the tool response protocol has its summary in `text`. */
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
