import { type ToolExecutionOptions, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { memoryStore } from '../src/stores/memory-store.ts';
import { truncateToolOutputs } from '../src/tools/truncate-tool-outputs.ts';
import type { BenchScale } from './bench-part.ts';
import { type Column, type Contender, compare } from './compare.ts';
import { comparisonText } from './comparison-text.ts';
import { records } from './inputs.ts';

const outputs: { name: string; output: unknown }[] = [
  { name: 'a short string', output: 'The build succeeded in 42 s.' },
  { name: 'an object of 5 fields', output: { id: 7, name: 'Ada', city: 'Paris', paid: true, total: 12.5 } },
  { name: '100 rows of a query, 8 KB', output: records(8192).slice(0, 100) },
];

const call: ToolExecutionOptions<Record<string, unknown>> = { toolCallId: 'call_1', messages: [], context: {} };
const ours = 'wrapped';

interface Tools {
  output: unknown;
  bare: ToolSet[string];
  wrapped: ToolSet[string];
}

/** The cost of a wrapped tool for a small output, which is by far the most frequent case. */
export async function smallOutputs(scale: BenchScale): Promise<string> {
  const columns: Column<Tools>[] = outputs.map(({ name, output }) => ({
    name,
    bytes: 0,
    prepare: () => toolsOf(output),
  }));
  const contenders: Contender<Tools>[] = [
    { name: 'bare tool', run: ({ bare }) => bare.execute?.({}, call) },
    { name: ours, run: ({ wrapped }) => wrapped.execute?.({}, call) },
    {
      name: 'JSON.stringify of the output',
      rival: {
        of: ours,
        because: 'ai-truncate also does this for a value, after a check whether it is plain, and it also runs the tool',
      },
      run: ({ output }) => JSON.stringify(output),
    },
  ];
  const caption =
    'An `async` call of a tool with a small output. The difference between the first two rows is the cost of ai-truncate.';
  return comparisonText(await compare(contenders, { columns, scale }), { caption });
}

function toolsOf(output: unknown): Tools {
  const bare = tool({ inputSchema: z.object({}), execute: async () => output });
  const wrapped = truncateToolOutputs({ bare }, { store: memoryStore(), scope: 'bench', readers: false }) as ToolSet;
  return { output, bare: bare as ToolSet[string], wrapped: wrapped.bare as ToolSet[string] };
}
