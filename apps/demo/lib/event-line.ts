import type { ChatEvent, ChatPart } from './chat-event';

/** No line of a log is longer, in characters. What tools return is bounded far below this before it gets here. */
export const maxLineChars = 256 * 1024;
const MAX_INPUT_CHARS = 64 * 1024;

/** One event as a line of a log, without its end. What is too large for a line is left out, and the line says so. */
export function toLine(event: ChatEvent): string {
  const line = JSON.stringify(event);
  if (line.length <= maxLineChars) return line;
  if (event.type !== 'part')
    throw new Error(`An event of ${line.length} characters is too large for the log of a chat.`);
  return JSON.stringify({ ...event, part: withoutContent(event.part, line.length) });
}

/** The event of a line, or nothing: the last line of a process that died is cut somewhere. */
export function fromLine(line: string): ChatEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isEvent = typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
    return isEvent ? (value as ChatEvent) : undefined;
  } catch {
    return undefined;
  }
}

function withoutContent(part: ChatPart, chars: number): ChatPart {
  const left = `This part had ${chars.toLocaleString('en')} characters and was left out of the log of this chat.`;
  if (!('toolCallId' in part)) return { type: 'text', text: left };
  const isLargeInput = JSON.stringify(part.input)?.length > MAX_INPUT_CHARS;
  const input = isLargeInput ? {} : part.input;
  return { ...part, state: 'output-error', input, output: undefined, errorText: left } as ChatPart;
}
