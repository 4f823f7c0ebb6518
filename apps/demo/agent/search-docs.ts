import { tool } from 'ai';
import { z } from 'zod';
import type { DocsSearch } from './chat-message';
import { type DocsPage, docsLibrary } from './docs-library';

const MAX_PAGES = 20;
const MAX_WORDS = 12;
const MAX_LINE_CHARS = 240;

/** Finds pages in the documentation of the installed AI SDK. */
export const searchDocs = tool({
  description:
    'Searches the documentation of the AI SDK (package `ai`, the installed version): pages that have every word of the query, best first. Read one with readDoc.',
  inputSchema: z.object({ query: z.string().min(1).max(200) }),
  execute: async ({ query }): Promise<DocsSearch> => {
    const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu))].slice(0, MAX_WORDS);
    const found = [...(await docsLibrary()).values()]
      .map((page) => ({ page, score: scoreOf(page, words) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score);
    return {
      query,
      pages: found
        .slice(0, MAX_PAGES)
        .map(({ page }) => ({ path: page.path, title: page.title, ...bestLine(page, words) })),
      pages_found: found.length,
    };
  },
});

/** Words in the title weigh most, then how often all of them stand in the text; 0 when one of them is missing. */
function scoreOf({ title, path, text }: DocsPage, words: string[]): number {
  const lower = text.toLowerCase();
  const heading = `${title} ${path}`.toLowerCase();
  let score = 0;
  for (const word of words) {
    const times = lower.split(word).length - 1;
    if (times === 0) return 0;
    score += Math.min(times, 20) / Math.sqrt(1 + lower.length / 4000) + (heading.includes(word) ? 20 : 0);
  }
  return score;
}

/** The first of the lines that have the most of the words. */
function bestLine({ text }: DocsPage, words: string[]): { line: number; text: string } {
  const lines = text.split('\n');
  const counts = lines.map((line) => words.filter((word) => line.toLowerCase().includes(word)).length);
  const index = counts.indexOf(Math.max(...counts));
  return { line: index + 1, text: (lines[index] ?? '').trim().slice(0, MAX_LINE_CHARS) };
}
