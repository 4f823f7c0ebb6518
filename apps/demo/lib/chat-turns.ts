import { oncePerProcess } from './once-per-process';

/** Long enough for an answer that was stopped to write its last words. */
const WAIT_MS = 3_000;

/** One answer at a time for each chat: two would write into the same history. */
interface ChatTurns {
  /** Waits a little for the answer before; `undefined` when that goes on. Gives what ends the turn. */
  enter(chatId: string): Promise<(() => void) | undefined>;
  /** Whether an answer is being written. Asked before the log is read, `false` means that the log has all of it. */
  isAnswering(chatId: string): boolean;
}

export function chatTurns(): ChatTurns {
  return oncePerProcess('chat-turns', createChatTurns);
}

export function createChatTurns(): ChatTurns {
  const running = new Map<string, Promise<void>>();
  return {
    isAnswering: (chatId) => running.has(chatId),
    async enter(chatId) {
      const deadline = performance.now() + WAIT_MS;
      for (let before = running.get(chatId); before; before = running.get(chatId)) {
        const isOver = await endsWithin(before, deadline - performance.now());
        if (!isOver) return undefined;
      }
      return new Promise((entered) => {
        const turn = new Promise<void>((end) => {
          entered(() => {
            if (running.get(chatId) === turn) running.delete(chatId);
            end();
          });
        });
        running.set(chatId, turn);
      });
    },
  };
}

async function endsWithin(turn: Promise<void>, waitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, waitMs));
  });
  const isOver = await Promise.race([turn.then(() => true), timeout]);
  clearTimeout(timer);
  return isOver;
}
