import { understand } from './conversation';
import { investigate } from './incident';
import { type Finding, findingOf, quietWords } from './incident-words';
import { unfinished } from './log-scripts';
import type { Steps } from './play';
import { artifactPathIn } from './saved-outputs';

/** The sub-agent: it takes a question and a path from its prompt, searches the saved output, and reports what it found. */
export function* exploreScript(prompt: string): Steps<Finding> {
  const artifact = artifactPathIn(prompt);
  if (!artifact) return conclusionOf('The task names no saved output. Name its path.');
  const { path, start, end } = artifact;
  const question = /^Question: (.*)$/m.exec(prompt)?.[1] ?? `${prompt.slice(0, start)} ${prompt.slice(end)}`;
  const meaning = understand(question);
  const aspect = meaning.about === 'incident' ? meaning.aspect : 'cause';
  const incident = yield* investigate(path);
  if (incident === 'quiet') return conclusionOf(quietWords());
  return incident === 'unfinished' ? conclusionOf(unfinished) : findingOf(incident, { aspect, path });
}

function conclusionOf(conclusion: string): Finding {
  return { conclusion, evidence: [] };
}
