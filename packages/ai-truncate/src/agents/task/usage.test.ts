import { generateText, isStepCount } from 'ai';
import { expect, test } from 'vitest';
import { actingModel } from '../../../fixtures/acting-model.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { truncateToolOutputs } from '../../tools/truncate-tool-outputs.ts';
import { usageWithTasks } from './usage.ts';

test('adds the usage of sub-agents to that of the main agent, which the SDK does not do', async () => {
  const explore = {
    model: actingModel(() => ({ toolName: 'report', input: { conclusion: 'Nothing.', evidence: [] } })),
  };
  const tools = truncateToolOutputs({}, { store: memoryStore(), scope: 'chat-1', explore });
  const task = { toolName: 'task', input: { agent: 'explore', prompt: 'Look.' } };
  const model = actingModel(({ step }) => (step === 1 ? [task, task] : 'Done.'));
  const run = await generateText({ model, tools, prompt: 'go', stopWhen: isStepCount(3) });
  expect(run.usage).toMatchObject({ inputTokens: 200, outputTokens: 40, totalTokens: 240 });
  expect(usageWithTasks(run)).toMatchObject({
    inputTokens: 400,
    inputTokenDetails: { cacheReadTokens: 160 },
    outputTokens: 80,
    totalTokens: 480,
  });
});

test('is the usage itself without tasks', async () => {
  const run = await generateText({ model: actingModel(() => 'Done.'), prompt: 'go' });
  expect(usageWithTasks(run)).toEqual(run.usage);
});
