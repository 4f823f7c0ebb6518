import { thousands } from '../../text/utf.ts';

/** What a model reads of the explore agent: the one that may call it, and the one that is it. */
export const exploreWords = {
  description: 'Searches, reads and queries saved tool outputs, and answers with the lines that prove it.',
  useWhen:
    'an output was truncated and the answer is in the part that is not shown. Give it the path and the question.',
  report: 'Ends the search with your answer. Call it once, alone.',
  reported: 'Received.',
  noConclusion: '`conclusion` must be a text that answers the question. Call report again.',
  reportNow: 'Stop searching. Call report now with what you know, and say what you could not find out.',
  scanBudgetSpent: 'As much was read as this search may read. Call report with what you know.',
  endedBy: {
    steps: (maxSteps: number): string => `It used all of its ${maxSteps} steps.`,
    tokens: (maxTokens: number): string => `It wrote all of its ${thousands(maxTokens)} tokens.`,
    bytes: (maxBytes: number): string => `It read all of its ${thousands(maxBytes)} bytes.`,
    time: (timeoutMs: number): string => `It used all of its time (${thousands(timeoutMs / 1000)} s).`,
  },
  noReport: 'It ended without a report.',
  endedByError: (reason: string): string => `It was ended by an error: ${reason}`,
  chooseCalls: 'Call again in the next step.',
  tooMany: (max: number): string => `At most ${max} calls are answered in one step.`,
  noEvidence: 'It gave no evidence.',
  lines: (first: number, last: number): string => (first === last ? `line ${first}` : `lines ${first}-${last}`),
  from: (first: number): string => `from line ${first}`,
  by: (fields: string): string => `by ${fields}`,
};
