import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Ticket, TurnQueue } from './turn-queue.ts';

let time = 0;
beforeEach(() => {
  time = 1000;
  vi.spyOn(performance, 'now').mockImplementation(() => time);
});
afterEach(() => {
  vi.restoreAllMocks();
});

function queueOf(limits: { most?: number; mostOfScope?: number; maxTurnMs?: number } = {}): TurnQueue {
  const { most = 1, mostOfScope = most, maxTurnMs = 60_000 } = limits;
  return new TurnQueue({ most, mostOfScope, maxTurnMs });
}

function join(queue: TurnQueue, scopes: string): Ticket[] {
  return Array.from(scopes, (scope) => queue.join(scope));
}

/** The scopes whose turn it is. Each ticket asks once, in this order. */
function turnsOf(queue: TurnQueue, tickets: readonly Ticket[]): string {
  return tickets.flatMap((ticket) => (queue.isTurnOf(ticket) ? [ticket.scope] : [])).join('');
}

/** The scopes in the order in which they are served, one turn after another. */
function served(queue: TurnQueue, tickets: readonly Ticket[]): string {
  const left = [...tickets];
  let order = '';
  while (left.length > 0) {
    const index = left.findIndex((ticket) => queue.isTurnOf(ticket));
    const [ticket] = left.splice(index, 1);
    if (index === -1 || !ticket) throw new Error('no ticket has a turn');
    order += ticket.scope;
    queue.leave(ticket);
  }
  return order;
}

describe('a turn', () => {
  test('is given at once while there is room', () => {
    const queue = queueOf({ most: 2 });
    expect(turnsOf(queue, join(queue, 'abc'))).toBe('ab');
  });

  test('stays with its ticket until it leaves', () => {
    const queue = queueOf();
    const tickets = join(queue, 'ab');
    expect([turnsOf(queue, tickets), turnsOf(queue, tickets)]).toEqual(['a', 'a']);
  });

  test('is given to the first ticket of a scope, even if a later ticket asks first', () => {
    const queue = queueOf();
    const [first, second] = join(queue, 'aa') as [Ticket, Ticket];
    expect(queue.isTurnOf(second)).toBe(false);
    expect(queue.isTurnOf(first)).toBe(true);
  });

  test('passes on when its ticket leaves, however often it leaves', () => {
    const queue = queueOf();
    const [first, ...others] = join(queue, 'abb') as [Ticket, Ticket, Ticket];
    queue.isTurnOf(first);
    queue.leave(first);
    queue.leave(first);
    expect(turnsOf(queue, others)).toBe('b');
  });

  test('is not reserved for a ticket that left while it waited', () => {
    const queue = queueOf();
    const [first, second, third] = join(queue, 'abc') as [Ticket, Ticket, Ticket];
    queue.isTurnOf(first);
    queue.leave(second);
    queue.leave(first);
    expect(queue.isTurnOf(third)).toBe(true);
  });

  test('is given to a scope only up to its share, and the rest to others', () => {
    const queue = queueOf({ most: 4, mostOfScope: 2 });
    expect(turnsOf(queue, join(queue, 'aaab'))).toBe('aab');
  });

  test('is given to the scope that was served longest ago', () => {
    const queue = queueOf();
    expect(served(queue, join(queue, 'aaaabbc'))).toBe('abcabaa');
  });

  test('is given to each of a thousand scopes before any scope has two', () => {
    const queue = queueOf({ most: 4 });
    const scopes = Array.from({ length: 1000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
    const order = served(queue, join(queue, scopes.repeat(2)));
    expect(new Set(order.slice(0, 1000)).size).toBe(1000);
  });
});

describe('a ticket that is not seen', () => {
  test('loses its turn after the longest turn, not before', () => {
    const queue = queueOf({ maxTurnMs: 300 });
    const [gone, next] = join(queue, 'ab') as [Ticket, Ticket];
    queue.isTurnOf(gone);
    time += 299;
    expect(queue.isTurnOf(next)).toBe(false);
    time += 1;
    expect(queue.isTurnOf(next)).toBe(true);
  });

  test('keeps its turn for longer if it is seen again', () => {
    const queue = queueOf({ maxTurnMs: 300 });
    const [working, next] = join(queue, 'ab') as [Ticket, Ticket];
    for (let turn = 0; turn < 10; turn++) {
      expect(queue.isTurnOf(working)).toBe(true);
      expect(queue.isTurnOf(next)).toBe(false);
      time += 299;
    }
  });

  test('loses its place in the line after five seconds, not before', () => {
    for (const [waitedMs, expected] of [
      [4999, false],
      [5000, true],
    ] as const) {
      const queue = queueOf();
      const [, second] = join(queue, 'aa') as [Ticket, Ticket];
      time += waitedMs;
      expect(queue.isTurnOf(second)).toBe(expected);
    }
  });

  test('can wait again at the end of the line', () => {
    const queue = queueOf();
    const [late, other] = join(queue, 'aa') as [Ticket, Ticket];
    time += 5000;
    expect(queue.isTurnOf(other)).toBe(true);
    expect(queue.isTurnOf(late)).toBe(false);
    queue.leave(other);
    expect(queue.isTurnOf(late)).toBe(true);
  });
});

describe('the pause before the next question', () => {
  test('is a millisecond for the first, and longer with each ticket of the scope before it', () => {
    const queue = queueOf();
    const tickets = join(queue, 'abaaba');
    expect(tickets.map((ticket) => queue.pauseMsOf(ticket))).toEqual([1, 1, 1, 2, 1, 3]);
  });

  test('is at most 100 milliseconds, for any number of tickets', () => {
    const queue = queueOf();
    const tickets = join(queue, 'a'.repeat(10_000));
    expect([101, 9999].map((index) => queue.pauseMsOf(tickets[index] as Ticket))).toEqual([100, 100]);
  });

  test('is a millisecond for a ticket that does not wait', () => {
    const queue = queueOf();
    const [ticket] = join(queue, 'a') as [Ticket];
    queue.leave(ticket);
    expect(queue.pauseMsOf(ticket)).toBe(1);
  });
});

test('the limits hold, and everybody is served, in any order of joining, asking and leaving', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('join', 'join', 'ask', 'ask', 'leave', 'wait'), fc.nat(30)), {
    maxLength: 120,
  });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 }), (all, most, mostOfScope) => {
      const queue = queueOf({ most, mostOfScope });
      const tickets: Ticket[] = [];
      const running = new Set<Ticket>();
      for (const [step, number] of all) {
        const index = number % Math.max(1, tickets.length);
        const ticket = tickets[index];
        if (step === 'join') tickets.push(queue.join('ab'[number % 2] as string));
        else if (step === 'wait') time += number;
        else if (ticket && step === 'ask') {
          const isTurn = queue.isTurnOf(ticket);
          expect(isTurn || !running.has(ticket)).toBe(true);
          if (isTurn) running.add(ticket);
        } else if (ticket) {
          queue.leave(ticket);
          running.delete(ticket);
          tickets.splice(index, 1);
        }
        expect(running.size).toBeLessThanOrEqual(most);
        for (const scope of 'ab')
          expect([...running].filter((each) => each.scope === scope).length).toBeLessThanOrEqual(mostOfScope);
      }
      expect(served(queue, tickets)).toHaveLength(tickets.length);
    }),
    { numRuns: 200 },
  );
});
