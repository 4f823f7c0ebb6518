import { expect, test } from 'vitest';
import { logLimits, readServerLogs } from './read-server-logs';
import { serverLog, serverLogLines } from './server-log';

const output = await readServerLogs.execute?.({}, { toolCallId: 'call', messages: [], context: {} });

test('the log is the same on every call and holds one failure', () => {
  const log = serverLog();
  expect(log).toBe(serverLog());
  expect(log.split('\n')).toHaveLength(serverLogLines);
  expect(log.match(/was not charged/g)).toHaveLength(1);
});

test('the output is bounded and still shows the failure', () => {
  expect(output).toMatchObject({
    truncated: true,
    originalLines: serverLogLines,
    keptLines: logLimits.maxLines,
    content: expect.stringContaining('was not charged'),
  });
});
