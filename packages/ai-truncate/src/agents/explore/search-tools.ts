import { jsonSchema, type Tool, type ToolSet, tool } from 'ai';
import { now } from '../../deadlines.ts';
import { isRecord } from '../../protocol/guards.ts';
import { failure } from '../../protocol/response-builders.ts';
import { shortened } from '../../text/utf.ts';
import { exploreWords } from './explore-words.ts';

/** The report of the explore agent. */
export interface ExploreReport {
  conclusion: string;
  /** As the model wrote them, not checked yet. */
  claims: readonly unknown[];
}

const CLAIM = {
  path: { type: 'string' },
  start_line: { type: 'integer' },
  end_line: { type: 'integer' },
  quote: { type: 'string' },
} as const;

/** The tool with which the agent ends its search. `onReport` is called when the report has a conclusion. */
export function reportTool(onReport: (report: ExploreReport) => void): Tool<unknown, string> {
  return tool({
    description: exploreWords.report,
    inputSchema: jsonSchema<unknown>({
      type: 'object',
      properties: {
        conclusion: { type: 'string' },
        evidence: { type: 'array', items: { type: 'object', properties: CLAIM, required: Object.keys(CLAIM) } },
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

/** Each answer has about 8,000 characters, and every later step sends them again. */
const MAX_CALLS = 6;

/** The same tools with at most six calls in a step. Further calls are refused, and the model must choose. */
export function limitedCalls(tools: ToolSet): { tools: ToolSet; nextStep(): void } {
  let calls = 0;

  function limited(original: Tool): Tool {
    const { execute } = original;
    return {
      ...original,
      execute(input: unknown, options: never) {
        if (++calls <= MAX_CALLS) return execute?.(input as never, options);
        const words = { message: exploreWords.tooMany(MAX_CALLS), next: exploreWords.chooseCalls };
        return failure({ code: 'INVALID_PARAM', ...words, input: {}, startedAt: now() });
      },
    } as Tool;
  }

  return {
    tools: Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, limited(tool)])),
    nextStep() {
      calls = 0;
    },
  };
}

const MAX_LABEL_CHARS = 80;

/** A few words about a reader's call: the pattern of a search, or the lines. */
export function exploreLabel(input: unknown): string {
  return isRecord(input) ? shortened(labelOf(input), MAX_LABEL_CHARS) : '';
}

function labelOf({ pattern, where, groupBy, chars, offset, limit }: Record<string, unknown>): string {
  if (typeof pattern === 'string') return pattern;
  if (Array.isArray(where)) return where.slice(0, MAX_PARTS).map(conditionOf).join(' and ');
  if (Array.isArray(groupBy)) return exploreWords.by(wordOf(groupBy));
  if (isRecord(chars) && typeof chars.line === 'number') return exploreWords.lines(chars.line, chars.line);
  if (typeof offset !== 'number') return '';
  return typeof limit === 'number' ? exploreWords.lines(offset, offset + limit - 1) : exploreWords.from(offset);
}

const MAX_PARTS = 3;

function conditionOf(condition: unknown): string {
  const { field, op, value } = isRecord(condition) ? condition : {};
  return [field, op, value].map(wordOf).join(' ');
}

function wordOf(value: unknown): string {
  if (Array.isArray(value)) return value.slice(0, MAX_PARTS).map(wordOf).join(',');
  if (typeof value === 'string') return value.slice(0, MAX_LABEL_CHARS);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '…';
}
