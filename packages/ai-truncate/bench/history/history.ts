import { type ModelMessage, pruneMessages } from 'ai';
import { storedCounts, tokenTexts } from '../../fixtures/token-texts.ts';
import { scopedArtifacts } from '../../src/artifacts/scoped-artifacts.ts';
import { boundMessages } from '../../src/middleware/history/bound-messages.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import { estimateTokens } from '../../src/text/estimate-tokens.ts';
import type { BenchPart, BenchScale } from '../bench-part.ts';
import { MEGABYTE } from '../inputs.ts';
import { type BilledRequest, type PriceList, priceLists, SimulatedProvider } from './bill.ts';
import { type HistoryRun, historyRun } from './run.ts';

const SEED = 20261120;
const STEPS_PER_TURN = 60;
const MAX_TOKENS = 100_000;
const KEPT_STEPS = 3;
const SCOPE = 'chat-1';

/** How a conversation is shortened before each step. It gets what the last step sent, and the messages since. */
type Shorten = (sent: readonly ModelMessage[], added: readonly ModelMessage[]) => Promise<ModelMessage[]>;

interface Arm {
  name: string;
  create: (maxTokens: number) => {
    shorten: Shorten;
    check?: (run: HistoryRun, sent: readonly ModelMessage[]) => Promise<number>;
  };
}

const arms: readonly Arm[] = [
  { name: 'untouched', create: () => ({ shorten: async (sent, added) => [...sent, ...added] }) },
  {
    name: '`pruneMessages` in each step',
    create: () => ({
      shorten: async (sent, added) =>
        pruneMessages({ messages: [...sent, ...added], toolCalls: `before-last-${2 * KEPT_STEPS}-messages` }),
    }),
  },
  {
    name: 'the first message and the last steps',
    create: (maxTokens) => ({ shorten: async (sent, added) => lastSteps([...sent, ...added], maxTokens) }),
  },
  {
    name: 'clear old results, without a low water',
    create: (maxTokens) => ({ shorten: async (sent, added) => cleared([...sent, ...added], maxTokens) }),
  },
  { name: '`boundMessages`', create: ours },
];

function ours(maxTokens: number): ReturnType<Arm['create']> {
  const store = memoryStore();
  return {
    shorten: (sent, added) => boundMessages([...sent, ...added], { store, scope: SCOPE, maxTokens }),
    check: async (run, sent) => {
      const artifacts = scopedArtifacts(store, { scope: SCOPE });
      const originals = resultsOf(run.messages);
      let bytes = 0;
      for (const [id, text] of resultsOf(sent)) {
        const original = originals.get(id) ?? '';
        if (text === original) continue;
        const path = /saved to: (\S+)/.exec(text)?.[1] ?? '';
        const saved = await new Response(await artifacts.readStream(path)).text();
        if (saved !== original) throw new Error(`${path} is not the result of ${id}.`);
        bytes += Buffer.byteLength(saved);
      }
      return bytes;
    },
  };
}

function resultsOf(messages: readonly ModelMessage[]): Map<string, string> {
  const results = new Map<string, string>();
  for (const { role, content } of messages) {
    if (role !== 'tool') continue;
    for (const part of content) {
      if (part.type === 'tool-result' && part.output.type === 'text') results.set(part.toolCallId, part.output.value);
    }
  }
  return results;
}

function sizeOf(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(JSON.stringify(message.content)), 0);
}

/** A window that slides in each step. At the high water, so many steps of this run fit. */
function lastSteps(messages: ModelMessage[], maxTokens: number): ModelMessage[] {
  const count = 2 * Math.round(maxTokens / 2000);
  return messages.length <= count + 1 ? messages : [...messages.slice(0, 1), ...messages.slice(1).slice(-count)];
}

/** Old results are replaced by a mark until the messages fit, so almost each step replaces another one. */
function cleared(messages: ModelMessage[], maxTokens: number): ModelMessage[] {
  const shortened = [...messages];
  let tokens = sizeOf(shortened);
  for (let at = 0; at < shortened.length - 2 * KEPT_STEPS && tokens > maxTokens; at++) {
    const message = shortened[at];
    if (message?.role !== 'tool') continue;
    const before = sizeOf([message]);
    const content = message.content.map((part) =>
      part.type === 'tool-result' ? { ...part, output: { type: 'text' as const, value: '[cleared]' } } : part,
    );
    shortened[at] = { ...message, content };
    tokens -= before - sizeOf([{ ...message, content }]);
  }
  return shortened;
}

/** The messages that a run sends with each step, and the steps in which it rewrites what it sent before. */
async function sentBy(arm: Arm, { run, maxTokens }: { run: HistoryRun; maxTokens: number }) {
  const { shorten, check } = arm.create(maxTokens);
  const prompts: ModelMessage[][] = [];
  const rewrites: number[] = [];
  let sent: ModelMessage[] = [];
  for (const [step, end] of run.ends.entries()) {
    const next = await shorten(sent, run.messages.slice(run.ends[step - 1] ?? 0, end));
    if (!sent.every((message, index) => JSON.stringify(message) === JSON.stringify(next[index]))) rewrites.push(step);
    prompts.push(next);
    sent = next;
  }
  return { prompts, rewrites, readBack: await check?.(run, sent) };
}

function bill(
  prompts: readonly ModelMessage[][],
  { run, prices }: { run: HistoryRun; prices: PriceList },
): BilledRequest[] {
  const provider = new SimulatedProvider(prices);
  return prompts.map((prompt, step) => {
    const end = run.ends[step] ?? 0;
    return provider.request(prompt, { time: run.times[step] ?? 0, answer: run.messages.slice(end, end + 1) });
  });
}

