import { tool } from 'ai';
import { z } from 'zod';
import { serverLog } from './server-log';

/** Reads the whole log of the last night. What of it the model, the page and the chat history get, the wrapper decides. */
export const readServerLogs = tool({
  description: 'Reads the server logs of the checkout service of the last night.',
  inputSchema: z.object({}),
  execute: () => serverLog(),
});
