/** A question that shows one thing which the library does, offered on the empty page. */
export interface SuggestedPrompt {
  prompt: string;
  /** What there is to see. */
  shows: string;
}

/** Four questions that the scripted model understands. A real model answers them as well. */
export const suggestedPrompts: readonly SuggestedPrompt[] = [
  { prompt: 'Why did checkout fail last night?', shows: '40 MB of log, streamed, and a sub-agent that finds the line' },
  { prompt: 'Which region had the highest refunds?', shows: '20,000 orders in one JSON value, and an exact query' },
  { prompt: 'Run the tests. What failed?', shows: 'coloured output with one failure in its middle' },
  { prompt: 'Fix the failing test', shows: 'a change that waits for your approval' },
];
