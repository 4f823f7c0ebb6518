import { expect, type Locator, type Page } from '@playwright/test';
import { test as base } from './page-without-errors.ts';
import { type ScriptedAnswers, scriptAnswers } from './scripted-answers.ts';

/** The chat as a visitor meets it, by names and roles. */
export interface ChatPage {
  page: Page;
  composer: Locator;
  conversation: Locator;
  /** What screen readers are told. */
  milestones: Locator;
  /** The card of a call; the last one, when the tool was called more than once. */
  card(toolName: string): Locator;
  ask(text: string): Promise<void>;
  /** Waits until the answer is over. */
  answered(): Promise<void>;
}

/** A test with a chat, whose answers come from the server, or from a script when the test asks for `answers`. */
export const test = base.extend<{ chat: ChatPage; answers: ScriptedAnswers }>({
  chat: async ({ page }, use) => {
    const composer = page.getByLabel('Your message');
    await use({
      page,
      composer,
      conversation: page.getByRole('group', { name: 'Conversation' }),
      milestones: page.locator('[data-milestones]'),
      card: (toolName) => page.getByRole('article', { name: `Tool call ${toolName}`, exact: true }).last(),
      async ask(text) {
        await composer.fill(text);
        await composer.press('Enter');
      },
      async answered() {
        await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
        await expect(page.getByText('Thinking', { exact: true })).toHaveCount(0);
      },
    });
  },
  answers: async ({ page }, use) => {
    const answers = await scriptAnswers(page);
    await use(answers);
    await answers.close();
  },
});

export { expect };
