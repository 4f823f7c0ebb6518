import type { DynamicToolUIPart, ToolUIPart } from 'ai';
import type { ChatMessage } from '../agent/chat-message';

/** One call of any tool, as a part of a message. */
export type ToolCallPart = ToolUIPart | DynamicToolUIPart;

type MessagePart = ChatMessage['parts'][number];

// As `isToolUIPart` and `getToolName` of the SDK: these two alone would bring all of it, zod included, into the first scripts.

/** Whether this part of a message is a call of a tool: one of the chat, or one that an MCP server named. */
export function isToolCallPart(part: MessagePart): part is Extract<MessagePart, { toolCallId: string }> {
  return part.type === 'dynamic-tool' || part.type.startsWith('tool-');
}

/** The name of the tool that was called. */
export function toolNameOf(part: ToolCallPart): string {
  return part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length);
}
