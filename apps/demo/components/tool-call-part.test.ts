import { getToolName, isToolUIPart } from 'ai';
import { expect, test } from 'vitest';
import type { ChatMessage } from '../agent/chat-message';
import { isToolCallPart, toolNameOf } from './tool-call-part';

const call = { toolCallId: 'call', state: 'input-available', input: {} } as const;
const parts: ChatMessage['parts'] = [
  { ...call, type: 'tool-runTests' },
  { ...call, type: 'dynamic-tool', toolName: 'read-text-file' },
  // A name that no tool of the chat has: what a page restores may be older than its tools.
  { ...call, type: 'tool-read-text-file' } as never,
  { type: 'text', text: 'tool-' },
  { type: 'reasoning', text: '' },
  { type: 'step-start' },
];

test('tool calls and their tool names are recognised as the SDK recognises them', () => {
  expect(parts.map(isToolCallPart)).toEqual([true, true, true, false, false, false]);
  expect(parts.map(isToolCallPart)).toEqual(parts.map((part) => isToolUIPart(part)));
  const calls = parts.filter(isToolCallPart);
  expect(calls.map(toolNameOf)).toEqual(['runTests', 'read-text-file', 'read-text-file']);
  expect(calls.map(toolNameOf)).toEqual(calls.map(getToolName));
});
