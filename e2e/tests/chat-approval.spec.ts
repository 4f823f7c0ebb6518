import { expect, test } from './chat-page.ts';
import { type ScriptedAnswer, toolCall, words } from './scripted-answers.ts';
import { patch } from './tool-outputs.ts';

const asking: ScriptedAnswer = {
  chunks: toolCall('editFile', {
    toolCallId: 'edit',
    input: { path: 'price.ts', patch, dryRun: false },
    outcome: [{ type: 'tool-approval-request', approvalId: 'approval-1' }],
  }),
};

/** What the server says of a call once it has heard the visitor. */
function decided(approved: boolean) {
  return approved
    ? { type: 'tool-output-available', toolCallId: 'edit', output: 'Changed price.ts.' }
    : { type: 'tool-output-denied', toolCallId: 'edit' };
}

test('a call that needs approval shows its whole effect, and no button that could allow it has the focus', async ({
  page,
  chat,
  answers,
}) => {
  answers.add(asking);
  await page.goto('/');
  await chat.ask('Fix it');
  const card = chat.card('editFile');
  await expect(card).toContainText('Needs your approval');
  await expect(card.getByRole('group', { name: 'What would be changed' })).toContainText('+return net * (1 + tax);');
  await expect(chat.composer).toBeFocused();
  await expect(chat.milestones).toHaveText('editFile needs your approval.');
});

for (const { button, approved } of [
  { button: 'Allow', approved: true },
  { button: 'Deny', approved: false },
]) {
  test(`${button} is sent once, also when it is clicked twice`, async ({ page, chat, answers }) => {
    answers.add(asking);
    answers.add({ chunks: [decided(approved), { type: 'start-step' }, ...words('I heard you.')] });
    await page.goto('/');
    await chat.ask('Fix it');
    await page.getByRole('button', { name: button }).dblclick();

    await expect(page.getByText('I heard you.')).toBeVisible();
    expect(answers.sent).toHaveLength(2);
    expect(answers.sent[1]?.body.message).toMatchObject({
      role: 'assistant',
      parts: expect.arrayContaining([
        expect.objectContaining({ state: 'approval-responded', approval: expect.objectContaining({ approved }) }),
      ]),
    });
    await expect(page.getByRole('button', { name: button })).toHaveCount(0);
  });
}

test('after a decision the focus stays on the card', async ({ page, chat, answers }) => {
  answers.add(asking);
  answers.add({ chunks: [decided(false), { type: 'start-step' }, ...words('Then I leave it.')] });
  await page.goto('/');
  await chat.ask('Fix it');
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect(chat.card('editFile').getByRole('button', { name: /You denied this/ })).toBeFocused();
});

test('a decision that the server ignores is not sent forever', async ({ page, chat, answers }) => {
  answers.add(asking);
  answers.add({ chunks: words('I forgot what you said.') });
  answers.add({ chunks: words('You said it again.') });
  await page.goto('/');
  await chat.ask('Fix it');
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByText('I forgot what you said.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
  await chat.ask('Never mind');
  await expect(page.getByText('You said it again.')).toBeVisible();
  expect(answers.sent).toHaveLength(3);
});

test('the first decision counts, even when both buttons are pressed at once', async ({ page, chat, answers }) => {
  answers.add(asking);
  answers.add({ chunks: [decided(true), { type: 'start-step' }, ...words('I heard you.')] });
  await page.goto('/');
  await chat.ask('Fix it');
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible();
  await page.evaluate(() => {
    const buttons = [...document.querySelectorAll('button')];
    for (const name of ['Allow', 'Deny']) buttons.find(({ textContent }) => textContent === name)?.click();
  });

  await expect(page.getByText('I heard you.')).toBeVisible();
  expect(answers.sent).toHaveLength(2);
  expect(answers.sent[1]?.body.message.parts).toEqual([
    expect.objectContaining({ approval: expect.objectContaining({ approved: true }) }),
  ]);
});

test('a request that the visitor skipped says so and has no buttons, even after a reload', async ({ page, chat }) => {
  await page.goto('/');
  await chat.ask('Fix the failing test.');
  await expect(chat.card('editFile')).toContainText('Needs your approval');
  await chat.ask('hello');
  await expect(page.getByRole('article', { name: 'Agent', exact: true })).toHaveCount(2);
  await chat.answered();

  for (const isReloaded of [false, true]) {
    if (isReloaded) await page.reload();
    await expect(chat.card('editFile')).toContainText('Not decided');
    await expect(page.getByRole('button', { name: 'Allow' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Deny' })).toHaveCount(0);
  }
  await chat.card('editFile').getByRole('button').first().click();
  await expect(chat.card('editFile')).toContainText('You moved on without deciding');
});

for (const width of [390, 1280]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`a request names the file and shows hidden characters of its patch, ${width} wide and ${colorScheme}`, async ({
      page,
      chat,
      answers,
    }) => {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      const forged = [
        '--- a/README.md',
        '+++ b/README.md',
        '@@ -1,2 +1,3 @@',
        ' {',
        '-  "IE": 1',
        '+  "IE": \u202e1\u{e0041}',
      ];
      const path = `config/${'deep/'.repeat(20)}shipping.json`;
      const call = { toolCallId: 'edit', outcome: [{ type: 'tool-approval-request', approvalId: 'approval-1' }] };
      const input = { patch: [...forged, '+++ b/README.md', ''].join('\n'), dryRun: false, path };
      answers.add({ chunks: toolCall('editFile', { ...call, input }) });
      await page.goto('/');
      await chat.ask('Fix it');
      const card = chat.card('editFile');
      const file = card.getByText(path, { exact: true }).last();
      await expect(file).toBeInViewport({ ratio: 1 });
      await expect(card.locator('dt').first()).toHaveText('File');
      await expect(card.locator('dl')).toContainText('dryRunfalse');

      const change = card.getByRole('group', { name: 'What would be changed' });
      await expect(change.locator('[data-kind="ignored"]')).toHaveText(['--- a/README.md\n', '+++ b/README.md\n']);
      await expect(change.locator('[data-kind="ignored"]').first()).toHaveCSS('text-decoration-line', 'line-through');
      await expect(card.getByText('Lines that are struck through are ignored')).toBeVisible();
      await expect(change.locator('[data-kind="added"]')).toHaveText([
        '+  "IE": U+202E1U+E0041\n',
        '+++ b/README.md\n',
      ]);
      // No part of the request is wider than its card.
      expect(await card.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    });
  }
}
