import { expect, test } from 'vitest';
import type { ChatMessage } from '../agent/chat-message';
import { approvalSender } from './approval-sender';

function messagesWith(...approvals: { id: string; approved?: boolean }[]): ChatMessage[] {
  const parts = approvals.map(({ id, approved }): ChatMessage['parts'][number] => {
    const call = {
      type: 'tool-editFile',
      toolCallId: `call of ${id}`,
      input: { path: 'a', patch: '', dryRun: false },
    } as const;
    return approved === undefined
      ? { ...call, state: 'approval-requested', approval: { id } }
      : { ...call, state: 'approval-responded', approval: { id, approved } };
  });
  return [{ id: 'answer', role: 'assistant', parts: [{ type: 'step-start' }, ...parts] }];
}

test('decisions are sent once all of them are made', () => {
  const shouldSend = approvalSender();
  expect(shouldSend({ messages: messagesWith({ id: 'a', approved: true }, { id: 'b' }) })).toBe(false);
  expect(shouldSend({ messages: messagesWith({ id: 'a', approved: true }, { id: 'b', approved: false }) })).toBe(true);
});

test('the same decisions are not sent again, even when the server ignores them', () => {
  const shouldSend = approvalSender();
  const messages = messagesWith({ id: 'a', approved: true });
  expect([shouldSend({ messages }), shouldSend({ messages })]).toEqual([true, false]);
  expect(shouldSend({ messages: messagesWith({ id: 'b', approved: true }) })).toBe(true);
});
