import { scopedArtifacts } from '../../src/artifacts/scoped-artifacts.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import type { Fact, FactKind } from './facts.ts';
import type { PreviewMaker } from './previews.ts';
import { type SearchResult, searchFor, showsFields } from './search.ts';
import { tokensOf } from './tokens.ts';

/** Whether one preview shows one fact, and the cost of finding the fact otherwise. */
export interface FactScore {
  kind: FactKind;
  isShown: boolean;
  isFound: boolean;
  calls: number;
  charsRead: number;
  /** Tokens of the calls that the model wrote, and of the text that it saw. */
  tokensOfCalls: number;
  tokensOfPreview: number;
  tokensOfOutput: number;
}

export async function scoreFact(
  fact: Fact,
  { maker, bytes }: { maker: PreviewMaker; bytes: number },
): Promise<FactScore> {
  const shown = await maker.preview(fact.text, { bytes, question: fact.question });
  const isShown = fact.isToldBy(shown);
  const isSearched = !isShown && maker.keepsOutput;
  const { isFound, calls } = isSearched ? await search(fact, shown) : { isFound: isShown, calls: [] };
  return {
    kind: fact.kind,
    isShown,
    isFound,
    calls: calls.length,
    charsRead: sumOf(calls, ({ answer }) => answer.length),
    tokensOfCalls: sumOf(calls, ({ input, answer }) => tokensOf(input) + tokensOf(answer)),
    tokensOfPreview: tokensOf(shown),
    tokensOfOutput: tokensOfWhole(fact),
  };
}

export function sumOf<ITEM>(items: readonly ITEM[], numberOf: (item: ITEM) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0);
}

// Searches that do not depend on the preview are done once.

const searches = new WeakMap<Fact, Map<boolean, Promise<SearchResult>>>();
const wholes = new WeakMap<Fact, number>();

function search(fact: Fact, shown: string): Promise<SearchResult> {
  const knowsFields = showsFields(fact.search, shown);
  const known = searches.get(fact) ?? new Map<boolean, Promise<SearchResult>>();
  searches.set(fact, known);
  const result = known.get(knowsFields) ?? searchWhole(fact, { knowsFields });
  known.set(knowsFields, result);
  return result;
}

async function searchWhole(fact: Fact, { knowsFields }: { knowsFields: boolean }): Promise<SearchResult> {
  const artifacts = scopedArtifacts(memoryStore(), { scope: 'bench' });
  const { path } = await artifacts.save(fact.text, { toolName: 'runCommand', toolCallId: 'call_1' });
  return searchFor(fact, { artifacts, path, knowsFields });
}

function tokensOfWhole(fact: Fact): number {
  const tokens = wholes.get(fact) ?? tokensOf(fact.text);
  wholes.set(fact, tokens);
  return tokens;
}
