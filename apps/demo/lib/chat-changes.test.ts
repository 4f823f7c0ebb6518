import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { changesFor } from './chat-changes';
import type { ChatEvent } from './chat-event';

const said = (id: string): ChatEvent => ({
  type: 'message',
  message: { id, role: 'user', parts: [{ type: 'text', text: 'hello' }] },
});
const answered = (messageId: string): ChatEvent => ({
  type: 'part',
  messageId,
  index: 0,
  part: { type: 'text', text: 'hello' },
});
const kept = (path: string): ChatEvent => ({
  type: 'part',
  messageId: 'answer',
  index: 0,
  part: {
    type: 'tool-readDoc',
    toolCallId: path,
    state: 'output-available',
    input: { path: 'x' },
    output: {
      status: 'partial',
      data: {
        truncated: true,
        truncation: {
          direction: 'auto',
          reason: 'lines',
          max_lines: 2_000,
          max_bytes: 51_200,
          original_lines: 3_000,
          original_bytes: 60_000,
          original_chars: 60_000,
          kept_lines: 100,
          kept_bytes: 2_000,
          full_output_path: path,
          media_type: 'text/plain',
          expires_at: '2026-11-25T00:00:00.000Z',
        },
        preview: 'x',
      },
      text: 'x',
      stats: { time_ms: 1 },
      context: { cwd: '.', params_input: {}, tool_name: 'readDoc', tool_call_id: path },
    },
  },
});
const chatId = randomUUID();
const message = { kind: 'message', chatId, messageId: 'next', text: 'and?', isNew: false } as const;
const full = expect.objectContaining({ code: 'chat_full' });
const turns = (count: number) =>
  Array.from({ length: count }, (_, turn) => [said(`q${turn}`), answered(`a${turn}`)]).flat();

test('a chat of 40 messages takes no more, but its last answer can be requested again', () => {
  expect(changesFor(message, turns(19))).toHaveLength(1);
  expect(() => changesFor(message, turns(20))).toThrow(full);
  expect(changesFor({ kind: 'retry', chatId }, turns(20))).toEqual([{ type: 'retry', messageId: 'q19' }]);
});

test('a chat that saved 40 outputs takes no more, even when their answers no longer count', () => {
  const outputs = (count: number) => Array.from({ length: count }, (_, index) => kept(`tool-output/${index}.txt`));
  const events = (count: number): ChatEvent[] => [said('q'), ...outputs(count), { type: 'retry', messageId: 'q' }];
  expect(changesFor(message, events(39))).toHaveLength(1);
  expect(() => changesFor(message, events(40))).toThrow(full);
  expect(() => changesFor({ kind: 'retry', chatId }, events(40))).toThrow(full);
  // The same output is written down again as its part changes.
  expect(changesFor(message, [...events(39), kept('tool-output/0.txt')])).toHaveLength(1);
});

test('a message that is sent again is answered again when it is the last, and refused when the chat has continued', () => {
  const again = (messageId: string) => ({ kind: 'message', messageId, text: 'x', isNew: false }) as never;
  const events = [said('a'), said('b')];
  expect(changesFor(again('b'), events)).toEqual([{ type: 'retry', messageId: 'b' }]);
  expect(() => changesFor(again('a'), events)).toThrow(expect.objectContaining({ code: 'not_waiting' }));
});

const asking = (index: number): ChatEvent => ({
  type: 'part',
  messageId: 'answer',
  index,
  part: {
    type: 'tool-editFile',
    toolCallId: `call-${index}`,
    state: 'approval-requested',
    input: { path: 'x', patch: 'x', dryRun: false },
    approval: { id: `approval-${index}` },
  },
});
const decision = (index: number, approved = true) => ({ approvalId: `approval-${index}`, approved });
const deciding = (...responses: ReturnType<typeof decision>[]) => ({ kind: 'approval', chatId, responses }) as const;

test('two calls that wait for approval are decided together or not at all', () => {
  const events = [said('q'), asking(0), asking(1)];
  const incomplete = expect.objectContaining({ code: 'bad_request' });
  expect(() => changesFor(deciding(decision(0)), events)).toThrow(incomplete);
  expect(() => changesFor(deciding(decision(1)), events)).toThrow(incomplete);
  expect(() => changesFor(deciding(decision(0), decision(0)), events)).toThrow(incomplete);
  expect(() => changesFor(deciding(decision(0), { approvalId: 'forged', approved: true }), events)).toThrow(incomplete);
  expect(changesFor(deciding(decision(0), decision(1, false)), events)).toEqual([
    { type: 'approval', ...decision(0) },
    { type: 'approval', ...decision(1, false) },
  ]);
});

test('a decision that is sent twice does not count for another call', () => {
  const first: ChatEvent = { type: 'approval', ...decision(0) };
  const events = [said('q'), asking(0), asking(1), first];
  expect(() => changesFor(deciding(decision(0)), events)).toThrow(expect.objectContaining({ code: 'not_waiting' }));
  expect(changesFor(deciding(decision(0), decision(1)), events)).toEqual([{ type: 'approval', ...decision(1) }]);
});
