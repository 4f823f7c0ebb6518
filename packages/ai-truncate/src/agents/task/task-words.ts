import { thousands } from '../../text/utf.ts';
import { visibleText } from '../../text/visible-text.ts';
import type { Evidence } from '../evidence/evidence.ts';

/** The description of the task tool: the form of a call, and the agents that can be called. */
export function taskDescription(
  agents: readonly (readonly [name: string, about: { description: string; useWhen?: string }])[],
): string {
  const rows = agents.map(([name, { description, useWhen }]) => {
    const use = useWhen === undefined ? '' : ` Use it when ${sentence(useWhen)}`;
    return `- ${name}: ${sentence(description)}${use}`;
  });
  return [
    'Hands a task to a sub-agent and returns its answer: task(agent="…", prompt="…"). It does not see this conversation, so the prompt must contain everything it needs.',
    'Agents:',
    ...rows,
  ].join('\n');
}

function sentence(text: string): string {
  const line = oneLine(text);
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

/** One line without hidden characters, so that no text can add a line. */
export function oneLine(text: string): string {
  return visibleText(text)
    .replace(/[\n\t][\n\t ]*/g, ' ')
    .trim();
}

/** Foreign words as a quotation inside a sentence. No quotation mark in them ends the quotation. */
export function quoted(words: string): string {
  return `"${oneLine(words).replace(/\p{Quotation_Mark}/gu, "'")}"`;
}

/** Foreign words as separate lines. Every line is marked, so that it cannot look like a line of this library. */
export function quotedLines(words: string): string {
  return visibleText(words)
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

function foundQuotes(found: number, all: number): string {
  if (found === all) return `${all === 1 ? 'Its quote was' : `All ${all} quotes were`} found in the saved output.`;
  return `${found} of ${all} quotes ${found === 1 ? 'was' : 'were'} found in the saved output.`;
}

const MAX_NAMED_QUOTES = 5;

/** Names quotes by their lines. Their words are not repeated, because a sub-agent may have written anything. */
function namedQuotes(quotes: readonly Evidence[]): string {
  const named = quotes.slice(0, MAX_NAMED_QUOTES).map(({ startLine, endLine }) => linesOf(startLine, endLine));
  const more = quotes.length - named.length;
  const list = [...named, ...(more > 0 ? [`${more} more`] : [])];
  const last = list.pop();
  const all = list.length > 0 ? `${list.join(', ')} and ${last}` : last;
  return quotes.length === 1 ? `The quote for ${all} was` : `The quotes for ${all} were`;
}

function linesOf(start: number, end: number): string {
  return start === end ? `line ${start}` : `lines ${start}-${end}`;
}

/** The sentences about a task that the model sees: what happened, the state, and the next step. */
export const taskWords = {
  running: (agent: string, step: number | undefined, maxSteps: number | undefined): string =>
    step === undefined
      ? `${agent} is working.`
      : `${agent} is working: step ${step}${maxSteps === undefined ? '' : ` of at most ${maxSteps}`}.`,
  wait: 'It has not answered yet.',
  answered: (agent: string, steps: number | undefined): string =>
    steps === undefined ? `${agent} answered.` : `${agent} answered after ${steps} ${steps === 1 ? 'step' : 'steps'}.`,
  quotes: (evidence: readonly Evidence[]): string => {
    const lost = evidence.filter((each) => !each.verified && !each.unchecked);
    const unchecked = evidence.filter((each) => each.unchecked);
    const found = evidence.length - lost.length - unchecked.length;
    return [
      foundQuotes(found, evidence.length),
      lost.length > 0 && `${namedQuotes(lost)} not found.`,
      unchecked.length > 0 && `${namedQuotes(unchecked)} not looked up.`,
    ]
      .filter(Boolean)
      .join(' ');
  },
  cut: (chars: number, path: string | null): string =>
    path === null
      ? `Its answer has ${thousands(chars)} characters; the rest is not shown and was not saved.`
      : `Its answer has ${thousands(chars)} characters; the rest is not shown. The full answer was saved to: ${path}.`,
  incomplete: (reason: string): string => `Its answer is incomplete: ${quoted(sentence(reason))}`,
  verify: 'Check its answer against the saved output before you rely on it.',
  narrow: 'Ask again with a narrower prompt, or look at the evidence yourself.',
  evidence: 'Evidence:',
  answer: 'Its answer:',
  evidenceCut: (kept: number, all: number): string =>
    `Only the first ${kept} of its ${thousands(all)} quotes were checked.`,
  place: (path: string, start: number, end: number): string => `${path} ${linesOf(start, end)}`,
  notFound: '(the quote is not there)',
  unchecked: '(the quote could not be looked up)',
  failed: (agent: string, reason: string): string => `${agent} failed: ${reason}`,
  failure: (name: string, status: number | undefined): string =>
    status === undefined ? `${name}.` : `${name}, status ${status}.`,
  tryAgain: 'Call it again once, or do the task yourself.',
  unknownAgent: (agent: string, names: readonly string[]): string =>
    `There is no agent ${quoted(agent)}. Agents: ${names.join(', ')}.`,
  forbiddenAgent: (agent: string, names: readonly string[]): string =>
    names.length === 0
      ? `No agent may be called here, so ${quoted(agent)} may not either.`
      : `${quoted(agent)} may not be called here. You may call: ${names.join(', ')}.`,
  chooseAgent: 'Call task with one of these names.',
  noPrompt: '`prompt` must be a text that tells the agent what to do.',
  longPrompt: (chars: number, max: number): string =>
    `\`prompt\` has ${thousands(chars)} characters; the maximum is ${thousands(max)}. Give the agent the path of an output, not its content.`,
  writePrompt: 'Write the task as one text.',
  tooDeep: (max: number): string => `Sub-agents may call each other at most ${max} levels deep.`,
  doItYourself: 'Do the task yourself.',
  timedOut: (timeoutMs: number): string => `It had not answered after ${thousands(timeoutMs / 1000)} seconds.`,
  anAgent: 'The agent',
  interrupted: (agent: string): string =>
    `${agent} was interrupted before it answered. Call it again if you need the answer.`,
  tooMany: (max: number): string => `${max} tasks are running already.`,
  noResult: 'It returned a value that is not a result. A result is e.g. `{ conclusion }`.',
  noAnswer: 'It ended without an answer.',
  unfinished: 'It stopped before it was done.',
  noOwner: 'The owner of the saved outputs could not be found.',
};
