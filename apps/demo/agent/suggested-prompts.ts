/** A question that shows one thing which the library does, offered on the empty page. */
export interface SuggestedPrompt {
  prompt: string;
  /** What there is to see. */
  shows: string;
}

/** Four questions that the scripted model understands. A real model answers them as well. */
export const suggestedPrompts: readonly SuggestedPrompt[] = [
  { prompt: 'Why did checkout fail last night?', shows: 'a 40 MB log; a sub-agent finds the one line' },
  { prompt: 'Which region had the highest refunds?', shows: '20,000 orders as JSON, one exact query' },
  { prompt: 'Run the tests. What failed?', shows: '2,520 tests, one failure buried in the middle' },
  { prompt: 'Fix the failing test', shows: 'a code change you approve or reject' },
];
