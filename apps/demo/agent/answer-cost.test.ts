import { isStepCount, streamText, tool, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { memoryStore, truncateToolOutputs } from 'ai-truncate';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { costMeter } from './answer-cost';
import { scriptedModel } from './scripted/scripted-model';

const inputSchema = z.object({});

/** The calls that the scripted model makes for this prompt, with what they cost. */
async function costOf(prompt: string, output: unknown) {
  const named = tool({ inputSchema, execute: async () => output });
  const tools = truncateToolOutputs({ named }, { store: memoryStore(), scope: 'chat-1' });
  const meter = costMeter({
    id: 'mock',
    label: 'mock',
    isScripted: true,
    contextWindow: 1_000,
    model: scriptedModel(),
    exploreModel: new MockLanguageModelV4(),
  });
  const model = wrapLanguageModel({ model: scriptedModel(), middleware: meter.middleware });
  const result = streamText({ model, tools, prompt, stopWhen: isStepCount(3) });
  for await (const part of result.stream) meter.onPart(part as never);
  return meter.metadata().calls ?? [];
}

test('the omitted part of a truncated output is counted', async () => {
  const [call] = await costOf('call named {}', 'line\n'.repeat(100_000));
  expect(call).toMatchObject({ toolName: 'named', originalChars: 500_000 });
  expect(call?.sentChars).toBeLessThan(20_000);
});

test('an output that was not truncated has no omitted part, in any form', async () => {
  const [call] = await costOf('call named {}', { rows: [{ id: 1, text: 'small' }] });
  expect(call?.originalChars).toBe(call?.sentChars);
  const [page] = await costOf('call grepArtifacts {"pattern":"nothing"}', '');
  expect(page).toMatchObject({ toolName: 'grepArtifacts' });
  expect(page?.originalChars).toBe(page?.sentChars);
});
