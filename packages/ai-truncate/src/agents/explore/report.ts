import { jsonSchema, type Tool, tool } from 'ai';
import { isRecord } from '../../protocol/guards.ts';
import { exploreWords } from './explore-words.ts';

/** What the explore agent says at its end. */
export interface ExploreReport {
  conclusion: string;
  /** As the model gave it: nothing of it is checked yet. */
  claims: readonly unknown[];
}

/** The tool with which the agent ends its search. What it was given is handed on, if it can be used. */
export function reportTool(onReport: (report: ExploreReport) => void): Tool<unknown, string> {
  return tool({
    description: exploreWords.report,
    inputSchema: jsonSchema<unknown>({
      type: 'object',
      properties: {
        conclusion: { type: 'string' },
        evidence: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              path: { type: 'string' },
              start_line: { type: 'integer' },
              end_line: { type: 'integer' },
              quote: { type: 'string' },
            },
            required: ['path', 'start_line', 'end_line', 'quote'],
          },
        },
      },
      required: ['conclusion', 'evidence'],
    }),
    execute(input): string {
      const { conclusion, evidence } = isRecord(input) ? input : {};
      if (typeof conclusion !== 'string' || conclusion.trim() === '') return exploreWords.noConclusion;
      onReport({ conclusion: conclusion.trim(), claims: Array.isArray(evidence) ? evidence : [] });
      return exploreWords.reported;
    },
  });
}
