import { expect, test } from '@playwright/test';
import { conversationWith } from './conversation.ts';
import { startDemo } from './demo-server.ts';
import { startOpenAi } from './loopback-openai.ts';

const ARTIFACT = /tool-output\/\S+\.txt/;

test('with a key the same agent runs on OpenAI: bounded outputs, a sub-agent on its own model, real token counts', async () => {
  let path = '';
  const openai = await startOpenAi(({ model, input }) => {
    const last = JSON.stringify(input.at(-1));
    path = ARTIFACT.exec(last)?.[0] ?? path;
    const outputs = input.filter(({ type }) => type === 'function_call_output').length;
    if (model === 'gpt-5-nano') {
      if (outputs === 0) return { call: 'grepArtifacts', input: { path, pattern: 'timeoutMs changed' } };
      const [, line = '0', quote = ''] =
        /(\d+): (\S+ INFO {2}checkout-2 config reloaded: [^\\]+300 \()/.exec(last) ?? [];
      const evidence = [{ path, start_line: Number(line), end_line: Number(line), quote }];
      return { call: 'report', input: { conclusion: 'The timeout was changed.', evidence } };
    }
    if (outputs === 0) return { call: 'readServerLogs', input: { service: 'checkout', hours: 12 } };
    if (outputs === 1) return { call: 'task', input: { agent: 'explore', prompt: `What changed? ${path}` } };
    return { say: `The sub-agent says: ${/The timeout was changed/.exec(last)?.[0]}` };
  });
  const demo = await startDemo({
    OPENAI_API_KEY: 'loopback',
    OPENAI_BASE_URL: openai.baseURL,
    OPENAI_MODEL: 'gpt-5-mini',
    OPENAI_EXPLORE_MODEL: 'gpt-5-nano',
    DEMO_LOG_MB: '5',
  });
  const conversation = conversationWith(demo.url);
  const { text } = await conversation.say('What changed in the night?');
  const { messages } = await (await conversation.restore()).json();
  await demo.stop();
  await openai.close();

  expect(text).toBe('The sub-agent says: The timeout was changed');
  // The second request to the main model carries the output of the log.
  const [, second] = openai.requests.filter(({ model }) => model === 'gpt-5-mini');
  const sent = second?.input.find(({ type }) => type === 'function_call_output')?.output;
  expect(String(sent).length).toBeGreaterThan(1_000);
  expect(Buffer.byteLength(String(sent))).toBeLessThanOrEqual(16_384);

  const { metadata, parts } = messages[1];
  expect(metadata.model).toEqual({ id: 'gpt-5-mini', isScripted: false });
  expect(metadata.steps).toHaveLength(3);
  expect(metadata.steps[0]).toMatchObject({ inputTokens: 1_001, outputTokens: 20, isEstimated: false });
  expect(metadata.calls[0].sentChars).toBe(String(sent).length);
  expect(metadata.calls[1].subAgentTokens).toBeGreaterThan(2_000);
  const task = parts.find(({ type }: { type: string }) => type === 'tool-task');
  expect(task.output.data.evidence).toMatchObject([{ verified: true }]);
});

test('a refused key and an unreachable service are explained in one sentence without the key', async () => {
  const demo = await startDemo({ OPENAI_API_KEY: 'sk-very-secret', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' });
  const { chunks } = await conversationWith(demo.url).say('hello');
  await demo.stop();
  expect(chunks.find(({ type }) => type === 'error')?.errorText).toBe('The model could not be reached. Try again.');
  expect(demo.output()).not.toContain('sk-very-secret');
});
