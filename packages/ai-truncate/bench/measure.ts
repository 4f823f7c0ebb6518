import { existsSync, readFileSync, writeFileSync } from 'node:fs';

export interface Contender<INPUT> {
  name: string;
  run(input: INPUT): unknown;
}

/** The median of several rounds; in each round every contender runs once, on an input of its own. */
export async function medians<INPUT>(
  contenders: Contender<INPUT>[],
  { rounds, input }: { rounds: number; input: () => INPUT },
): Promise<Map<string, number>> {
  const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, run } of contenders) {
      const fresh = input();
      // What the last one left behind is not this one's to pay for.
      globalThis.gc?.();
      const started = performance.now();
      await run(fresh);
      times.get(name)?.push(performance.now() - started);
    }
  }
  return new Map([...times].map(([name, all]) => [name, median(all)]));
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}

/** Microseconds of one call, of so many that the clock can tell. */
export function microseconds(run: () => unknown): number {
  const calls = 20_000;
  const samples = Array.from({ length: 9 }, () => {
    const started = performance.now();
    for (let call = 0; call < calls; call++) run();
    return ((performance.now() - started) * 1000) / calls;
  });
  return median(samples);
}

/** Megabytes that the process needed at its peak beyond what it had before; `undefined` where the system does not tell. */
export async function extraMegabytes(run: () => unknown): Promise<number | undefined> {
  if (!existsSync('/proc/self/clear_refs')) return undefined;
  globalThis.gc?.();
  // Forgets the peak so far.
  writeFileSync('/proc/self/clear_refs', '5');
  const before = peakMegabytes();
  await run();
  return peakMegabytes() - before;
}

function peakMegabytes(): number {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(kilobytes) / 1000;
}

export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
