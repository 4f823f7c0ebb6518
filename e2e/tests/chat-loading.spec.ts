import type { Page, Route } from '@playwright/test';
import { expect, test } from './chat-page.ts';
import { words } from './scripted-answers.ts';

test.use({ expectedErrors: [/ERR_FAILED/] });

const scripts = '**/_next/static/chunks/**';
/** Stands in the scripts of the SDK (in its zod), and in no others. */
const engineMark = 'allowsEval';

/** Holds back every script that the page has not asked for yet. */
async function holdScripts(page: Page) {
  const held: Route[] = [];
  let isHeld = true;
  await page.route(scripts, (route) => (isHeld ? void held.push(route) : route.continue()));
  return {
    async release() {
      isHeld = false;
      await Promise.all(held.map((route) => route.continue()));
    },
  };
}

test('a question that is asked before the scripts have loaded is shown at once, and sent once they have loaded', async ({
  page,
  chat,
  answers,
}) => {
  answers.add({ chunks: words('Because of a certificate.') });
  await page.goto('/', { waitUntil: 'networkidle' });
  const held = await holdScripts(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Why did it fail?');
  await page.keyboard.press('Enter');

  await expect(page.getByRole('article', { name: 'You' })).toHaveText('Why did it fail?');
  await expect(page.getByText('Thinking')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await expect(chat.composer).toHaveValue('');
  // What is written while nothing has arrived stays, and so does the focus.
  await page.keyboard.type('And then?');
  expect(answers.sent).toEqual([]);

  await held.release();
  await expect(page.getByText('Because of a certificate.')).toBeVisible();
  await expect(page.getByRole('article', { name: 'You' })).toHaveCount(1);
  await expect(chat.composer).toHaveValue('And then?');
  await expect(chat.composer).toBeFocused();
  expect(answers.sent.map(({ body }) => body.message.parts)).toEqual([[{ type: 'text', text: 'Why did it fail?' }]]);
});

test('a question that is withdrawn before the scripts have loaded is not sent', async ({ page, chat, answers }) => {
  answers.add({ chunks: words('Here it is.') });
  await page.goto('/', { waitUntil: 'networkidle' });
  const held = await holdScripts(page);
  await chat.ask('First');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('note').filter({ hasText: 'This message has no answer' })).toBeVisible();
  await chat.ask('Second');
  await held.release();
  await expect(page.getByText('Here it is.')).toBeVisible();
  expect(answers.sent.map(({ body }) => body.message.parts)).toEqual([[{ type: 'text', text: 'Second' }]]);
});

test('when the scripts cannot load, the page says so and keeps the question, and Retry sends it', async ({
  page,
  chat,
  answers,
}) => {
  answers.add({ chunks: words('Here it is.') });
  await page.goto('/', { waitUntil: 'networkidle' });
  await page.route(scripts, (route) => route.abort());
  await chat.ask('Why did it fail?');

  const alert = page.getByRole('alert').filter({ hasText: 'This was not sent' });
  await expect(alert).toContainText('Your message is kept');
  await expect(page.getByRole('article', { name: 'You' })).toHaveText('Why did it fail?');
  await page.unroute(scripts);
  await alert.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('Here it is.')).toBeVisible();
  await expect(alert).toHaveCount(0);
  await expect(page.getByRole('article', { name: 'You' })).toHaveCount(1);
});

test('a decision that cannot be sent because scripts are missing is requested again after a reload', async ({
  page,
  chat,
}) => {
  await page.goto('/');
  await chat.ask('Fix the failing test');
  const allow = page.getByRole('button', { name: 'Allow' });
  await expect(allow).toBeVisible();
  // Where a decision is open the engine is fetched with the page: here it never comes.
  await page.route(scripts, async (route) => {
    const response = await route.fetch();
    if ((await response.body()).includes(engineMark)) await route.abort();
    else await route.fulfill({ response });
  });
  await page.reload({ waitUntil: 'networkidle' });
  await allow.click();

  const alert = page.getByRole('alert').filter({ hasText: 'This was not sent' });
  await expect(alert).toBeVisible();
  await page.unroute(scripts);
  const reloaded = page.waitForEvent('load');
  await alert.getByRole('button', { name: 'Reload this chat' }).click();
  // A click before that would go to the page that is left.
  await reloaded;
  await page.waitForLoadState('networkidle');
  await allow.click();
  await expect(chat.card('editFile')).toContainText('Done');
  await chat.answered();
});
