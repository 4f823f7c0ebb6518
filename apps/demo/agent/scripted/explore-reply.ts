import { exploreRecords } from './explore-records';
import { exploreText, type Finding } from './explore-text';
import { artifactPathIn } from './shown-output';
import type { Reply, Turn } from './turn';

/** The prompt that hands a question over to the explore agent: it knows nothing of the conversation. */
export function explorePrompt({ question, path, words }: { question: string; path: string; words: string[] }): string {
  return `Question: ${question}\nSaved output: ${path}\nSearch for: ${words.join(', ')}`;
}

/**
 * The next step of the offline model as the explore agent: it takes the path and the words out of its prompt, searches or
 * queries, reads around what it found, and reports.
 */
export function exploreReply({ question: prompt, results }: Turn): Reply {
  const artifact = artifactPathIn(prompt);
  if (!artifact)
    return report({ conclusion: 'The task names no saved output, and I am rules: I need its path.', evidence: [] });
  const { path, start, end } = artifact;
  const question = /^Question: (.*)$/m.exec(prompt)?.[1] ?? `${prompt.slice(0, start)} ${prompt.slice(end)}`;
  const search = { question, path, results };
  const next = path.endsWith('.json') ? exploreRecords(search) : exploreText(search);
  return next && 'toolName' in next ? { call: next } : report(next as Finding);
}

function report({ conclusion, evidence }: Finding): Reply {
  return { call: { toolName: 'report', input: { conclusion, evidence } } };
}
