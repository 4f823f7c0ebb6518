import { expect, test } from './chat-page.ts';
import { words } from './scripted-answers.ts';

test.use({ expectedErrors: [/Failed to load resource/] });

const refusals = [
  {
    status: 400,
    code: 'bad_request',
    message: 'This is no message of a chat.',
    title: 'The server refused this message',
    action: 'Edit message',
  },
  {
    status: 404,
    code: 'unknown_chat',
    message: 'The server does not know it.',
    title: 'This chat is not here any more',
    action: 'Start again',
  },
  {
    status: 409,
    code: 'not_waiting',
    message: 'An answer is still running.',
    title: 'This chat has moved on',
    action: 'Reload this chat',
  },
  {
    status: 413,
    code: 'too_large',
    message: 'A message has at most 64 KB.',
    title: 'This message is too long',
    action: 'Edit message',
  },
  { status: 429, code: 'too_many_requests', message: 'That was a lot.', title: 'Too many messages', action: 'Retry' },
  { status: 500, code: 'internal', message: 'The disk is full.', title: 'The server failed', action: 'Retry' },
];

for (const { status, code, message, title, action } of refusals) {
  test(`a ${status} is explained in words, and offers: ${action}`, async ({ page, chat, answers }) => {
    answers.add({ status, body: { error: { code, message } }, headers: { 'retry-after': '600' } });
    await page.goto('/');
    await chat.ask('What failed?');

    const alert = page.getByRole('alert').filter({ hasText: title });
    await expect(alert).toContainText(message);
    if (status === 429) await expect(alert).toContainText('Try again in 10 minutes.');
    await expect(alert.getByText(action, { exact: true })).toBeVisible();
  });
}

test('Retry requests the answer again with the same message', async ({ page, chat, answers }) => {
  answers.add({ status: 503, body: { error: { code: 'internal', message: 'Too busy.' } } });
  answers.add({ chunks: words('Here it is.') });
  await page.goto('/');
  await chat.ask('What failed?');
  await page.getByRole('button', { name: 'Retry' }).click();

  await expect(page.getByText('Here it is.')).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0);
  await expect(page.getByRole('article', { name: 'You' })).toHaveCount(1);
  expect(answers.sent[1]?.body).toMatchObject({ trigger: 'submit-message', isNew: true });
  expect(answers.sent[1]?.body.message).toEqual(answers.sent[0]?.body.message);
});

test('Edit returns a refused message to the composer', async ({ page, chat, answers }) => {
  answers.add({ status: 413, body: { error: { code: 'too_large', message: 'Too long.' } } });
  await page.goto('/');
  await chat.ask('A very long story');
  await page.getByRole('button', { name: 'Edit message' }).click();

  await expect(chat.composer).toHaveValue('A very long story');
  await expect(chat.composer).toBeFocused();
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0);
});

test('Start again opens an empty chat', async ({ page, chat, answers }) => {
  answers.add({ status: 404, body: { error: { code: 'unknown_chat', message: 'Gone.' } } });
  await page.goto('/');
  await chat.ask('What failed?');
  await page.getByRole('link', { name: 'Start again' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Huge tool outputs/);
});

test('after a lost connection the received part of the answer stays, and the answer can be requested again', async ({
  page,
  chat,
  answers,
}) => {
  answers.add({ chunks: words('The certificate of'), end: 'broken' });
  answers.add({ chunks: words('The certificate of payments.internal had expired.') });
  await page.goto('/');
  await chat.ask('What failed?');

  await expect(page.getByRole('alert').filter({ hasText: 'The connection was lost' })).toBeVisible();
  await expect(page.getByText('The certificate of')).toBeVisible();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('The certificate of payments.internal had expired.')).toBeVisible();
  await expect(page.getByRole('article', { name: 'Agent', exact: true })).toHaveCount(1);
});

test('an answer that fails halfway says why', async ({ page, chat, answers }) => {
  answers.add({ chunks: [...words('I begin'), { type: 'error', errorText: 'The model is overloaded.' }] });
  await page.goto('/');
  await chat.ask('What failed?');
  await expect(page.getByRole('alert').filter({ hasText: 'The answer failed' })).toContainText(
    'The model is overloaded.',
  );
});

test('an error without a message is explained by its status', async ({ page, chat, answers }) => {
  answers.add({ status: 502, body: 'Bad gateway' });
  await page.goto('/');
  await chat.ask('What failed?');
  await expect(page.getByRole('alert').filter({ hasText: 'status 502' })).toBeVisible();
});

test('the address of an unknown chat says so, and links to a new chat', async ({ page }) => {
  const response = await page.goto('/c/00000000-0000-4000-8000-000000000000');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This chat is not here any more');
  await page.getByRole('link', { name: 'Start again' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Huge tool outputs/);
});

test('an answer that was stopped before its first word can be requested again', async ({ page, chat, answers }) => {
  answers.add({ chunks: [], end: 'open' });
  answers.add({ chunks: words('Here it is.') });
  await page.goto('/');
  await chat.ask('What failed?');
  await expect(page.getByText('Thinking')).toBeVisible();
  await expect.poll(() => answers.sent.length).toBe(1);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('note').filter({ hasText: 'This message has no answer' })).toBeVisible();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('Here it is.')).toBeVisible();
});
