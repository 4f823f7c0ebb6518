import { tool } from 'ai';
import { z } from 'zod';
import { environment } from '../lib/environment';
import { nightHours, serverLog, services } from './server-log';
import { toStream } from './text-stream';

/**
 * Reads the log of the last night. It is handed out as a stream, as a log service would: nobody here ever holds it whole, and
 * what of it the model, the page and the chat log get is decided by the wrapper. The store of this demo saves each log once for
 * all chats (`lib/shared-log-store.ts`). Hours are whole numbers, so that this tool has only 36 different outputs.
 */
export const readServerLogs = tool({
  description:
    'Reads the log of one service of the shop: the last hours of the night of 17 to 18 November 2026, until 06:00 UTC.',
  inputSchema: z.object({
    service: z.enum(services),
    hours: z.int().min(1).max(nightHours).default(nightHours),
  }),
  execute: ({ service, hours }) => toStream(serverLog({ service, hours, bytes: environment().logBytes })),
});

/** Whether the outputs of this tool are saved once for all chats, so that another call takes no room. */
export function isSharedOutput(toolName: string): boolean {
  return toolName === 'readServerLogs';
}
