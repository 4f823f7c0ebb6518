import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * The megabytes that the process needed at its peak in addition to its earlier memory; `undefined` if the system does not
 * report them.
 */
export async function extraMegabytes(run: () => unknown): Promise<number | undefined> {
  if (!existsSync('/proc/self/clear_refs')) return undefined;
  globalThis.gc?.();
  // Resets the peak.
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
