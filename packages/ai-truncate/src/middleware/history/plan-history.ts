/** A message as the plan sees it: sizes and places only. */
export interface MeasuredMessage {
  isAssistant: boolean;
  /** The estimate of the whole message. */
  tokens: number;
  /** The results in it that may be moved out of the conversation, in their order. */
  results: readonly MeasuredResult[];
}

export interface MeasuredResult {
  /** The index of the part in its message. */
  part: number;
  tokens: number;
}

/** A result that is moved out of the conversation. */
export interface Eviction {
  message: number;
  part: number;
  tokens: number;
  /** The decision was made after a message that no earlier request contained. */
  isNew: boolean;
}

export interface HistoryPlan {
  /** Oldest first. */
  evictions: Eviction[];
  /** Estimates of all messages, before and after. */
  tokensBefore: number;
  tokensAfter: number;
  /** More than `maxTokens` are left, and no other result may be moved out. */
  isStillOver: boolean;
}

export interface HistoryLimits {
  /** The upper limit. Above it, results are moved out. */
  maxTokens: number;
  /** The lower limit. The oldest results are moved out until it is reached. */
  targetTokens: number;
  /** The number of last steps whose results stay. */
  keepSteps: number;
}

/**
 * The largest estimate of a reference. Every reference counts as this many tokens, so that a plan does not depend on a path. In all
 * compared vocabularies, such a reference has at most 110 tokens.
 */
export const REFERENCE_TOKENS = 88;

/**
 * Decides after each message which results are moved out. The decision depends only on the messages up to that message. So a later
 * request, which begins with the same messages, makes the same decision and sends the same bytes. A conversation with references
 * needs no special case, because it is smaller after each message.
 */
export function planHistory(messages: readonly MeasuredMessage[], limits: HistoryLimits): HistoryPlan {
  const { maxTokens, targetTokens, keepSteps } = limits;
  const lastStep = messages.findLastIndex(({ isAssistant }) => isAssistant);
  const candidates: Omit<Eviction, 'isNew'>[] = [];
  const evictions: Eviction[] = [];
  /** The number of results before each step. */
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
