import type { ModelMessage } from 'ai';
import { readCorpus } from '../../fixtures/corpus.ts';
import { tokensOf } from '../usefulness/tokens.ts';

/** A run of an agent that was made with a seed. */
export interface HistoryRun {
  /** The messages before each call of the model: the first needs those up to `ends[0]`. */
  messages: ModelMessage[];
  ends: number[];
  /** The seconds at which each call of the model happens. */
  times: number[];
  meanResultTokens: number;
}

/** The sizes of 73 recorded outputs of a coding agent, in characters. Empty outputs are left out. */
const RECORDED_CHARS = [
  ...[264, 3233, 6209, 40, 302, 3, 280, 84, 4137, 4314, 3, 587, 609, 372, 956, 1002, 1002, 1082, 900, 109, 394, 1055],
  ...[900, 1055, 1955, 2277, 2062, 1093, 900, 900, 900, 1016, 32, 62, 790, 1177, 229, 4935, 2630, 2689, 2689, 5036],
  ...[55, 803, 166, 511, 4, 229, 128, 7786, 7733, 1955, 7917, 4, 564, 213, 474, 764, 119, 124, 488, 1360, 109, 738],
  ...[738, 9, 113, 1368, 36, 11, 1344, 20, 67, 110, 24498],
];
const MEAN_RESULT_TOKENS = 1300;
/** A larger output is bounded by the first guard. */
const MAX_CHARS = 50 * 1024;
const CORPUS = [
  'Apache_2k.log',
  'Hadoop_2k.log',
  'Linux_2k.log',
  'OpenStack_2k.log',
  'Zookeeper_2k.log',
  'movies.json',
  'wikipedia.html',
];
const STEP_SECONDS = 20;
const TURN_SECONDS = 600;

/** A run with so many steps. Each turn begins with a message of the user, after a pause. */
export function historyRun({
  steps,
  stepsPerTurn,
  seed,
}: {
  steps: number;
  stepsPerTurn: number;
  seed: number;
}): HistoryRun {
  const texts = CORPUS.map(readCorpus);
  let scale = 1;
  let results: string[] = [];
  let mean = 0;
  // The recorded outputs are smaller than outputs of other agents, so their sizes are stretched to the mean.
  for (let attempt = 0; attempt < 4; attempt++) {
    results = resultTexts(texts, { steps, seed, scale });
    mean = results.reduce((sum, text) => sum + tokensOf(text), 0) / steps;
    scale *= MEAN_RESULT_TOKENS / mean;
  }
  const run: HistoryRun = { messages: [], ends: [], times: [], meanResultTokens: mean };
  let time = 0;
  for (const [step, text] of results.entries()) {
    if (step % stepsPerTurn === 0) {
      if (step > 0) time += TURN_SECONDS;
      run.messages.push({
        role: 'user',
        content: `Turn ${step / stepsPerTurn + 1}: find the cause of the failure, fix it and run all tests again.`,
      });
    } else time += STEP_SECONDS;
    run.ends.push(run.messages.length);
    run.times.push(time);
    run.messages.push(...messagesOfStep(step, text));
  }
  return run;
}

function messagesOfStep(step: number, text: string): ModelMessage[] {
  const toolCallId = `call_${step}_${(step * 7919).toString(36)}`;
  const thought = `The last output shows what happened before line ${step * 17}. I look at the next file to compare the two versions, because the failing test imports both of them.`;
  const input = { command: `sed -n '${step},${step + 120}p' src/module_${step % 37}.py && git log --oneline -5` };
  const call = { type: 'tool-call', toolCallId, toolName: 'bash', input } as const;
  const output = { type: 'text', value: text } as const;
  return [
    { role: 'assistant', content: [{ type: 'text', text: thought }, call] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: 'bash', output }] },
  ];
}

function resultTexts(
  texts: readonly string[],
  { steps, seed, scale }: { steps: number; seed: number; scale: number },
): string[] {
  const random = seeded(seed);
  return Array.from({ length: steps }, () => {
    const chars = RECORDED_CHARS[Math.floor(random() * RECORDED_CHARS.length)] ?? 0;
    const text = texts[Math.floor(random() * texts.length)] ?? '';
    const length = Math.min(MAX_CHARS, Math.max(1, Math.round(chars * scale)));
    const from = Math.floor(random() * Math.max(1, text.length - length));
    return text.slice(from, from + length);
  });
}

/** Numbers from 0 to 1, always the same for a seed: a linear congruential generator. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
