import { table } from '../measure.ts';
import { type FactKind, factKinds } from './facts.ts';
import { type FactScore, sumOf } from './score.ts';

/** The scores of each preview maker, by its name. */
export type ScoresByMaker = ReadonlyMap<string, readonly FactScore[]>;

const best = 'auto, with the question';

/** The scores as tables. The first budget is the most important one. */
export function usefulnessReport(scores: ReadonlyMap<number, ScoresByMaker>): string {
  const [[bytes, byMaker] = [0, new Map<string, FactScore[]>()]] = scores;
  const facts = byMaker.get(best)?.length ?? 0;
  return [
    `${facts} facts, chosen by rules before any preview was made; previews of ${kilobytes(bytes)}. **Facts in the preview alone**:`,
    shownByKind(byMaker),
    winsOver(byMaker),
    '**Facts that the fixed plan finds in addition** (search for the words of the question, read around the first match, read more pages; query records; at most 5 calls), by the same readers for every maker that saves the output. Calls, characters and tokens for a fact are means over the facts that were shown or found, the last two columns over all facts:',
    costs(byMaker),
    `**The cost of the plan where \`${best}\` does not show the fact**:`,
    planByKind(byMaker.get(best) ?? []),
    '**Facts in the preview alone at other budgets**:',
    shownByBudget(scores),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function shownByKind(byMaker: ScoresByMaker): string {
  const counts = factKinds.map((kind) => of(byMaker.get(best) ?? [], kind).length);
  const head = ['preview', ...factKinds.map((kind, index) => `${kind} (${counts[index]})`), 'all'];
  const rows = [...byMaker].map(([name, scores]) => [
    name,
    ...factKinds.map((kind) => shown(of(scores, kind))),
    `**${shown(scores)}**`,
  ]);
  return table(head, rows);
}

/** The cases in which another preview shows more facts. They must be listed. */
function winsOver(byMaker: ScoresByMaker): string {
  const ours = byMaker.get(best) ?? [];
  const wins = factKinds.flatMap((kind) => {
    const better = [...byMaker].filter(([, scores]) => shownCount(of(scores, kind)) > shownCount(of(ours, kind)));
    if (better.length === 0) return [];
    const names = better.map(([name, scores]) => `${name} (${shown(of(scores, kind))})`).join(', ');
    return `- ${kind}: ${names} against ${shown(of(ours, kind))}. ${whyOthersWin(kind)}`;
  });
  return wins.length === 0 ? '' : [`More than \`${best}\` show:`, '', ...wins].join('\n');
}

function whyOthersWin(kind: FactKind): string {
  if (kind === 'a record')
    return 'It can be any of thousands, so only the number of shown ids matters; `auto` shows fewer, from both ends, as JSON that still parses.';
  return 'It can be anywhere, so only the amount of shown text matters and, by chance, the end; `auto` divides its space between both ends and the important lines between them.';
}

function costs(byMaker: ScoresByMaker): string {
  const head = [
    'preview',
    'shown or found',
    'calls for a fact',
    'characters read for a fact',
    'tokens read and written for a fact',
    'tokens of the preview',
    'tokens saved',
  ];
  const rows = [...byMaker].map(([name, scores]) => {
    const found = scores.filter(({ isFound }) => isFound);
    const mean = (numberOf: (score: FactScore) => number) => sumOf(found, numberOf) / Math.max(1, found.length);
    return [
      name,
      percent(found.length, scores.length),
      mean(({ calls }) => calls).toFixed(2),
      whole(mean(({ charsRead }) => charsRead)),
      whole(mean(({ tokensOfCalls }) => tokensOfCalls)),
      whole(sumOf(scores, ({ tokensOfPreview }) => tokensOfPreview) / scores.length),
      whole(sumOf(scores, ({ tokensOfOutput, tokensOfPreview }) => tokensOfOutput - tokensOfPreview) / scores.length),
    ];
  });
  return table(head, rows);
}

function planByKind(scores: readonly FactScore[]): string {
  const rows = factKinds.flatMap((kind) => {
    const searched = of(scores, kind).filter(({ isShown }) => !isShown);
    if (searched.length === 0) return [];
    const found = searched.filter(({ isFound }) => isFound);
    const calls = searched.map((score) => score.calls);
    return [
      [
        kind,
        String(searched.length),
        percent(found.length, searched.length),
        (sumOf(searched, (score) => score.calls) / searched.length).toFixed(2),
        String(Math.max(...calls)),
        whole(sumOf(searched, ({ charsRead }) => charsRead) / searched.length),
        whole(sumOf(searched, ({ tokensOfCalls }) => tokensOfCalls) / searched.length),
      ],
    ];
  });
  return table(['fact', 'searched for', 'found', 'calls', 'most calls', 'characters', 'tokens'], rows);
}

function shownByBudget(scores: ReadonlyMap<number, ScoresByMaker>): string {
  const budgets = [...scores.keys()].toSorted((a, b) => a - b);
  const names = [...(scores.get(budgets[0] ?? 0)?.keys() ?? [])];
  const rows = names.map((name) => [name, ...budgets.map((bytes) => shown(scores.get(bytes)?.get(name) ?? []))]);
  return table(['preview', ...budgets.map(kilobytes)], rows);
}

function of(scores: readonly FactScore[], kind: FactKind): FactScore[] {
  return scores.filter((score) => score.kind === kind);
}

function shownCount(scores: readonly FactScore[]): number {
  return scores.filter(({ isShown }) => isShown).length;
}

function shown(scores: readonly FactScore[]): string {
  return percent(shownCount(scores), scores.length);
}

function percent(part: number, total: number): string {
  return `${((100 * part) / total).toFixed(1)} %`;
}

function whole(number: number): string {
  return Math.round(number).toLocaleString('en');
}

function kilobytes(bytes: number): string {
  return `${bytes / 1024} KB`;
}
