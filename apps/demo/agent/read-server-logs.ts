import { tool } from 'ai';
import { z } from 'zod';
import { environment } from '../lib/environment';
import type { ServiceName } from './chat-message';
import { nightHours, serverLog } from './server-log';
import { toStream } from './text-stream';

const services = ['checkout', 'payments', 'inventory'] as const satisfies readonly ServiceName[];

/**
 * Reads the log of the last night. It is handed out as a stream, as a log service would: nobody here ever holds it whole, and
 * what of it the model, the page and the chat log get is decided by the wrapper.
 */
export const readServerLogs = tool({
  description:
    'Reads the log of one service of the shop: the last hours of the night of 17 to 18 November 2026, until 06:00 UTC.',
  inputSchema: z.object({
    service: z.enum(services),
    hours: z.number().min(1).max(nightHours).default(nightHours),
  }),
  execute: ({ service, hours }) => toStream(serverLog({ service, hours, bytes: environment().logBytes })),
});
