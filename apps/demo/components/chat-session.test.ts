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

test('a decision is sent before questions that are asked while the engine loads', async () => {
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

test('a decision is not sent when its page closes before the engine has loaded', async () => {
  const session = new ChatSession({ id: 'chat', messages: [asking] });
  const decided = session.answer(allowed);
  await session.stop();
  await decided;
  expect(engine.addToolApprovalResponse).not.toHaveBeenCalled();
  expect(session.isDeciding).toBe(false);
});

test('a question that the engine refuses ends in a failure that the page shows', async () => {
  const refusal = new Error('refused');
  engine.sendMessage.mockRejectedValue(refusal);
  const session = new ChatSession({ id: 'chat', messages: [] });
  await session.send('Why?');
  expect(session.store.view()).toMatchObject({ status: 'error', error: refusal });
});

test('an error of the engine after a stop is not a failure', async () => {
  let refuse = (_error: Error) => {};
  engine.sendMessage.mockReturnValue(new Promise((_, reject) => (refuse = reject)));
  const session = new ChatSession({ id: 'chat', messages: [] });
  const sent = session.send('Why?');
  await vi.waitFor(() => expect(engine.sendMessage).toHaveBeenCalled());
  await session.stop();
  refuse(new Error('late'));
  await sent;
  expect(session.store.view()).toMatchObject({ status: 'ready', error: undefined });
});

test('a stop of an old question does not stop a new question', async () => {
  let stopped = () => {};
  engine.stop.mockReturnValue(new Promise<void>((resolve) => (stopped = resolve)));
  const session = new ChatSession({ id: 'chat', messages: [] });
  await session.send('Why?');
  const stop = session.stop();
  engine.sendMessage.mockReturnValue(new Promise(() => {}));
  void session.send('And then?');
  stopped();
  await stop;
  expect(session.store.view().status).toBe('submitted');
});
