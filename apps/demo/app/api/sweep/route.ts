import { artifactStore } from '../../../lib/artifact-store';
import { environment } from '../../../lib/environment';
import { isBearer } from '../../../lib/is-bearer';
import { answerErrors } from '../../../lib/request-error';
import { sweepWithin } from '../../../lib/sweep-within';

export const maxDuration = 60;

/** Leaves time to delete what was found last, and to answer. */
const BUDGET_MS = 45_000;

/**
 * Deletes full outputs whose time is over, in all chats. The cron job of `vercel.json` asks for it daily, by CRON_SECRET; for all
 * others, and while no secret is set, there is no such page.
 */
export function GET(request: Request): Promise<Response> {
  return answerErrors(async () => {
    const { cronSecret, toolOutput } = environment();
    const headers = { 'cache-control': 'no-store' };
    if (!isBearer(request, cronSecret)) return new Response('Not found', { status: 404, headers });
    const swept = await sweepWithin(artifactStore(), {
      budgetMs: BUDGET_MS,
      retentionDays: toolOutput.retentionDays,
      abortSignal: request.signal,
    });
    console.log(JSON.stringify({ event: 'sweep', ...swept }));
    return Response.json(swept, { headers });
  });
}
