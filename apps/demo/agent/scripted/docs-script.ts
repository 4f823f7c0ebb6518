import type { Meaning } from './meaning';
import { call, type Script } from './play';
import { contentOf } from './saved-outputs';
import { stemOf } from './vocabulary';

const MAX_PARAGRAPH_CHARS = 900;
const MIN_PARAGRAPH_CHARS = 40;
const suggestions = ['How do subagents work?', 'What is streamText?', 'Does it work with MCP?'];

/** Looks up a name of the AI SDK and quotes the paragraph that introduces it. */
export function* docsScript({ words }: Extract<Meaning, { about: 'docs' }>): Script {
  const query = words.join(' ');
  if (query === '') return { text: 'Name a part of the AI SDK, for example:', suggestions };
  const search = yield* call('searchDocs', { query }, { say: 'Checking the AI SDK docs.' });
  const pages = pagesIn(search.text);
  // The page with this name as its title introduces it. Other pages only mention it.
  const page = pages.find(({ title }) => words.some((word) => stemOf(word) === stemOf(title))) ?? pages[0];
  if (!page) return { text: `I searched the AI SDK docs for “${query}”, but no page contains it.`, suggestions };
  const { text } = yield* call('readDoc', { path: page.path });
  const quote = introductionOf(contentOf(text))
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
  return { text: `From “${page.title}” (\`${page.path}\`) in the AI SDK docs:\n\n${quote}`, suggestions };
}

interface Page {
  path: string;
  title: string;
}

function pagesIn(text: string): Page[] {
  try {
    return (JSON.parse(contentOf(text)) as { pages: Page[] }).pages;
  } catch {
    // A truncated preview is not JSON.
    return [];
  }
}

/** The first paragraph that is a complete statement. It skips headings, lists, tables, and paragraphs that introduce them. */
function introductionOf(page: string): string {
  const paragraphs = page
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .split(/\n{2,}/)
    .map((text) => text.trim());
  const isStatement = (text: string) =>
    text.length > MIN_PARAGRAPH_CHARS && !/^[#<|`\-*\d]/.test(text) && !text.endsWith(':');
  const text = paragraphs.find(isStatement) ?? '';
  return text.length > MAX_PARAGRAPH_CHARS ? `${text.slice(0, MAX_PARAGRAPH_CHARS)}…` : text;
}
