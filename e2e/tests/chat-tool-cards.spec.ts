import { expect, test } from './chat-page.ts';
import { toolCall, words } from './scripted-answers.ts';
import { conflict, doneTask, dryRun, logPath, logPreview, patch, truncatedLog, workingTask } from './tool-outputs.ts';

const output = (value: unknown) => [{ type: 'tool-output-available', output: value }];

test('a running call says so', async ({ page, chat, answers }) => {
  answers.add({ chunks: toolCall('readServerLogs', { input: { service: 'checkout', hours: 24 } }), end: 'open' });
  await page.goto('/');
  await chat.ask('Why?');
  await expect(chat.card('readServerLogs')).toContainText('service: checkout · hours: 24');
  await expect(chat.card('readServerLogs')).toContainText('Running');
});

test('incomplete input is not shown', async ({ page, chat, answers }) => {
  const toolCallId = 'call';
  answers.add({
    chunks: [
      { type: 'tool-input-start', toolCallId, toolName: 'readServerLogs' },
      { type: 'tool-input-delta', toolCallId, inputTextDelta: '{"service":"che' },
    ],
    end: 'open',
  });
  await page.goto('/');
  await chat.ask('Why?');
  await expect(chat.card('readServerLogs')).toContainText('Preparing');
});

test('a large output shows both sizes, and the preview word for word with true line numbers', async ({
  page,
  chat,
  answers,
}) => {
  answers.add({ chunks: toolCall('readServerLogs', { outcome: output(truncatedLog()) }) });
  await page.goto('/');
  await chat.ask('Why?');
  const card = chat.card('readServerLogs');

  await expect(card).toContainText(/40\.0 MB.*1\.4 KB/);
  const preview = card.locator('[data-preview]');
  expect(await preview.evaluate((element) => element.textContent)).toBe(logPreview);
  await expect(preview.getByText('5000: 2026', { exact: false })).toHaveAttribute('data-line', '5000');
  await expect(preview.getByText('line 9993 ')).toHaveAttribute('data-line', '9993');
  // Numbers are drawn, not written: what is selected is the preview.
  const selected = await preview.evaluate((element) => {
    getSelection()?.selectAllChildren(element);
    return String(getSelection());
  });
  expect(selected.trim()).toBe(logPreview);
});

test('an expired output keeps its preview, and says since when it cannot be opened', async ({
  page,
  chat,
  answers,
}) => {
  answers.add({
    chunks: toolCall('readServerLogs', { outcome: output(truncatedLog({ expiresInMs: -2 * 3_600_000 })) }),
  });
  await page.goto('/');
  await chat.ask('Why?');
  const card = chat.card('readServerLogs');
  await expect(card.getByRole('link', { name: 'Expired 2 h ago' })).toBeVisible();
  await expect(card.locator('[data-preview]')).toBeVisible();
  await expect(card.getByRole('link', { name: /Open full output|Download/ })).toHaveCount(0);
});

