import { expect, test } from './chat-page.ts';
import { startDemo } from './demo-server.ts';
import { startOpenAi } from './loopback-openai.ts';

test('the card shows what the model received, byte for byte', async ({ page, chat }) => {
  const openAi = await startOpenAi(({ input }) =>
    input.some(({ type }) => type === 'function_call_output')
      ? { say: 'It failed.' }
      : { call: 'readServerLogs', input: { service: 'checkout', hours: 12 } },
  );
  const demo = await startDemo({ OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: openAi.baseURL });
  try {
    await page.goto(demo.url);
    await chat.ask('Why?');
    await chat.answered();

    const card = chat.card('readServerLogs');
    const shown = await card.locator('[data-preview]').evaluate((element) => element.textContent);
    const [notice, hint] = await card.locator('[data-model-words]').allTextContents();
    const received = openAi.requests.at(-1)?.input.find(({ type }) => type === 'function_call_output')?.output;
    expect(received).toBe([notice, '<tool-output-preview>', shown, '</tool-output-preview>', hint].join('\n'));
  } finally {
    await demo.stop();
    await openAi.close();
  }
});
