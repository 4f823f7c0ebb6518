import type { ServiceName } from './chat-message';
import { incidentOf } from './server-log-incident';
import { ordinaryLine } from './server-log-traffic';

/** The services of the shop. Each has a log. */
export const services = ['checkout', 'payments', 'inventory'] as const satisfies readonly ServiceName[];
/** The log covers one night, 18:00 to 06:00 UTC. */
export const nightHours = 12;
const NIGHT_START_MS = Date.UTC(2026, 10, 17, 18);
const NIGHT_MS = nightHours * 3_600_000;
/** What one line weighs on average, so that a size can be turned into a number of lines. */
const LINE_BYTES = 96;
const CHUNK_LINES = 512;

export interface ServerLogOptions {
  service: ServiceName;
  /** The last hours of the night. */
  hours: number;
  /** How large the log of the whole night is, about. */
  bytes: number;
}

/**
 * The log of one service for one night of a shop, made line by line: hundreds of megabytes cost no memory. The same options
 * give the same text, so that a conversation about it can be repeated.
 */
export function* serverLog({ service, hours, bytes }: ServerLogOptions): Generator<string> {
  const lines = Math.max(100, Math.round(bytes / LINE_BYTES));
  const timeOf = (index: number) => NIGHT_START_MS + (index * NIGHT_MS) / lines;
  const incident = incidentOf(service, { lines, timeOf });
  const first = Math.floor(lines * Math.max(0, 1 - hours / nightHours));
  let chunk = '';
  for (let index = first; index < lines; index++) {
    const time = formatTime(timeOf(index));
    const messages = incident(index) ?? [ordinaryLine(service, index)];
    for (const message of messages) chunk += `${time} ${message}\n`;
    if ((index - first) % CHUNK_LINES === CHUNK_LINES - 1) {
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') yield chunk;
}

let knownSecond = Number.NaN;
let knownText = '';

/** ISO 8601. The part down to the second is kept: most lines share it with the one before. */
function formatTime(timeMs: number): string {
  const second = Math.floor(timeMs / 1000);
  if (second !== knownSecond) {
    knownSecond = second;
    knownText = new Date(second * 1000).toISOString().slice(0, 19);
  }
  return `${knownText}.${String(Math.floor(timeMs) % 1000).padStart(3, '0')}Z`;
}
