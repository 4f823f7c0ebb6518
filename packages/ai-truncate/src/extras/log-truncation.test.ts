import { tool } from 'ai';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { log } from '../../fixtures/one-megabyte.ts';
import { runTool, truncatedOf } from '../../fixtures/run-tool.ts';
import type { TruncationEvent } from '../delivery/events.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateToolOutputs } from '../tools/truncate-tool-outputs.ts';
import { logTruncation } from './log-truncation.ts';

const readLogs = tool({ inputSchema: z.object({}), execute: () => log });
const event: TruncationEvent = {
  entrance: 'tool',
  toolName: 'readServerLogs',
  toolCallId: 'call_1',
  reason: 'bytes',
  lines: 5234,
  bytes: 182_345,
  previewLines: 186,
  previewBytes: 16_000,
  sentBytes: 16_251,
  reduction: 1 - 16_251 / 182_345,
  durationMs: 12,
  path: 'tool-output/x.txt',
};

function logger() {
  return { info: vi.fn(), warn: vi.fn() };
}

describe('a log of truncations', () => {
  test('has one line for each event: the tool, both sizes, the time and the path', () => {
    const to = logger();
    logTruncation(to)(event);
    expect(to.info).toHaveBeenCalledExactlyOnceWith(
      'readServerLogs: output truncated, 182,345 -> 16,251 bytes (91.0% less) in 12 ms. Full output: tool-output/x.txt',
    );
    expect(to.warn).not.toHaveBeenCalled();
  });

  test('warns when an output could not be saved, and says why', () => {
    const to = logger();
    logTruncation(to)({ ...event, path: null, error: new Error('disk\nfull') });
    expect(to.info).not.toHaveBeenCalled();
    expect(to.warn).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/ in 12 ms\. The full output was not saved: disk full$/),
    );
  });

  test.each([
    ['a string', 'no space', 'no space'],
    ['an object without a message', Object.create(null), 'unknown error'],
    ['a long message', { message: 'x'.repeat(1000) }, `${'x'.repeat(199)}…`],
  ])('quotes an error that is %s', (_, error, quoted) => {
    const to = logger();
    logTruncation(to)({ ...event, path: null, error });
    expect(to.warn.mock.calls[0]?.[0].endsWith(`was not saved: ${quoted}`)).toBe(true);
  });

  test('never says that an output was left out completely', () => {
    const to = logger();
    logTruncation(to)({ ...event, bytes: 500_000_000, sentBytes: 10_000, reduction: 1 - 10_000 / 500_000_000 });
    expect(to.info.mock.calls[0]?.[0]).toContain('(99.9% less)');
  });

  test('does not warn about a result that the middleware cut, because it saves nothing', () => {
    const to = logger();
    logTruncation(to)({ ...event, entrance: 'middleware', path: null });
    expect(to.info).toHaveBeenCalledOnce();
  });

  test('is one line for any tool name', () => {
    const to = logger();
    logTruncation(to)({ ...event, toolName: `read\nERROR all is lost\u001b[31m${'x'.repeat(5000)}` });
    const [line] = to.info.mock.calls[0] ?? [];
    expect(line).toMatch(/^read_ERROR_all[^\n\p{Cc}]{0,300}$/u);
  });

  test('accepts an instance of a class as logger', async () => {
    class Logger {
      readonly #lines: string[] = [];
      info(line: string) {
        this.#lines.push(line);
      }
      warn(line: string) {
        this.#lines.push(`! ${line}`);
      }
      lines() {
        return this.#lines;
      }
    }
    const to = new Logger();
    const options = { store: memoryStore(), scope: 'chat-1', onTruncate: logTruncation(to) };
    const { output } = await runTool(truncateToolOutputs({ readLogs }, options));
    const path = truncatedOf(output).data.truncation.full_output_path;
    expect(to.lines()).toEqual([
      expect.stringMatching(
        /^readLogs: output truncated, 1,049,757 -> 1[56],\d{3} bytes \(98\.[45]% less\) in \d+ ms\. Full output: /,
      ),
    ]);
    expect(to.lines()[0]?.endsWith(`${path}`)).toBe(true);
  });

  test.each([[undefined], [{}], [{ info: () => {} }], ['console']])('cannot be written to %o', (to) => {
    expect(() => logTruncation(to as never)).toThrow(
      '`logger` must be a logger with `info(line)` and `warn(line)`, as `console`',
    );
  });
});
