import { setTimeout as delay } from 'node:timers/promises';
import { type DemoVisitor, demoVisitor, type VisitTally } from './demo-visitor.ts';

export interface DemoVisitsOptions {
  url: string;
  /** The number of users at any time. */
  atOnce: number;
  /** The shortest visit, because the limits of the demo refuse users who return sooner. */
  leastVisitMs: number;
  tally: VisitTally;
  /** Aborts when all users leave. */
  over: AbortSignal;
}

const logQuestion = 'Why did checkout fail last night?';
const logAnswer = { expected: 'cut `payments.timeoutMs` from 30,000 to 300 ms' };
const fixQuestion = 'Fix the failing test';

/**
 * The behavior of users, used in turns. Each user asks for the log. Each chat is deleted at the end, even after a
 * failure.
 */
const visits: readonly ((visitor: DemoVisitor) => Promise<void>)[] = [
  async (visitor) => {
    await visitor.ask(logQuestion, logAnswer);
    await visitor.ask('Run the tests. What failed?');
  },
  async (visitor) => {
    await visitor.ask(logQuestion, { leaveAt: 'tool-input-available' });
    await visitor.reload();
    await visitor.ask('Which region had the highest refunds?');
  },
  async (visitor) => {
    await visitor.ask(fixQuestion);
    await visitor.decide(true);
    await visitor.ask(logQuestion, logAnswer);
  },
  async (visitor) => {
    await visitor.ask(logQuestion, { leaveAt: 'tool-output-available' });
    await visitor.reload();
    await visitor.askAgain(logAnswer);
  },
  async (visitor) => {
    await visitor.ask('How do subagents work?');
    await visitor.ask(logQuestion, { leaveAt: 'tool-input-available' });
  },
  async (visitor) => {
    await visitor.ask(fixQuestion);
    await visitor.decide(false);
    await visitor.ask(logQuestion, { leaveAt: 'once' });
    await visitor.reload();
    await visitor.ask(logQuestion, { leaveAt: 'text-delta' });
  },
];

/** Users come and go until all of them leave. Every chat is deleted at its end. */
export async function visitDemo(options: DemoVisitsOptions): Promise<void> {
  let next = 0;
  const comeAndGo = async () => {
    while (!options.over.aborted) {
      const stay = delay(options.leastVisitMs, undefined, { signal: options.over }).catch(() => undefined);
      await Promise.all([visitOnce(next++, options), stay]);
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, comeAndGo));
}

/** Makes each visit once, and to its end. */
export async function visitEach(options: Omit<DemoVisitsOptions, 'atOnce' | 'leastVisitMs' | 'over'>): Promise<void> {
  const over = new AbortController().signal;
  await Promise.all(visits.map((_, turn) => visitOnce(turn, { ...options, over })));
}

async function visitOnce(turn: number, options: Omit<DemoVisitsOptions, 'atOnce' | 'leastVisitMs'>): Promise<void> {
  const { tally } = options;
  const visitor = demoVisitor(options);
  tally.chats++;
  const failed = (error: unknown) => {
    tally.errors.push(`visit ${turn % visits.length}: ${error}`);
  };
  await visits[turn % visits.length]?.(visitor).catch(failed);
  await visitor.deleteChat().catch(failed);
}
