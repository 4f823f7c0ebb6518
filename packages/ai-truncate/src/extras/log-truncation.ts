import type { TruncationEvent } from '../delivery/events.ts';
import { requireOption } from '../options.ts';
import { shownToolName } from '../preview/notice-and-hint-words.ts';
import { isRecord } from '../protocol/guards.ts';
import { shortened, thousands } from '../text/utf.ts';
import { visibleText } from '../text/visible-text.ts';

/** `console`, or any logger with these two methods. */
export interface TruncationLogger {
  info(line: string): void;
  warn(line: string): void;
}

/**
 * An `onTruncate` that writes one line for each truncated output: its tool, both sizes, the time, and where the full output is. When
 * an output could not be saved, the line is a warning.
 *
 * @example
 * const onTruncate = logTruncation(console);
 * // readServerLogs: output truncated, 182,345 -> 16,251 bytes (91.0% less) in 12 ms. Full output: tool-output/…
 */
export function logTruncation(logger: TruncationLogger): (event: TruncationEvent) => void {
  // A logger may be an instance of a class, with its methods in the prototype.
  const { info, warn } = isRecord(logger) ? logger : ({} as Partial<TruncationLogger>);
  const isLogger = typeof info === 'function' && typeof warn === 'function';
  const expected = 'a logger with `info(line)` and `warn(line)`, as `console`';
  requireOption(isLogger, { option: 'logger', value: logger, expected });
  return (event) => {
    if (event.error === undefined) logger.info(lineFor(event));
    else logger.warn(lineFor(event));
  };
}

function lineFor(event: TruncationEvent): string {
  const { toolName, bytes, sentBytes, reduction, durationMs } = event;
  // Rounded down, because an output that is shown in part is not 100 % smaller.
  const percent = (Math.floor(reduction * 1000) / 10).toFixed(1);
  const sizes = `${thousands(bytes)} -> ${thousands(sentBytes)} bytes (${percent}% less) in ${thousands(durationMs)} ms`;
  return `${shownToolName(toolName)}: output truncated, ${sizes}. ${focusText(event)}${whereItIs(event)}`;
}

const MAX_FOCUS_CHARS = 120;

/** The words that chose lines, so that a wrong focus can be seen. */
function focusText({ focus }: TruncationEvent): string {
  return focus ? `Focus: ${onOneLine(shortened(focus.join(', '), MAX_FOCUS_CHARS))}. ` : '';
}

function whereItIs({ path, error, notSavedByChoice }: TruncationEvent): string {
  if (path !== null) return `Full output: ${path}`;
  if (notSavedByChoice) return "This tool's outputs are not saved.";
  return error === undefined ? 'The full output was not saved.' : `The full output was not saved: ${onOneLine(error)}`;
}

const MAX_ERROR_CHARS = 200;

/** An error may quote models and clients, who must not be able to write their own lines into a log. */
function onOneLine(error: unknown): string {
  const message = isRecord(error) ? error.message : error;
  return visibleText(shortened(typeof message === 'string' ? message : 'unknown error', MAX_ERROR_CHARS)).replace(
    /\s+/g,
    ' ',
  );
}
