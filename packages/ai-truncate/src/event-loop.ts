// How the event loop is turned, in every runtime.

// Found once: under fake timers that a test installs later, a pace would otherwise wait for ever.
const { setTimeout: startTimer } = globalThis as Partial<typeof globalThis>;
const waysToTurn = /* @__PURE__ */ findWaysToTurn();
/** The first one that works: in the edge runtime of Next.js `setImmediate` and `MessageChannel` throw when they are called. */
let workingWay = 0;

/** Lets the event loop turn once. */
export function turnEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    for (const [index, turn] of waysToTurn.entries()) {
      if (index < workingWay) continue;
      try {
        turn(resolve);
        workingWay = index;
        return;
      } catch {
        // The next way may work.
      }
    }
    // A durable workflow cannot turn: its work is done in one.
    resolve();
  });
}

/** Waits, also where a test fakes timers; where there are none, not at all. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    try {
      startTimer?.(resolve, milliseconds) ?? resolve();
    } catch {
      // A durable workflow has no timers.
      resolve();
    }
  });
}

function findWaysToTurn(): ((onTurn: () => void) => void)[] {
  const { setImmediate, MessageChannel } = globalThis as Partial<typeof globalThis>;
  const ways: ((onTurn: () => void) => void)[] = [];
  if (setImmediate) ways.push((onTurn) => void setImmediate(onTurn));
  // Browsers stretch nested timeouts to 4 ms, a message they deliver at once.
  if (MessageChannel) ways.push((onTurn) => postToSelf(new MessageChannel() as unknown as Channel, onTurn));
  if (startTimer) ways.push((onTurn) => void startTimer(onTurn, 0));
  return ways;
}

/** What browsers and Node have in common of a port; the types of Node know no `onmessage`. */
type Port = { onmessage: (() => void) | null; postMessage(message: unknown): void; close(): void };
type Channel = { port1: Port; port2: Port };

function postToSelf({ port1, port2 }: Channel, onMessage: () => void): void {
  port1.onmessage = () => {
    // An open port keeps a process alive.
    port1.close();
    onMessage();
  };
  port2.postMessage(undefined);
}
