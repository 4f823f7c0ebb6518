import { beforeEach, expect, test, vi } from 'vitest';
import type { ChatMessage } from '../agent/chat-message';
import { ChatSession } from './chat-session';

const engine = vi.hoisted(() => ({
  sendMessage: vi.fn(),
  regenerate: vi.fn(),
  addToolApprovalResponse: vi.fn(),
  stop: vi.fn(),
}));
vi.mock('./chat-engine', () => ({
  ChatEngine: class {
    constructor() {
      Object.assign(this, engine);
    }
  },
}));

beforeEach(() => {
  for (const call of Object.values(engine)) call.mockReset().mockResolvedValue(undefined);
});

const asking: ChatMessage = {
  id: 'answer',
  role: 'assistant',
  parts: [
    {
      type: 'tool-editFile',
      toolCallId: 'edit',
      input: { path: 'a', patch: '', dryRun: false },
      state: 'approval-requested',
      approval: { id: 'approval' },
    },
  ],
};
const allowed = { id: 'approval', approved: true };

test('a decision comes before what is asked while the engine is fetched for it', async () => {
  const session = new ChatSession({ id: 'chat', messages: [asking] });
  const decided = session.answer(allowed);
  expect(session.isDeciding).toBe(true);
  await Promise.all([session.send('And then?'), session.retry()]);
  expect(session.store.view()).toMatchObject({ messages: [asking], status: 'ready' });
  await decided;
  expect(engine.addToolApprovalResponse).toHaveBeenCalledExactlyOnceWith(allowed);
  expect(session.isDeciding).toBe(false);
  await session.send('And then?');
  expect(engine.sendMessage).toHaveBeenCalledOnce();
  expect(engine.regenerate).not.toHaveBeenCalled();
});

test('a decision whose page is left before the engine is here is not sent', async () => {
  const session = new ChatSession({ id: 'chat', messages: [asking] });
  const decided = session.answer(allowed);
  await session.stop();
  await decided;
  expect(engine.addToolApprovalResponse).not.toHaveBeenCalled();
  expect(session.isDeciding).toBe(false);
});
