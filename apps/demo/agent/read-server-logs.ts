import { tool } from 'ai';
import { truncateText } from 'ai-truncate';
import { z } from 'zod';
import { serverLog } from './server-log';

/** How much of the log the model reads. */
export const logLimits = { maxLines: 200, maxBytes: 32 * 1024 };

/** Reads the whole log of the last night; the model, the page and the chat history get its last lines. */
export const readServerLogs = tool({
  description: 'Reads the server logs of the checkout service of the last night.',
  inputSchema: z.object({}),
  // A crash is told at the end of a log.
  execute: () => truncateText(serverLog(), { ...logLimits, keep: 'tail' }),
  toModelOutput: ({ output }) => ({
    type: 'text',
    value: output.truncated
      ? `The last ${output.keptLines} of ${output.originalLines.toLocaleString('en')} lines:\n${output.content}`
      : output.content,
  }),
});
