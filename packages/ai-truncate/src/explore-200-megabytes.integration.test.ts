import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateText, isStepCount, type ModelMessage, tool } from 'ai';
import { countTokens } from 'gpt-tokenizer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { actingModel } from '../fixtures/acting-model.ts';
import type { TaskData } from './agents/task/answer.ts';
import type { TruncationEvent } from './delivery/events.ts';
import type { ToolSuccess } from './protocol/tool-response.ts';
import { filesystemStore } from './stores/filesystem/filesystem-store.ts';
import { truncateToolOutputs } from './tools/truncate-tool-outputs.ts';

const MEGABYTE = 1024 ** 2;
const SIZE = 200 * MEGABYTE;
const CAUSE = 'INFO  config: applied revision 7f3k: pool.max 50 -> 5 (by deploy-bot)';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'explore-200-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Requests that are served and then time out, with the cause in a line between them that looks like any other. */
function* incident(): Generator<string> {
  let bytes = 0;
  let isTold = false;
  for (let second = 0; bytes < SIZE; second++) {
    const rows: string[] = [];
    const isBroken = bytes > SIZE / 2;
    for (let request = 0; request < 200; request++) {
      const id = `req-${(second * 200 + request).toString(36)}`;
      const isSlow = isBroken && request % 7 === 0;
      rows.push(
        `${second}.${request} ${isSlow ? `WARN  ${id} timed out waiting for a connection` : `INFO  ${id} GET /cart served in ${request % 40} ms`}`,
      );
    }
    if (isBroken && !isTold) rows.push(`${second}.200 ${CAUSE}`);
    isTold = isBroken;
    const chunk = `${rows.join('\n')}\n`;
    bytes += chunk.length;
    yield chunk;
  }
}

const readServerLogs = tool({
  inputSchema: z.object({}),
  execute: () => ReadableStream.from(incident()).pipeThrough(new TextEncoderStream()),
});

/** Follows rules like a person: when did it begin, which lines came before it, and what was changed. */
function searcher(calls: string[]) {
  return actingModel(({ prompt, results }) => {
    const path = /[^\s"]+\/tool_\w[^\s"]+?\.txt/.exec(JSON.stringify(prompt))?.[0] ?? '';
    const shown = results[0] ?? '';
    const act = (toolName: string, input: object) => {
      calls.push(toolName);
      return { toolName, input: { path, ...input } };
    };
    const line = Number(/^(\d+): /m.exec(shown)?.[1]);
    switch (calls.length) {
      case 0:
        return act('grepArtifacts', { pattern: 'timed out' });
      case 1:
        return act('grepArtifacts', { pattern: 'config|deploy|revision', ignoreCase: false });
      case 2:
        return act('readArtifact', { offset: Math.max(1, line - 5), limit: 10 });
      default: {
        const found = /^(\d+): (.*pool\.max.*)$/m.exec(shown);
        const start_line = Number(found?.[1]);
        const evidence = [{ path, start_line, end_line: start_line, quote: found?.[2] ?? '' }];
        return {
          toolName: 'report',
          input: { conclusion: 'Revision 7f3k cut pool.max from 50 to 5; requests time out since.', evidence },
        };
      }
    }
  });
}

const tokensOf = (messages: readonly ModelMessage[]) =>
  countTokens(messages.map((message) => JSON.stringify(message.content)).join('\n'));

test('the decisive line in 200 MB is found in at most six calls of readers, and the main conversation stays small', async () => {
  const calls: string[] = [];
  const events: TruncationEvent[] = [];
  const tools = truncateToolOutputs(
    { readServerLogs },
    {
      store: filesystemStore({ directory }),
      scope: 'chat-1',
      explore: { model: searcher(calls) },
      onTruncate: (event) => events.push(event),
      previewBytes: 3000,
    },
  );
  const model = actingModel(({ step, results }) => {
    if (step === 1) return { toolName: 'readServerLogs', input: {} };
    const path = /[^\s"]+\/tool_\w[^\s"]+?\.txt/.exec(results[0] ?? '')?.[0];
    if (step === 2)
      return { toolName: 'task', input: { agent: 'explore', prompt: `Why do requests time out? See ${path}` } };
    return 'Done.';
  });
  const { steps, responseMessages } = await generateText({
    model,
    tools,
    prompt: 'Why is the shop slow?',
    stopWhen: isStepCount(4),
  });

  expect(events[0]?.bytes).toBeGreaterThanOrEqual(SIZE);
  const output = steps[1]?.toolResults[0]?.output as ToolSuccess<TaskData>;
  expect(output).toMatchObject({
    status: 'success',
    data: { conclusion: expect.stringContaining('7f3k'), evidence: [{ verified: true }] },
  });
  expect(output.data.evidence[0]?.quote).toContain(CAUSE);
  expect(output.data.bytes_read).toBeGreaterThan(SIZE / 2);
  expect(calls.length).toBeLessThanOrEqual(6);

  // The main conversation gets only the call and the answer of the search.
  const [, logs, handedOver, answer] = responseMessages;
  expect(tokensOf([handedOver, answer] as ModelMessage[])).toBeLessThan(250);
  expect(JSON.stringify(logs)).not.toContain(CAUSE);
  expect(tokensOf(responseMessages)).toBeLessThanOrEqual(2000);
}, 120_000);
