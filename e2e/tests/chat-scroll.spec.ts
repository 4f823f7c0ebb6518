import { expect, test } from './chat-page.ts';
import { words } from './scripted-answers.ts';

const paragraphs = Array.from({ length: 60 }, (_, index) => `Paragraph ${index}.`).join('\n\n');

for (const [width, height] of [
  [1280, 800],
  [390, 844],
] as const) {
  test(`at ${width} pixels, a question that is asked after scrolling up comes into view, and its answer is followed`, async ({
    page,
    chat,
    answers,
  }) => {
    await page.setViewportSize({ width, height });
    answers.add({ chunks: words(`${paragraphs}\n\nThe first end.`) });
    answers.add({ chunks: words(`${paragraphs}\n\nThe second end.`), pauseMs: 2 });
    await page.goto('/');
    await chat.ask('First?');
    await expect(page.getByText('The first end.')).toBeInViewport();

    const top = page.getByText('Paragraph 0.').first();
    await chat.conversation.evaluate((element) => element.scrollTo({ top: 0 }));
    await expect(top).toBeInViewport();
    await chat.ask('Second?');
    await expect(page.getByText('The second end.')).toBeInViewport();
    await chat.answered();
    await expect(page.getByText('The second end.')).toBeInViewport();
  });
}

test('a visitor who scrolls up while an answer arrives stays at that place', async ({ page, chat, answers }) => {
  answers.add({ chunks: words(paragraphs), pauseMs: 20 });
  await page.goto('/');
  await chat.ask('First?');
  await expect(page.getByText('Paragraph 30.')).toBeInViewport();
  await chat.conversation.hover();
  await page.mouse.wheel(0, -5_000);
  await expect(page.getByText('First?')).toBeInViewport();
  await chat.answered();
  await expect(page.getByText('First?')).toBeInViewport();
});
