import { expect, test } from 'vitest';
import type { Evidence } from '../evidence/evidence.ts';
import { oneLine, quoted, quotedLines, taskDescription, taskWords } from './task-words.ts';

const found = { path: 'a.txt', startLine: 1, endLine: 1, quote: 'the disk is full', verified: true };
const lost = (startLine: number, endLine = startLine) => ({ ...found, startLine, endLine, verified: false });
const unchecked = (line: number): Evidence => ({ ...lost(line), unchecked: true });

test.each<[string, Evidence[]]>([
  ['Its quote was found in the saved output.', [found]],
  ['All 2 quotes were found in the saved output.', [found, found]],
  ['0 of 1 quotes were found in the saved output. The quote for line 7 was not found.', [lost(7)]],
  ['1 of 2 quotes was found in the saved output. The quote for lines 8-12 was not found.', [found, lost(8, 12)]],
  [
    '0 of 2 quotes were found in the saved output. The quotes for line 7 and line 9 were not found.',
    [lost(7), lost(9)],
  ],
  [
    '1 of 3 quotes was found in the saved output. The quote for line 7 was not found. The quote for line 9 was not looked up.',
    [found, lost(7), unchecked(9)],
  ],
  [
    '1 of 8 quotes was found in the saved output. The quotes for line 1, line 2, line 3, line 4, line 5 and 2 more were not found.',
    [found, lost(1), lost(2), lost(3), lost(4), lost(5), lost(6), lost(7)],
  ],
])('the state of an answer says which quotes were not found: %s', (sentences, evidence) => {
  expect(taskWords.quotes(evidence)).toBe(sentences);
});

test('the description of the task tool has a row for each agent', () => {
  const agents = [
    ['explore', { description: 'Searches saved outputs.', useWhen: 'a preview is not enough' }],
    ['writer', { description: 'Writes\na text' }],
  ] as const;
  expect(taskDescription(agents)).toMatchInlineSnapshot(`
    "Hands a task to a sub-agent and returns its answer: task(agent="…", prompt="…"). It does not see this conversation, so the prompt must contain everything it needs.
    Agents:
    - explore: Searches saved outputs. Use it when a preview is not enough.
    - writer: Writes a text."
  `);
});

test('every text about a sub-agent is shown here', () => {
  const path = 'chat-1/1_read-logs_a.txt';
  const texts: Record<keyof typeof taskWords, string | string[]> = {
    ...taskWords,
    running: [
      taskWords.running('explore', undefined, undefined),
      taskWords.running('explore', 3, undefined),
      taskWords.running('explore', 3, 20),
    ],
    answered: [
      taskWords.answered('explore', undefined),
      taskWords.answered('explore', 1),
      taskWords.answered('explore', 4),
    ],
    quotes: taskWords.quotes([found, unchecked(9)]),
    cut: [taskWords.cut(120_000, path), taskWords.cut(120_000, null)],
    incomplete: taskWords.incomplete('The time is up'),
    evidenceCut: taskWords.evidenceCut(50, 1200),
    place: [taskWords.place(path, 7, 7), taskWords.place(path, 7, 9)],
    failed: taskWords.failed('explore', 'The model refused.'),
    failure: [taskWords.failure('APICallError', undefined), taskWords.failure('APICallError', 503)],
    unknownAgent: taskWords.unknownAgent('finder', ['explore', 'writer']),
    forbiddenAgent: [taskWords.forbiddenAgent('writer', ['explore']), taskWords.forbiddenAgent('writer', [])],
    longPrompt: taskWords.longPrompt(40_000, 32_000),
    tooDeep: taskWords.tooDeep(3),
    timedOut: taskWords.timedOut(120_000),
    interrupted: taskWords.interrupted('explore'),
    tooMany: taskWords.tooMany(8),
  };
  expect(texts).toMatchInlineSnapshot(`
    {
      "anAgent": "The agent",
      "answer": "Its answer:",
      "answered": [
        "explore answered.",
        "explore answered after 1 step.",
        "explore answered after 4 steps.",
      ],
      "chooseAgent": "Call task with one of these names.",
      "cut": [
        "Its answer has 120,000 characters; the rest is not shown. The full answer was saved to: chat-1/1_read-logs_a.txt.",
        "Its answer has 120,000 characters; the rest is not shown and was not saved.",
      ],
      "doItYourself": "Do the task yourself.",
      "evidence": "Evidence:",
      "evidenceCut": "Only the first 50 of its 1,200 quotes were checked.",
      "failed": "explore failed: The model refused.",
      "failure": [
        "APICallError.",
        "APICallError, status 503.",
      ],
      "forbiddenAgent": [
        ""writer" may not be called here. You may call: explore.",
        "No agent may be called here, so "writer" may not either.",
      ],
      "incomplete": "Its answer is incomplete: "The time is up."",
      "interrupted": "explore was interrupted before it answered. Call it again if you need the answer.",
      "longPrompt": "\`prompt\` has 40,000 characters; the maximum is 32,000. Give the agent the path of an output, not its content.",
      "narrow": "Ask again with a narrower prompt, or look at the evidence yourself.",
      "noAnswer": "It ended without an answer.",
      "noOwner": "The owner of the saved outputs could not be found.",
      "noPrompt": "\`prompt\` must be a text that tells the agent what to do.",
      "noResult": "It returned a value that is not a result. A result is e.g. \`{ conclusion }\`.",
      "notFound": "(the quote is not there)",
      "place": [
        "chat-1/1_read-logs_a.txt line 7",
        "chat-1/1_read-logs_a.txt lines 7-9",
      ],
      "quotes": "1 of 2 quotes was found in the saved output. The quote for line 9 was not looked up.",
      "running": [
        "explore is working.",
        "explore is working: step 3.",
        "explore is working: step 3 of at most 20.",
      ],
      "timedOut": "It had not answered after 120 seconds.",
      "tooDeep": "Sub-agents may call each other at most 3 levels deep.",
      "tooMany": "8 tasks are running already.",
      "tryAgain": "Call it again once, or do the task yourself.",
      "unchecked": "(the quote could not be looked up)",
      "unfinished": "It stopped before it was done.",
      "unknownAgent": "There is no agent "finder". Agents: explore, writer.",
      "verify": "Check its answer against the saved output before you rely on it.",
      "wait": "It has not answered yet.",
      "writePrompt": "Write the task as one text.",
    }
  `);
});

test('quoted words cannot end the quotation or start a line', () => {
  expect(oneLine('first\n\tsecond ')).toBe('first second');
  expect(quoted('a "word"\nof “others”')).toBe(`"a 'word' of 'others'"`);
  expect(quotedLines('first\n\nsecond')).toBe('> first\n>\n> second');
});
