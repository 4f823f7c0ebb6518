import type { Tool, ToolSet } from 'ai';
import { now } from '../../deadlines.ts';
import { failure } from '../../protocol/response-builders.ts';
import { exploreWords } from './explore-words.ts';

/** Each answer has about 8,000 characters, and all of them come back with every later step. */
const MAX_CALLS = 6;

/** The same tools, of which a step may call six: a model that asks for a hundred pages at once is told to choose. */
export function limitedCalls(tools: ToolSet): { tools: ToolSet; nextStep(): void } {
  let calls = 0;

  function limited(original: Tool): Tool {
    const { execute } = original;
    return {
      ...original,
      execute(input: unknown, options: never) {
        if (++calls <= MAX_CALLS) return execute?.(input as never, options);
        const message = exploreWords.tooMany(MAX_CALLS);
        return failure({
          code: 'INVALID_PARAM',
          message,
          next: exploreWords.chooseCalls,
          input: {},
          startedAt: now(),
        });
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
