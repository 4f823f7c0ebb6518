import type { ModelMessage } from 'ai';
import { tokensOf } from '../usefulness/tokens.ts';

/** Prices in dollars per million tokens, as published at a date. */
export interface PriceList {
  name: string;
  date: string;
  ttlSeconds: number;
  input: number;
  cached: number;
  /** The price of input that is written to the cache. */
  written: number;
  output: number;
}

const MINUTE = 60;

export const priceLists: readonly PriceList[] = [
  {
    name: 'OpenAI GPT-5',
    date: '2025-08',
    ttlSeconds: 5 * MINUTE,
    input: 1.25,
    cached: 0.125,
    written: 1.25,
    output: 10,
  },
  {
    name: 'OpenAI GPT-5',
    date: '2025-08',
    ttlSeconds: 60 * MINUTE,
    input: 1.25,
    cached: 0.125,
    written: 1.25,
    output: 10,
  },
  {
    name: 'Claude Sonnet 4.5',
    date: '2025-09',
    ttlSeconds: 5 * MINUTE,
    input: 3,
    cached: 0.3,
    written: 3.75,
    output: 15,
  },
  {
    name: 'Claude Sonnet 4.5',
    date: '2025-09',
    ttlSeconds: 60 * MINUTE,
    input: 3,
    cached: 0.3,
    written: 6,
    output: 15,
  },
];

/** Instructions and definitions of tools, which come before the messages. */
const INSTRUCTION_TOKENS = 3000;
const BLOCK_TOKENS = 128;

/** One request, as the provider bills it. */
export interface BilledRequest {
  inputTokens: number;
  cachedTokens: number;
  dollars: number;
}

interface Prompt {
  /** A number for each message, equal for equal messages. */
  ids: number[];
  tokens: number[];
  endsAt: number;
}

/** A provider with a cache of prefixes, in blocks of 128 tokens. Each request renews what it reads. */
export class SimulatedProvider {
  readonly #prices: PriceList;
  #prompts: Prompt[] = [];

  constructor(prices: PriceList) {
    this.#prices = prices;
  }

  request(
    messages: readonly ModelMessage[],
    { time, answer }: { time: number; answer: readonly ModelMessage[] },
  ): BilledRequest {
    const { ttlSeconds, cached, written, output } = this.#prices;
    const sized = messages.map(sizedMessage);
    const prompt = {
      ids: sized.map(({ id }) => id),
      tokens: sized.map(({ tokens }) => tokens),
      endsAt: time + ttlSeconds,
    };
    this.#prompts = this.#prompts.filter(({ endsAt }) => endsAt >= time);
    const common = Math.max(0, ...this.#prompts.map((earlier) => commonTokens(earlier, prompt)));
    this.#prompts.push(prompt);
    const inputTokens = INSTRUCTION_TOKENS + sum(prompt.tokens);
    const cachedTokens = Math.floor(common / BLOCK_TOKENS) * BLOCK_TOKENS;
    const outputTokens = sum(answer.map((message) => sizedMessage(message).tokens));
    const dollars = (cachedTokens * cached + (inputTokens - cachedTokens) * written + outputTokens * output) / 1e6;
    return { inputTokens, cachedTokens, dollars };
  }
}

function commonTokens(one: Prompt, other: Prompt): number {
  let tokens = INSTRUCTION_TOKENS;
  for (let at = 0; at < one.ids.length && one.ids[at] === other.ids[at]; at++) tokens += one.tokens[at] ?? 0;
  return tokens;
}

const sizes = new Map<string, { id: number; tokens: number }>();
const MESSAGE_TOKENS = 4;

function sizedMessage(message: ModelMessage): { id: number; tokens: number } {
  const json = JSON.stringify(message);
  const known = sizes.get(json);
  if (known) return known;
  const sized = { id: sizes.size, tokens: MESSAGE_TOKENS + sum(textsOf(message).map(tokensOf)) };
  sizes.set(json, sized);
  return sized;
}

function textsOf({ content }: ModelMessage): string[] {
  if (typeof content === 'string') return [content];
  return content.map((part) => {
    if (part.type === 'text') return part.text;
    if (part.type === 'tool-call') return `${part.toolName} ${JSON.stringify(part.input)}`;
    return part.type === 'tool-result' && part.output.type === 'text' ? part.output.value : '';
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