function total(requests: readonly BilledRequest[], key: keyof BilledRequest): number {
  return requests.reduce((sum, request) => sum + request[key], 0);
}

/** The highest share of the untouched bill so far, and the steps from each rewrite until the bill is lower than untouched. */
function course(
  requests: readonly BilledRequest[],
  { untouched, rewrites }: { untouched: readonly BilledRequest[]; rewrites: readonly number[] },
) {
  let own = 0;
  let other = 0;
  const shares = requests.map(({ dollars }, step) => {
    own += dollars;
    other += untouched[step]?.dollars ?? 0;
    return own / other;
  });
  const repaidAfter = rewrites.map((step) => {
    const steps = shares.slice(step).findIndex((share) => share <= 1);
    return steps === -1 ? shares.length - step : steps;
  });
  return { highest: Math.max(...shares), repaidAfter: Math.max(0, ...repaidAfter) };
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

async function measureRun({
  steps,
  stepsPerTurn,
  maxTokens,
}: {
  steps: number;
  stepsPerTurn: number;
  maxTokens: number;
}): Promise<string> {
  const run = historyRun({ steps, stepsPerTurn, seed: SEED });
  const sent = await Promise.all(arms.map((arm) => sentBy(arm, { run, maxTokens })));
  const [untouched] = sent;
  const rows = [
    '| way to shorten | prices, lifetime of the cache | rewrites in 100 steps | input tokens cached | bill | of the untouched bill | highest share so far | steps until it pays |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |',
  ];
  for (const prices of priceLists) {
    const reference = bill(untouched?.prompts ?? [], { run, prices });
    for (const [index, { name }] of arms.entries()) {
      const { prompts, rewrites } = sent[index] ?? { prompts: [], rewrites: [] };
      const requests = bill(prompts, { run, prices });
      const { highest, repaidAfter } = course(requests, { untouched: reference, rewrites });
      const dollars = total(requests, 'dollars');
      rows.push(
        `| ${[
          name,
          `${prices.name} (${prices.date}), ${prices.ttlSeconds / 60} min`,
          ((rewrites.length * 100) / steps).toFixed(1),
          percent(total(requests, 'cachedTokens') / total(requests, 'inputTokens')),
          `$${dollars.toFixed(2)}`,
          percent(dollars / total(reference, 'dollars')),
          percent(highest),
          rewrites.length === 0 ? '–' : repaidAfter,
        ].join(' | ')} |`,
      );
    }
  }
  const readBack = sent.find(({ readBack }) => readBack !== undefined)?.readBack ?? 0;
  const { meanResultTokens } = run;
  return `#### ${steps} steps\n\nMean result: ${meanResultTokens.toFixed(0)} tokens. High water: ${maxTokens.toLocaleString('en-US')} tokens. All ${readBack.toLocaleString('en-US')} bytes that left the conversation were read back and are equal.\n\n${rows.join('\n')}`;
}

const KINDS = ['english', 'german', 'chinese', 'code', 'json', 'base64', 'log'];

/** The processor time of an estimate of a megabyte, and how far estimates are from real counts. */
function estimateTable(rounds: number): string {
  const counts = storedCounts();
  const rows = ['| texts | 1 MB | of o200k | of the largest of the others |', '| --- | ---: | ---: | ---: |'];
  for (const kind of KINDS) {
    const texts = tokenTexts().filter(({ name }) => name.startsWith(`${kind}-`));
    const joined = texts.map(({ text }) => text).join('\n');
    const megabyte = Buffer.from(joined.repeat(Math.ceil(MEGABYTE / joined.length)).slice(0, MEGABYTE)).toString();
    const times = Array.from({ length: rounds }, () => processorMs(() => estimateTokens(megabyte)));
    const shares = texts.map(({ name, text }) => {
      const { o200k = 0, ...others } = counts[name] ?? {};
      return {
        ofO200k: estimateTokens(text) / o200k,
        ofLargest: estimateTokens(text) / Math.max(...Object.values(others)),
      };
    });
    const range = (of: (share: (typeof shares)[number]) => number) =>
      [Math.min, Math.max].map((end) => percent(end(...shares.map(of)))).join(' to ');
    rows.push(
      `| ${kind} | ${Math.min(...times).toFixed(1)} ms | ${range((each) => each.ofO200k)} | ${range((each) => each.ofLargest)} |`,
    );
  }
  return `#### \`estimateTokens\`\n\nThese texts were not used to fit it. They are counted with real vocabularies; the others are Gemini, Qwen, DeepSeek and Mistral.\n\n${rows.join('\n')}`;
}

function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function measure(scale: BenchScale): Promise<string> {
  const isSmall = scale.oneCaseIn > 1;
  const sizes = isSmall
    ? [{ steps: 40, stepsPerTurn: 20, maxTokens: 15_000 }]
    : [100, 300].map((steps) => ({ steps, stepsPerTurn: STEPS_PER_TURN, maxTokens: MAX_TOKENS }));
  const tables: string[] = [];
  for (const size of sizes) tables.push(await measureRun(size));
  const caption = `Runs of an agent, made with a seed from the sizes of recorded outputs and the texts of the corpus. The provider is simulated: its cache has blocks of 128 tokens, 20 s pass between steps and 10 minutes between turns of ${STEPS_PER_TURN} steps. Prices are list prices of the given month. Tokens are counted with o200k.`;
  return [caption, ...tables, estimateTable(isSmall ? 1 : 100)].join('\n\n');
}

export const history: BenchPart = {
  section: 'bench-history',
  heading: 'The bill of a long conversation',
  measure,
};
