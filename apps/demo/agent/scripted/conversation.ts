import { callScript, namedCallIn } from './call-script';
import { docsScript } from './docs-script';
import { fixScript } from './fix-script';
import { codeOf } from './incident-words';
import { aroundScript, incidentScript, linesScript, searchScript, viewScript } from './log-scripts';
import { type Context, type Meaning, meaningOf } from './meaning';
import { ordersScript, type Row, rowsOf } from './orders-script';
import type { Answer, Script } from './play';
import { readQuestion } from './question';
import { searchIn } from './search-meaning';
import { testsScript } from './tests-script';
import { topicAnswer } from './topics';
import type { Exchange, Turn } from './turn';
import { unclearAnswer } from './unclear';

const firstSuggestions = [
  'Why did checkout fail last night?',
  'Which region had the highest refunds?',
  'Run the tests. What failed?',
];

/** Answers the last question of a conversation. */
export function* conversationScript(turn: Turn): Script {
  const answer = yield* answerScript(turn);
  // A button must not repeat the question that was just answered.
  const suggestions = (answer.suggestions ?? []).filter((suggestion) => suggestion !== turn.question);
  const problem = answer.isUnclear ? turn.problem : undefined;
  return { ...answer, text: [answer.text, problem].filter(Boolean).join('\n\n'), suggestions };
}

function answerScript(turn: Turn): Script {
  const named = namedCallIn(turn.question, turn.tools);
  if (named && 'refused' in named) {
    const names = [...turn.tools].map((name) => `\`${name}\``).join(', ');
    return say({
      text: `${named.refused} The tools are ${names}.`,
      suggestions: ['call runTests {}'],
      isUnclear: true,
    });
  }
  if (named) return callScript(named);
  const meaning = understand(turn.question, contextOf(turn.earlier));
  switch (meaning.about) {
    case 'orders':
      return ordersScript(meaning, turn);
    case 'incident':
      return incidentScript(meaning, turn);
    case 'log':
      return viewScript(meaning, turn);
    case 'search':
      return searchScript(meaning, turn);
    case 'lines':
      return linesScript(meaning, turn);
    case 'around':
      return aroundScript(turn);
    case 'tests':
      return testsScript(meaning);
    case 'fix':
      return fixScript();
    case 'docs':
      return docsScript(meaning);
    case 'chart':
      return say(chartOf(turn.earlier));
    case 'retell':
      return say({ text: retold(turn.earlier), suggestions: firstSuggestions });
    case 'topic':
      return say({ ...topicAnswer(meaning.topic, turn), suggestions: firstSuggestions });
    case 'unclear':
      return say(unclearAnswer(meaning, turn.question));
    default:
      return meaning satisfies never;
  }
}

// biome-ignore lint/correctness/useYield: an answer without a tool call is a script of no steps.
function* say(answer: Answer): Script {
  return answer;
}

/** What a question means, after the questions before it. */
export function understand(text: string, context: Context = startOfChat): Meaning {
  const search = searchIn(text, context);
  if (search?.isCertain) return search.meaning;
  const meaning = meaningOf(readQuestion(text), context);
  return meaning.about === 'unclear' && search ? search.meaning : meaning;
}

const startOfChat: Context = {
  last: undefined,
  orders: undefined,
  subject: undefined,
  service: 'checkout',
  region: undefined,
};

function contextOf(earlier: readonly Exchange[]): Context {
  let context = startOfChat;
  for (const exchange of earlier) context = contextAfter(context, exchange);
  return context;
}

function contextAfter(context: Context, exchange: Exchange): Context {
  const meaning = understand(exchange.question, context);
  switch (meaning.about) {
    case 'orders': {
      const [named, ...others] = meaning.where.region ?? [];
      const region = regionIn(exchange) ?? (others.length === 0 ? named : undefined) ?? context.region;
      return { ...context, last: meaning, orders: meaning, subject: 'orders', region };
    }
    case 'incident':
      return { ...context, last: meaning, subject: 'logs', service: meaning.service };
    case 'log':
    case 'search':
    case 'lines': {
      const { target } = meaning;
      if (target === 'orders' || target === 'tests' || target === 'last') return { ...context, last: meaning };
      return { ...context, last: meaning, subject: 'logs', service: target };
    }
    case 'tests':
    case 'fix':
      return { ...context, last: meaning, subject: 'tests' };
    default:
      return context;
  }
}

/** The region that an answer put first. */
function regionIn({ results }: Exchange): string | undefined {
  const ranked = results.find(
    ({ toolName, input }) => toolName === 'queryArtifact' && groupsOf(input).includes('region'),
  );
  const region = ranked && rowsOf(ranked)[0]?.region;
  return typeof region === 'string' ? region : undefined;
}

function groupsOf({ groupBy }: Record<string, unknown>): readonly unknown[] {
  return Array.isArray(groupBy) ? groupBy : [];
}

const BAR_CHARS = 32;

/** The groups of the last answer about orders as bars of text. */
function chartOf(earlier: readonly Exchange[]): Answer {
  const isGrouped = ({ toolName, input }: Exchange['results'][number]) =>
    toolName === 'queryArtifact' && groupsOf(input).length > 0;
  const ranked = earlier.findLast(({ results }) => results.some(isGrouped))?.results.find(isGrouped);
  const suggestions = ['Which region had the highest refunds?', 'Top 5 products by revenue'];
  const rows = ranked ? rowsOf(ranked) : [];
  if (!ranked || rows.length < 2)
    return { text: 'There are no groups to draw yet. Ask for groups first:', suggestions };
  const fields = groupsOf(ranked.input).map(String);
  const [column = 'count'] = Object.keys(rows[0] ?? {}).filter((name) => name === sortFieldOf(ranked.input));
  const name = (row: Row) => fields.map((field) => String(row[field])).join(' ');
  const [longest, largest] = [
    Math.max(...rows.map((row) => name(row).length)),
    Math.max(...rows.map((row) => Number(row[column]))),
  ];
  const bars = rows.map((row) => {
    const value = Number(row[column]);
    const bar = '█'.repeat(Math.max(1, Math.round((BAR_CHARS * value) / (largest || 1))));
    return `${name(row).padEnd(longest)}  ${bar} ${value.toLocaleString('en')}`;
  });
  return { text: [`${column} by ${fields.join(', ')}:`, ['```', ...bars, '```'].join('\n')].join('\n\n'), suggestions };
}

function sortFieldOf({ sort }: Record<string, unknown>): unknown {
  return Array.isArray(sort) ? (sort[0] as { field?: unknown } | undefined)?.field : undefined;
}

const MAX_INPUT_CHARS = 160;

/** The tool calls of the last answer that had some. */
function retold(earlier: readonly Exchange[]): string {
  const last = earlier.findLast(({ results }) => results.length > 0);
  if (!last) return 'I have not called a tool in this chat yet.';
  const rows = last.results.map(
    ({ toolName, input }) => `- \`${toolName}\` ${codeOf(JSON.stringify(input).slice(0, MAX_INPUT_CHARS))}`,
  );
  return [`For ${codeOf(last.question.slice(0, MAX_INPUT_CHARS))} I called these tools:`, rows.join('\n')].join('\n\n');
}
