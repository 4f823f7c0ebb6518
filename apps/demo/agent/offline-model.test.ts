import { generateText, isStepCount } from 'ai';
import { expect, test } from 'vitest';
import { tools } from './chat-agent';
import { offlineModel } from './offline-model';

test('a question about the failure is answered from the tool result, with its cause', async () => {
  const { text, steps } = await generateText({
    model: offlineModel(),
    tools,
    stopWhen: isStepCount(5),
    prompt: 'Why did checkout fail last night?',
  });
  expect(steps.map(({ toolCalls }) => toolCalls.length)).toEqual([1, 0]);
  expect(text).toContain('order 48213 was not charged');
  expect(text).toContain('certificate of payments.internal expired');
});

test('any other question is answered with what the model can do', async () => {
  const { text, toolCalls } = await generateText({ model: offlineModel(), tools, prompt: 'Good morning' });
  expect(toolCalls).toEqual([]);
  expect(text).toContain('Why did checkout fail last night?');
});

test('a log without a failure is not given one', async () => {
  const quietLogs = { ...tools.readServerLogs, execute: () => '' };
  const { text } = await generateText({
    model: offlineModel(),
    tools: { readServerLogs: quietLogs },
    stopWhen: isStepCount(5),
    prompt: 'Read the logs',
  });
  expect(text).toBe('The part of the log that I received names no failure.');
});
