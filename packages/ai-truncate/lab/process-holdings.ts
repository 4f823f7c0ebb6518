import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Whether this system reports the memory and descriptors of a process. Only Linux does. */
export const tellsHoldings: boolean = existsSync('/proc/self/fd');

/** The memory of a process that is not swapped out. */
export function residentMegabytes(processId: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1000;
}

/** Files, sockets and pipes. */
export function openDescriptors(processId: number): number {
  return readdirSync(`/proc/${processId}/fd`).length;
}
