import { type ToolExecutionOptions, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { memoryStore } from '../src/stores/memory-store.ts';
import { truncateToolOutputs } from '../src/truncate-tool-outputs.ts';
import { records } from './inputs.ts';
import { type Contender, medians, table } from './measure.ts';

const CALLS = 10_000;
const ROUNDS = 15;
const bare = 'bare';
const native = 'JSON.stringify';

const outputs: { name: string; output: unknown }[] = [
  { name: 'a short string', output: 'The build succeeded in 42 s.' },
  { name: 'an object of 5 fields', output: { id: 7, name: 'Ada', city: 'Paris', paid: true, total: 12.5 } },
  { name: '100 rows of a query, 8 KB', output: records(8192).slice(0, 100) },
];

const call: ToolExecutionOptions<Record<string, unknown>> = { toolCallId: 'call_1', messages: [], context: {} };

/** What a wrapped tool costs when its output is small, which is nearly always: what `await` of the bare tool costs taken off. */
export async function wrapper(): Promise<void> {
  const rows: string[][] = [];
  for (const { name, output } of outputs) rows.push([name, ...(await costs(output))]);
  const head = ['', 'bare tool', 'wrapped, sync', 'wrapped, async', 'wrapped, own toModelOutput', native];
  console.log(`\n## A small output of a wrapped tool, in µs over the bare tool\n\n${table(head, rows)}`);
}

async function costs(output: unknown): Promise<string[]> {
  const tools = toolsThatReturn(output);
  const wrapped = truncateToolOutputs(tools, { store: memoryStore(), scope: 'bench' }) as ToolSet;
  const contenders: Contender<unknown>[] = [
    { name: native, run: () => repeat(() => JSON.stringify(output)) },
    ...Object.entries(tools).map(([name, own]) => ({ name: `${bare} ${name}`, run: () => repeat(executing(own)) })),
    ...Object.entries(wrapped).map(([name, own]) => ({ name, run: () => repeat(executing(own)) })),
  ];
  const times = await medians(contenders, { rounds: ROUNDS, input: () => undefined });
  const microseconds = (name: string) => ((times.get(name) ?? Number.NaN) * 1000) / CALLS;
  const overBare = (name: string) => microseconds(name) - microseconds(`${bare} ${name}`);
  const costsOver = Object.keys(tools).map((name) => `+${overBare(name).toFixed(2)}`);
  return [microseconds(`${bare} async`).toFixed(2), ...costsOver, microseconds(native).toFixed(2)];
}

function toolsThatReturn(output: unknown): ToolSet {
  const inputSchema = z.object({});
  return {
    sync: tool({ inputSchema, execute: () => output }),
    async: tool({ inputSchema, execute: async () => output }),
    'own toModelOutput': tool({
      inputSchema,
      execute: async () => output,
      toModelOutput: () =>
        typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: output as never },
    }),
  };
}

function executing({ execute }: ToolSet[string]): () => unknown {
  return () => execute?.({}, call);
}

async function repeat(run: () => unknown): Promise<void> {
  for (let index = 0; index < CALLS; index++) await run();
}
