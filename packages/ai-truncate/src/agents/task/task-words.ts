import { thousands } from '../../text/utf.ts';
import { visibleText } from '../../text/visible-text.ts';

/** What a model reads of the task tool before it calls one: the form of a call, and whom it can call. */
export function taskDescription(
  agents: readonly (readonly [name: string, about: { description: string; useWhen?: string }])[],
): string {
  const rows = agents.map(([name, { description, useWhen }]) => {
    const use = useWhen === undefined ? '' : ` Use it when ${sentence(useWhen)}`;
    return `- ${name}: ${sentence(description)}${use}`;
  });
  return [
    'Hands a task to a sub-agent and returns its answer: task(agent="…", prompt="…"). It knows nothing of this conversation: put all it needs into the prompt.',
    'Agents:',
    ...rows,
  ].join('\n');
}

function sentence(text: string): string {
  const line = oneLine(text);
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

/** One line without anything hidden, so that no text can write a line of its own. */
export function oneLine(text: string): string {
  return visibleText(text)
    .replace(/[\n\t][\n\t ]*/g, ' ')
    .trim();
}

/** Words of somebody else inside a sentence of ours. No quotation mark inside them ends the quotation. */
export function quoted(words: string): string {
  return `"${oneLine(words).replace(/\p{Quotation_Mark}/gu, "'")}"`;
}

/** Words of somebody else below lines of ours. Every line is marked, so that none of them can pass for one of ours. */
export function quotedLines(words: string): string {
  return visibleText(words)
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/** What a model reads of a sub-agent's work: what was done, in what state it is, what comes next. */
export const taskWords = {
  running: (agent: string, step: number | undefined, maxSteps: number | undefined): string =>
    step === undefined
      ? `${agent} is working.`
      : `${agent} is working: step ${step}${maxSteps === undefined ? '' : ` of at most ${maxSteps}`}.`,
  wait: 'Its answer is not there yet.',
  answered: (agent: string, steps: number | undefined): string =>
    steps === undefined ? `${agent} answered.` : `${agent} answered after ${steps} ${steps === 1 ? 'step' : 'steps'}.`,
  quotes: (verified: number, all: number): string =>
    verified === all
      ? `${all === 1 ? 'Its quote was' : `All ${all} quotes were`} found in the saved output.`
      : `${verified} of ${all} quotes were found in the saved output.`,
  cut: (chars: number, path: string | null): string =>
    path === null
      ? `Its answer has ${thousands(chars)} characters; the rest is not shown, and was not saved.`
      : `Its answer has ${thousands(chars)} characters; the rest is not shown. All of it was saved to: ${path}.`,
  incomplete: (reason: string): string => `Its answer is incomplete: ${quoted(sentence(reason))}`,
  narrow: 'Ask again with a narrower prompt, or look at the evidence yourself.',
  evidence: 'Evidence:',
  answer: 'Its answer:',
  evidenceCut: (kept: number, all: number): string => `Of its ${thousands(all)} places the first ${kept} are kept.`,
  place: (path: string, start: number, end: number): string =>
    start === end ? `${path} line ${start}` : `${path} lines ${start}-${end}`,
  notFound: '(the quote is not there)',
  unchecked: '(the quote could not be looked up)',
  failed: (agent: string, reason: string): string => `${agent} failed: ${reason}`,
  failure: (name: string, status: number | undefined): string =>
    status === undefined ? `${name}.` : `${name}, status ${status}.`,
  tryAgain: 'Call it again once, or do the task yourself.',
  unknownAgent: (agent: string, names: readonly string[]): string =>
    `There is no agent ${quoted(agent)}; there is ${names.join(', ')}.`,
  forbiddenAgent: (agent: string, names: readonly string[]): string =>
    names.length === 0
      ? `${quoted(agent)} may not be called here, nor may any other agent.`
      : `${quoted(agent)} may not be called here; ${names.join(', ')} may.`,
  chooseAgent: 'Call task with one of these names.',
  noPrompt: '`prompt` must be a text that tells the agent what to do.',
  longPrompt: (chars: number, max: number): string =>
    `\`prompt\` has ${thousands(chars)} characters; an agent is given at most ${thousands(max)}. Give it the path of an output, not its content.`,
  writePrompt: 'Write the task as one text.',
  tooDeep: (max: number): string => `A sub-agent may call another one at most ${max} deep.`,
  doItYourself: 'Do the task yourself.',
  timedOut: (timeoutMs: number): string => `It had no answer after ${thousands(timeoutMs / 1000)} seconds.`,
  anAgent: 'The agent',
  interrupted: (agent: string): string =>
    `${agent} was interrupted before it had an answer. Call it again if you need it.`,
  tooMany: (max: number): string => `${max} tasks are running already.`,
  noResult: 'It gave something that is no result: `{ conclusion }` is one.',
  noAnswer: 'It ended without an answer.',
  unfinished: 'It stopped before it was done.',
  noOwner: 'Nobody could be found to whom the saved outputs belong.',
};