test('the card copies the preview, and opens or downloads the full output', async ({
  page,
  chat,
  answers,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  answers.add({ chunks: toolCall('readServerLogs', { outcome: output(truncatedLog()) }) });
  await page.goto('/');
  await chat.ask('Why?');
  const card = chat.card('readServerLogs');
  await card.getByRole('button', { name: 'Copy preview' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(logPreview);

  const name = logPath.slice(logPath.lastIndexOf('/') + 1);
  const id = answers.sent[0]?.body.id;
  await expect(card.getByRole('link', { name: 'Open full output' })).toHaveAttribute('href', `/a/${name}?chat=${id}`);
  await expect(card.getByRole('link', { name: 'Download 40.0 MB' })).toHaveAttribute(
    'href',
    `/api/artifacts/${name}/raw?chat=${id}`,
  );
});

test('an output that could not be stored says so, and offers no link to it', async ({ page, chat, answers }) => {
  answers.add({ chunks: toolCall('readServerLogs', { outcome: output(truncatedLog({ path: null })) }) });
  await page.goto('/');
  await chat.ask('Why?');
  const card = chat.card('readServerLogs');
  await expect(card).toContainText('Preview only: the full output could not be saved');
  await expect(card.getByRole('link')).toHaveCount(0);
});

test('a small output is collapsed, shows its first lines, and all lines on demand', async ({ page, chat, answers }) => {
  const text = Array.from({ length: 40 }, (_, index) => `\u001b[32mline ${index + 1}\u001b[0m`).join('\n');
  answers.add({ chunks: toolCall('readFile', { input: { path: 'price.ts' }, outcome: output(text) }) });
  await page.goto('/');
  await chat.ask('Read it');
  const card = chat.card('readFile');
  await expect(card.getByText('line 12')).toBeHidden();

  await card.getByRole('button', { name: /readFile/ }).click();
  await expect(card).toContainText('line 12');
  await expect(card).not.toContainText('line 13');
  await card.getByRole('button', { name: 'Show all 40 lines' }).click();
  await expect(card).toContainText('line 40');
  await expect(card).not.toContainText('[32m');
});

test('an error is expanded, and says why', async ({ page, chat, answers }) => {
  const outcome = [{ type: 'tool-output-error', errorText: 'connect ECONNREFUSED 10.0.0.7' }];
  answers.add({ chunks: toolCall('queryOrders', { outcome }) });
  await page.goto('/');
  await chat.ask('Orders?');
  await expect(chat.card('queryOrders')).toContainText('Failed');
  await expect(chat.card('queryOrders').getByText('connect ECONNREFUSED 10.0.0.7')).toBeVisible();
});

test('a tool that answers with an error is shown with its code', async ({ page, chat, answers }) => {
  answers.add({ chunks: toolCall('editFile', { outcome: output(conflict) }) });
  await page.goto('/');
  await chat.ask('Fix it');
  await expect(chat.card('editFile')).toContainText('Failed · CONFLICT');
  await expect(chat.card('editFile').getByText('Read it again and make a new patch.')).toBeVisible();
});

test('a dry run says that no file was changed, and shows the difference', async ({ page, chat, answers }) => {
  answers.add({
    chunks: toolCall('editFile', { input: { path: 'price.ts', patch, dryRun: true }, outcome: output(dryRun) }),
  });
  await page.goto('/');
  await chat.ask('Fix it');
  const card = chat.card('editFile');
  await expect(card).toContainText('Done · dry run');
  await card.getByRole('button', { name: /editFile/ }).click();
  await expect(card).toContainText('Dry run: the file was not changed · 1 added · 1 removed');
  await expect(card.getByRole('group', { name: 'Difference in price.ts' })).toContainText('+return net * (1 + tax);');
});

test('a running sub-agent shows its step, the output that it reads, and its findings so far', async ({
  page,
  chat,
  answers,
}) => {
  const outcome = [{ type: 'tool-output-available', output: workingTask, preliminary: true }];
  answers.add({ chunks: toolCall('task', { input: { agent: 'explore', prompt: 'Find it' }, outcome }), end: 'open' });
  await page.goto('/');
  await chat.ask('Why?');
  const card = chat.card('task');
  await expect(card).toContainText('Working · Step 3 of 12');
  await expect(card).toContainText('grepArtifacts');
  await expect(card.getByRole('progressbar')).toHaveAttribute('value', '3');
  await expect(card.getByRole('link', { name: 'read-server-logs.txt:5000' })).toBeVisible();
});

test('the findings of a sub-agent link to their lines, and distinguish verified quotes from others', async ({
  page,
  chat,
  answers,
}) => {
  answers.add({
    chunks: toolCall('task', { input: { agent: 'explore', prompt: 'Find it' }, outcome: output(doneTask) }),
  });
  await page.goto('/');
  await chat.ask('Why?');
  const pieces = chat.card('task').getByRole('list', { name: 'Evidence' }).getByRole('listitem');
  await expect(pieces.nth(0)).toContainText('Verified quote');
  await expect(pieces.nth(1)).toContainText('Quote not found');
  await expect(pieces.nth(1).getByRole('link', { name: 'read-server-logs.txt:5100–5104' })).toHaveAttribute(
    'href',
    /\/a\/tool_.*\?chat=.*#L5100-L5104&quote=all%20instances%20were%20restarted$/,
  );
  await expect(chat.card('task')).toContainText('5 steps, 2 findings');
  await expect(chat.card('task')).toContainText('9.7k tokens of its own');
});

test('the report of a sub-agent is shown exactly as written, to its last word', async ({ page, chat, answers }) => {
  const steps = Array.from({ length: 30 }, (_, index) => `Step ${index} led to \`line ${index}\`.`);
  const told = { ...doneTask, data: { ...doneTask.data, conclusion: [...steps, 'That is all.'].join('\n\n') } };
  answers.add({ chunks: toolCall('task', { input: { agent: 'explore', prompt: 'Find it' }, outcome: output(told) }) });
  await page.goto('/');
  await chat.ask('Why?');
  const report = chat.card('task').getByRole('group', { name: 'Conclusion' });
  await expect(report).toContainText('Step 29 led to `line 29`.');
  await report.getByText('That is all.').scrollIntoViewIfNeeded();
  await expect(report.getByText('That is all.')).toBeInViewport();
});

test('a card that the visitor opened stays open when its tool ends', async ({ page, chat, answers }) => {
  answers.add({ chunks: [...toolCall('readFile', { toolCallId: 'one' })], end: 'open' });
  await page.goto('/');
  await chat.ask('Read it');
  const card = chat.card('readFile');
  await card.getByRole('button', { name: /readFile/ }).click();
  await expect(card.getByText('No output yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(card.getByText('Stopped before there was an output.')).toBeVisible();
});

test('an unknown tool is shown like any other tool', async ({ page, chat, answers }) => {
  answers.add({
    chunks: [
      { type: 'tool-input-available', toolCallId: 'mcp', toolName: 'get_issue', input: { id: 7 }, dynamic: true },
      { type: 'tool-output-available', toolCallId: 'mcp', output: { title: 'It is broken' }, dynamic: true },
      ...words('Done.'),
    ],
  });
  await page.goto('/');
  await chat.ask('Issue 7?');
  await chat
    .card('get_issue')
    .getByRole('button', { name: /get_issue/ })
    .click();
  await expect(chat.card('get_issue')).toContainText('"title": "It is broken"');
});
