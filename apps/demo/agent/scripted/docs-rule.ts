import { answerWords } from './answer-words';
import type { Rule } from './rule';
import { searchWordsOf } from './search-words';
import { contentOf } from './shown-output';
import { lastOf, type ToolResult } from './turn';

const SDK_WORDS =
  /\b(docs?|documentation|ai sdk|sdk|streamText|generateText|generateObject|useChat|tool ?calling|tools?|sub-?agents?|middleware|provider|embedd\w*|telemetry|mcp|approval)\b/i;
const MAX_PARAGRAPH_CHARS = 900;

/** Looks up how the AI SDK does something, and quotes the paragraph that says it. */
export const docsRule: Rule = {
  matches: ({ question }) => SDK_WORDS.test(question),
  next({ question, results }) {
    const words = searchWordsOf(question).filter(
      (word) => !/^(docs?|documentation|sdk|ai|use|explain|does|work|works)$/.test(word),
    );
    const searches = results.filter(({ toolName }) => toolName === 'searchDocs');
    const found = pageIn(searches.at(-1));
    if (!found) {
      // Every word has to be in a page: with fewer words there are more pages.
      const query = words.slice(0, Math.max(0, 3 - searches.length)).join(' ');
      if (query === '') return { text: answerWords.noPage(words) };
      return {
        text: searches.length === 0 ? answerWords.searchingDocs : undefined,
        call: { toolName: 'searchDocs', input: { query } },
      };
    }
    const page = lastOf(results, 'readDoc');
    if (!page) return { call: { toolName: 'readDoc', input: { path: found.path } } };
    if (page.outcome !== 'answered') return { text: answerWords.toolFailed('readDoc', page.text) };
    return { text: answerWords.page({ ...found, paragraph: bestParagraph(contentOf(page.text), words) }) };
  },
};

function pageIn(search: ToolResult | undefined): { path: string; title: string } | undefined {
  if (search?.outcome !== 'answered') return undefined;
  try {
    const { pages } = JSON.parse(contentOf(search.text)) as { pages: { path: string; title: string }[] };
    return pages[0];
  } catch {
    return undefined;
  }
}

/** The paragraph of running text with most of the words; of several the first. */
function bestParagraph(page: string, words: string[]): string {
  const paragraphs = page
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/```[\s\S]*?```/g, '')
    .split(/\n{2,}/)
    .map((text) => text.trim())
    .filter((text) => text.length > 40 && !/^[#<|]/.test(text));
  const scoreOf = (text: string) => words.filter((word) => text.toLowerCase().includes(word)).length;
  const best = paragraphs.toSorted((one, other) => scoreOf(other) - scoreOf(one))[0] ?? '';
  return best.length > MAX_PARAGRAPH_CHARS ? `${best.slice(0, MAX_PARAGRAPH_CHARS)}…` : best;
}
