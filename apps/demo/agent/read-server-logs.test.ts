import { isTruncatedOutput } from 'ai-truncate';
import { expect, test } from 'vitest';
import { tools } from './chat-agent';
import { serverLog, serverLogLines } from './server-log';

const output = await tools.readServerLogs.execute({}, { toolCallId: 'call', messages: [], context: {} });

test('the log is the same on every call and holds one failure', () => {
  const log = serverLog();
  expect(log).toBe(serverLog());
  expect(log.split('\n')).toHaveLength(serverLogLines);
  expect(log.match(/was not charged/g)).toHaveLength(1);
});

test('the output is bounded, shows the failure from its middle, and all of it is kept', () => {
  if (!isTruncatedOutput(output)) throw new Error('not bounded');
  expect(output.data.preview).toContain('was not charged');
  expect(output.data.preview.length).toBeLessThan(16_384);
  expect(output.data.truncation).toMatchObject({
    original_lines: serverLogLines,
    full_output_path: expect.stringMatching(/^\.data\/tool-output\//),
  });
});
