import type { Unclear } from './meaning';
import type { Answer } from './play';

type Near = NonNullable<Unclear['near']>;

const suggestionsByNear: Record<Near | 'none', readonly string[]> = {
  orders: [
    'Which region had the highest refunds?',
    'How many orders were refunded in July?',
    'Top 5 products by revenue',
    'What is the average order value?',
  ],
  logs: [
    'Why did checkout fail last night?',
    'When did the errors start?',
    'Show me the errors in the payments log',
    'Tail the log',
  ],
  tests: ['Run the tests. What failed?', 'Fix the failing test', 'How many tests are there?'],
  none: [
    'Why did checkout fail last night?',
    'Which region had the highest refunds?',
    'Run the tests. What failed?',
    'What is ai-truncate?',
  ],
};

const abilities: Record<Near | 'none', string> = {
  orders:
    'I can filter orders by region, product, customer, status, refund reason and date, and count, add up, average or rank them.',
  logs: 'I can say why, when and how often checkout, payments or inventory failed in the night of the log, search the log and show its lines.',
  tests: 'I can run all tests, explain a failure, and fix it after your approval.',
  none: 'No LLM runs here, so I only understand a few kinds of questions. With `OPENAI_API_KEY` set on the server, a real LLM answers.',
};

/** A sentence in the language of a question that is not English. It says that no LLM answers. */
const languages: readonly { pattern: RegExp; sentence: string }[] = [
  { pattern: /[\u3040-\u30ff]/, sentence: 'ここでは LLM は動いていません。英語の質問だけを理解できます。' },
  { pattern: /[\u4e00-\u9fff]/, sentence: '这里没有 LLM,只有按规则编写的回答,我只能理解英语问题。请试试下面的问题:' },
  { pattern: /[\uac00-\ud7af]/, sentence: '여기에는 LLM이 없습니다. 영어 질문만 이해할 수 있습니다.' },
  {
    pattern: /[äöüß]|\b(?:der|die|das|ist|wie|warum|wieso|welche|kannst|kann|ich|nicht|wobei|letzte|gestern|bitte)\b/i,
    sentence:
      'Hier antwortet kein LLM, sondern ein Skript, und es versteht nur Englisch. Probieren Sie eine dieser Fragen:',
  },
  {
    pattern: /[àâçêëîïôœ¿]|\b(?:pourquoi|le|les|est|quel|quelle|dans|cette|une|qu'est-ce)\b/i,
    sentence:
      'Aucun LLM ne répond ici : c’est un script, et il ne comprend que l’anglais. Essayez une de ces questions :',
  },
];

/** Says which words were not understood and what can be asked instead, in the language of the question. */
export function unclearAnswer({ unknown, near }: Unclear, question: string): Answer {
  const key = near ?? 'none';
  const suggestions = suggestionsByNear[key];
  const language =
    unknown.length > 0 ? languages.find(({ pattern }) => pattern.test(question.slice(0, 400))) : undefined;
  if (language) return { text: language.sentence, suggestions, isUnclear: true };
  const words = unknown.slice(0, MAX_UNKNOWN).map((word) => `“${word.replaceAll('`', "'")}”`);
  const missed =
    words.length > 0 ? `I did not understand ${words.join(', ')}.` : 'I did not understand this question as a whole.';
  return { text: `${missed} ${abilities[key]} Try one of these:`, suggestions, isUnclear: true };
}

const MAX_UNKNOWN = 6;
