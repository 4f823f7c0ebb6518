import { tool } from 'ai';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { log } from '../../fixtures/five-megabytes.ts';
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
  durationMs: 12.5,
  path: 'tool-output/x.txt',
};

function logger() {
  return { info: vi.fn(), warn: vi.fn() };
}

describe('a log of truncations', () => {
  it('has a line for each: the tool, from how much to how much, and where all of it is', () => {
    const to = logger();
    logTruncation(to)(event);
    expect(to.info).toHaveBeenCalledExactlyOnceWith(
      'readServerLogs: output truncated, 182,345 -> 16,251 bytes (91.1% less). Full output: tool-output/x.txt',
      event,
    );
    expect(to.warn).not.toHaveBeenCalled();
  });

  it('warns of one that should have been kept and was not', () => {
    const to = logger();
    const failed = { ...event, path: null, error: new Error('disk full') };
    logTruncation(to)(failed);
    expect(to.info).not.toHaveBeenCalled();
    expect(to.warn).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/\. The full output was not kept\.$/),
      failed,
    );
  });

  it('does not warn of what the middleware cut, which keeps nothing', () => {
    const to = logger();
    logTruncation(to)({ ...event, entrance: 'middleware', path: null });
    expect(to.info).toHaveBeenCalledOnce();
  });

  it('is one line, whatever a tool is called', () => {
    const to = logger();
    logTruncation(to)({ ...event, toolName: `read\nERROR all is lost\u001b[31m${'x'.repeat(5000)}` });
    const [line] = to.info.mock.calls[0] ?? [];
    expect(line).toMatch(/^read_ERROR_all[^\n\p{Cc}]{0,300}$/u);
  });

  it('is told by wrapped tools, by loggers of a class too', async () => {
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
      expect.stringMatching(/^readLogs: output truncated, 5,246,493 -> 16,\d{3} bytes \(99\.7% less\)\. Full output: /),
    ]);
    expect(to.lines()[0]?.endsWith(`${path}`)).toBe(true);
  });

  it.each([[undefined], [{}], [{ info: () => {} }], ['console']])('is not written to %o', (to) => {
    expect(() => logTruncation(to as never)).toThrow(
      '`logger` must be a logger with `info(message, event)` and `warn(message, event)`, as `console`',
    );
  });
});
