/** A message as the plan sees it: sizes and places only. */
export interface MeasuredMessage {
  isAssistant: boolean;
  /** The estimate of the whole message. */
  tokens: number;
  /** The results in it that may leave the conversation, in their order. */
  results: readonly MeasuredResult[];
}

export interface MeasuredResult {
  /** The index of the part in its message. */
  part: number;
  tokens: number;
}

/** A result that leaves the conversation. */
export interface Eviction {
  message: number;
  part: number;
  tokens: number;
  /** No earlier request contained the message after which this was decided. */
  isNew: boolean;
}

export interface HistoryPlan {
  /** Oldest first. */
  evictions: Eviction[];
  /** Estimates of all messages, before and after. */
  tokensBefore: number;
  tokensAfter: number;
  /** More than `maxTokens` are left, and no result may leave. */
  isStillOver: boolean;
}

export interface HistoryLimits {
  /** The high water: above it, results leave. */
  maxTokens: number;
  /** The low water: until it is reached, the next older result leaves. */
  targetTokens: number;
  /** The results of so many last steps stay. */
  keepSteps: number;
}

/**
 * The largest estimate of a reference, and the number that every reference counts as, so that no plan depends on a path. In all
 * compared vocabularies, such a reference has at most 110 tokens.
 */
export const REFERENCE_TOKENS = 88;

/**
 * Decides after each message which results leave, by the messages up to it only. So a later request, which begins with the same
 * messages, decides the same again and sends the same bytes. A conversation whose results have already left needs no other
 * decision: it is smaller at each message.
 */
export function planHistory(messages: readonly MeasuredMessage[], limits: HistoryLimits): HistoryPlan {
  const { maxTokens, targetTokens, keepSteps } = limits;
  const lastStep = messages.findLastIndex(({ isAssistant }) => isAssistant);
  const candidates: Omit<Eviction, 'isNew'>[] = [];
  const evictions: Eviction[] = [];
  /** For each step, how many results there were before it. */
  const beforeSteps: number[] = [];
  let tokensBefore = 0;
  let tokensAfter = 0;
  for (const [index, { isAssistant, tokens, results }] of messages.entries()) {
    if (isAssistant) beforeSteps.push(candidates.length);
    candidates.push(...results.map((result) => ({ ...result, message: index })));
    tokensBefore += tokens;
    tokensAfter += tokens;
    if (tokensAfter <= maxTokens) continue;
    const unprotected = beforeSteps.at(-keepSteps) ?? 0;
    for (let at = evictions.length; at < unprotected && tokensAfter > targetTokens; at++) {
      const candidate = candidates[at];
      if (!candidate) break;
      evictions.push({ ...candidate, isNew: index >= lastStep });
      tokensAfter -= candidate.tokens - REFERENCE_TOKENS;
    }
  }
  return { evictions, tokensBefore, tokensAfter, isStillOver: tokensAfter > maxTokens };
}
