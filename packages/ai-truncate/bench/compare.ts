import type { BenchScale } from './bench-part.ts';

/** The row of this library that does the same work, and the reason why the rival is sometimes faster. */
export interface Rival {
  of: string;
  because: string;
}

export interface Contender<INPUT> {
  name: string;
  /** Absent for rows of this library. */
  rival?: Rival;
  /** The reason why it has no time for an input: it is not installed, or cannot read the input. */
  cannot?(input: INPUT): string | undefined;
  /** The timed call. If only a part of it counts, it returns the milliseconds of that part. */
  run(input: INPUT): unknown;
  givesMilliseconds?: true;
  /** Removes everything that a run left behind. Not timed. */
  tidy?(): Promise<unknown>;
}

export interface Column<INPUT> {
  name: string;
  bytes: number;
  /** Called once. Not timed. */
  prepare(): INPUT | Promise<INPUT>;
}

/** The time of a contender: the median of its rounds, and the range of their middle half. */
export interface Timed {
  milliseconds: number;
  low: number;
  high: number;
}

/** The time of a contender for the input of a column, or the reason why it has no time. */
export type Cell = Timed | { without: string };

export interface ComparedRow {
  name: string;
  rival?: Rival | undefined;
  cells: Cell[];
}

export interface Comparison {
  columns: { name: string; bytes: number }[];
  rows: ComparedRow[];
  /** The number of rounds for each column. */
  rounds: number[];
}

const MOST_CALLS = 10_000;
/** A rival is skipped if one run would take longer. */
const MOST_RIVAL_MS = 10_000;
const TOO_SLOW = 'left out: would take over 10 s';
/** In a shorter time, the start of a process may be most of it. */
const LEAST_TELLING_MS = 100;

/** Times contenders on growing inputs. They take turns in each round, and the median of the rounds counts. */
export async function compare<INPUT>(
  contenders: readonly Contender<INPUT>[],
  { columns, scale }: { columns: readonly Column<INPUT>[]; scale: BenchScale },
): Promise<Comparison> {
  const rows: ComparedRow[] = contenders.map(({ name, rival }) => ({ name, rival, cells: [] }));
  const rounds: number[] = [];
  for (const [at, column] of columns.entries()) {
    const input = await column.prepare();
    const growth = column.bytes / (columns[at - 1]?.bytes ?? column.bytes);
    const reasons = contenders.map(({ cannot }, index) => cannot?.(input) ?? tooSlow(rows[index], growth));
    const able = contenders.filter((_, index) => reasons[index] === undefined);
    const timed = await timesOf(able, { input, scale });
    rounds.push(timed.rounds);
    for (const [index, { name }] of contenders.entries()) {
      const without = reasons[index];
      rows[index]?.cells.push(without === undefined ? timedOf(timed.samples.get(name)) : { without });
    }
    console.log(`  ${column.name}: ${timed.rounds} rounds`);
  }
  return { columns: columns.map(({ name, bytes }) => ({ name, bytes })), rows, rounds };
}

function tooSlow(row: ComparedRow | undefined, growth: number): string | undefined {
  const last = row?.rival && row.cells.at(-1);
  if (!last) return undefined;
  if ('without' in last) return last.without === TOO_SLOW ? TOO_SLOW : undefined;
  const expected = last.milliseconds * growth;
  return last.milliseconds >= LEAST_TELLING_MS && expected > MOST_RIVAL_MS ? TOO_SLOW : undefined;
}

async function timesOf<INPUT>(
  contenders: readonly Contender<INPUT>[],
  { input, scale }: { input: INPUT; scale: BenchScale },
): Promise<{ samples: Map<string, number[]>; rounds: number }> {
  const samples = new Map<string, number[]>();
  const calls = new Map<string, number>();
  let oneRoundMs = 0;
  for (const contender of contenders) {
    const { count, takenMs } = await enoughCalls(contender, { input, scale });
    calls.set(contender.name, count);
    oneRoundMs += takenMs;
    samples.set(contender.name, []);
  }
  const fitting = Math.floor(scale.roundsMs / oneRoundMs);
  const rounds = Math.min(Math.max(fitting, scale.leastRounds), scale.mostRounds);
  for (let round = 0; round < rounds; round++) {
    // Another contender goes first each time, because a contender may pay for garbage of the previous one.
    const first = round % contenders.length;
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const { callMs } = await sample(contender, { input, count: calls.get(contender.name) ?? 1 });
      samples.get(contender.name)?.push(callMs);
    }
  }
  return { samples, rounds };
}

/** Finds a number of calls that the clock can measure. These calls also warm up the engine. */
async function enoughCalls<INPUT>(
  contender: Contender<INPUT>,
  { input, scale }: { input: INPUT; scale: BenchScale },
): Promise<{ count: number; takenMs: number }> {
  for (let count = 1; ; count = Math.min(count * 4, MOST_CALLS)) {
    const { takenMs } = await sample(contender, { input, count });
    if (takenMs >= scale.sampleMs || count === MOST_CALLS) return { count, takenMs };
  }
}

async function sample<INPUT>(
  contender: Contender<INPUT>,
  { input, count }: { input: INPUT; count: number },
): Promise<{ callMs: number; takenMs: number }> {
  // Otherwise the next contender would pay for the garbage of the previous one.
  globalThis.gc?.();
  const { run, givesMilliseconds, tidy } = contender;
  let given = 0;
  const started = performance.now();
  for (let call = 0; call < count; call++) {
    const result = run(input);
    // Awaits only promises, because a turn costs more than some of the measured calls.
    const settled = result instanceof Promise ? await result : result;
    if (givesMilliseconds) given += settled as number;
  }
  const takenMs = performance.now() - started;
  await tidy?.();
  return { callMs: (givesMilliseconds ? given : takenMs) / count, takenMs };
}

function timedOf(samples: readonly number[] = []): Timed {
  const sorted = samples.toSorted((one, other) => one - other);
  const at = (part: number): number => {
    const place = part * (sorted.length - 1);
    return ((sorted[Math.floor(place)] ?? Number.NaN) + (sorted[Math.ceil(place)] ?? Number.NaN)) / 2;
  };
  return { milliseconds: at(0.5), low: at(0.25), high: at(0.75) };
}
