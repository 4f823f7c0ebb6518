import { type OutputKeeping, requireOutputKeeping } from '../delivery/output-keeping.ts';
import { InvalidOptionError } from '../errors.ts';
import type { TruncationLimits } from '../preview/limits.ts';

export interface TruncateOutputOptions extends TruncationLimits, OutputKeeping {
  toolName: string;
  toolCallId: string;
  /** The names of the tools that the agent can call, for the hint. @default none */
  tools?: readonly string[];
  /** What the tool was asked, for the record. */
  input?: unknown;
  /** Ends a stream with the signal's reason. An output that is there already is truncated all the same, but not kept. */
  abortSignal?: AbortSignal | undefined;
}

/** Throws for what could not work, also when this output is small and nothing would come of it. */
export function requireTruncateOutputOptions(options: TruncateOutputOptions): void {
  requireOutputKeeping(options);
  const { toolName, toolCallId, tools = [] } = options;
  for (const [option, value] of Object.entries({ toolName, toolCallId })) {
    if (typeof value !== 'string') throw new InvalidOptionError({ option, value, expected: 'a string' });
  }
  if (!Array.isArray(tools) || tools.some((name) => typeof name !== 'string')) {
    throw new InvalidOptionError({
      option: 'tools',
      value: tools,
      expected: 'the names of the tools, as in Object.keys(tools)',
    });
  }
}
