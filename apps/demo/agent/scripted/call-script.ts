import { call, type Script } from './play';
import { contentOf } from './saved-outputs';

const MAX_ANSWER_CHARS = 2_000;

/** A tool that a visitor names. */
export interface NamedCall {
  toolName: string;
  input: Record<string, unknown>;
}

/** Calls a tool that the visitor names, with the JSON behind its name. This also reaches the tools of an MCP server. */
export function* callScript({ toolName, input }: NamedCall): Script {
  const { text } = yield* call(toolName, input);
  return { text: [`\`${toolName}\` answered:`, '```', contentOf(text).slice(0, MAX_ANSWER_CHARS), '```'].join('\n') };
}

const CALL =
  /^\s*(?:please )?(?:(use|call|run) )?(?:the )?(tool )?([\w-]{1,100})(?:\s+(?:with )?(\{[\s\S]{0,4000}\}))?\s*$/i;

/** The tool call in a question, or the reason why the call is refused. */
export function namedCallIn(question: string, tools: ReadonlySet<string>): NamedCall | { refused: string } | undefined {
  const [, verb, isTool, toolName = '', json] = CALL.exec(question) ?? [];
  if (toolName === '') return undefined;
  if (!tools.has(toolName)) {
    const isNamed = isTool !== undefined || json !== undefined || verb?.toLowerCase() === 'call';
    return isNamed ? { refused: `There is no tool with the name \`${toolName}\`.` } : undefined;
  }
  if (verb === undefined && json === undefined) return undefined;
  const input = objectIn(json ?? '{}');
  return input ? { toolName, input } : { refused: `The text after \`${toolName}\` is not a JSON object.` };
}

function objectIn(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
