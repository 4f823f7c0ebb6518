import type { TruncationEvent } from '../delivery/events.ts';
import { requireOption } from '../options.ts';
import { shownToolName } from '../preview/notice-and-hint-words.ts';
import { isRecord } from '../protocol/guards.ts';
import { thousands } from '../text/utf.ts';

/** What most loggers have, and `console`. The second argument is the event. */
export interface TruncationLogger {
  info(message: string, event: TruncationEvent): void;
  warn(message: string, event: TruncationEvent): void;
}

/**
 * An `onTruncate` that writes one line for each truncated output: which tool, from how much to how much, and where all of it is. One
 * that should have been kept and was not is a warning.
 *
 * @example
 * const onTruncate = logTruncation(console);
 * // readServerLogs: output truncated, 182,345 -> 16,251 bytes (91.1% less). Full output: tool-output/…
 */
export function logTruncation(logger: TruncationLogger): (event: TruncationEvent) => void {
  // A logger may be an instance of a class, with its methods in the prototype.
  const { info, warn } = isRecord(logger) ? logger : ({} as Partial<TruncationLogger>);
  const isLogger = typeof info === 'function' && typeof warn === 'function';
  const expected = 'a logger with `info(message, event)` and `warn(message, event)`, as `console`';
  requireOption(isLogger, { option: 'logger', value: logger, expected });
  return (event) => {
    if (event.error === undefined) logger.info(lineFor(event), event);
    else logger.warn(lineFor(event), event);
  };
}

/** Names come from models and clients: they may not write lines of their own. */
function lineFor({ toolName, bytes, sentBytes, reduction, path }: TruncationEvent): string {
  const sizes = `${thousands(bytes)} -> ${thousands(sentBytes)} bytes (${(reduction * 100).toFixed(1)}% less)`;
  const place = path === null ? 'The full output was not kept.' : `Full output: ${path}`;
  return `${shownToolName(toolName)}: output truncated, ${sizes}. ${place}`;
}
