import { products, refundReasons, regions } from '../orders';
import { services } from '../server-log';

/**
 * The possible meanings of words. `field=region` is a kind with a value. A word may have several kinds: `revenue` is money and a sum.
 * Each phrase of the lists below has one to four words.
 */
const phrasesByKind: Record<string, string> = {
  // Words without a meaning of their own. A word that changes the meaning of a question, such as `not`, is never one of them.
  neutral:
    'a, an, the, is, are, was, were, be, been, am, do, does, did, have, has, had, having, can, could, would, will, should, may, might, please, just, me, my, i, we, us, our, you, your, to, of, in, on, at, for, from, with, as, and, or, during, there is, there are, is there, are there, was there, were there, so, then, now, ok, okay, all, any, anything, something, some, exactly, again, because, because of, due to, let, want, need, like, know, people, given, give, gave, made, make, also, only, much, each time, hey, s, about',
  what: 'what, which, which one',
  show: 'show, find, look at, go to, list, tell, display, print, open, see, get, got, fetch, select, return, detail, view, read',
  it: 'it, this, that, those, them, these, they',
  there: 'there, that region, this region, here',
  also: 'what about, how about, same',
  how: 'how',
  why: 'why, how come, cause, what made, reason, explain why',
  who: 'who, which person, person, whom',
  when: 'when, time, what time, at what time, since when',
  where: 'where',
  count: 'how many, number of, number, count, how often',
  howMuch: 'how much',
  explain: 'explain, describe, example',
  work: 'work, working, use, using, used, ok, okay, up, fine, healthy',

  order: 'order, per order, purchase, buy, bought, sold, sell, place, shop',
  money:
    'money, value, price, amount, worth, euro, eur, spend, spent, revenue, turnover, sale, income, earn, bring in, brought in',
  sum: 'total, sum, in all, altogether, overall, combined, revenue, turnover, sale, income, spend, spent',
  average: 'average, mean, avg, on average',
  median: 'median',
  max: 'highest, largest, biggest, greatest, most, top, best, best selling, best-selling, bestselling, maximum, max, busiest, most often, most frequent, most common',
  frequent: 'most, most common, busiest, most often, most frequent, fewest, least',
  min: 'lowest, smallest, least, fewest, minimum, min, bottom',
  degree: 'high, low, so high, so low, that high',
  by: 'by, per, in terms of, each, every, for each, for every, group by, group, break down, break it down, breakdown, split',
  'field=region': 'region',
  'field=product': 'product',
  'field=customer': 'customer, buyer, client, shopper',
  'field=status': 'status',
  'field=refund_reason': 'reason, refund reason',
  'field=placed_at.month': 'month',
  'field=day': 'day, date',
  'status=refunded': 'refund, refunded, money back, their money back, sent back, returned',
  'status=cancelled': 'cancelled, canceled, cancel, cancellation',
  'status=paid': 'paid',
  dateFrom: 'since',
  dateBefore: 'before, until, till',
  dateAfter: 'after',
  dateBetween: 'between, to',
  over: 'over, above, more than, at least',
  under: 'under, below, less than, at most',

  log: 'log, server log, log file, logfile',
  serviceWord: 'service',
  fail: 'fail, failure, broke, broken, break, crash, down, go down, went down, outage, incident, wrong, go wrong, went wrong, problem, trouble, issue, bug',
  happen: 'happen, going on',
  error: 'error, exception, fatal',
  affected: 'affected, affect, hit, impact, not charged, uncharged',
  start: 'start, started, began, begin, begun, first, occur, earliest, since when',
  stop: 'end, ended, stop, stopped, over, recover, last',
  deploy: 'deploy, deployment, release, rollout, rollback, roll back, rolled back, ship',
  night: 'last night, night, overnight, that night',
  id: 'id, ids',
  size: 'big, size, large, how big, how large, how long, bytes',
  tail: 'tail, end, last, last lines, bottom',
  head: 'head, first, first lines, beginning, top',
  line: 'line',
  say: 'say, said',
  summary: 'summarise, summarize, summary, overview',
  around: 'around, surrounding, before and after, nearby, context',

  test: 'test, test suite, suite, spec',
  run: 'run, execute, rerun',
  pass: 'pass',
  duration: 'duration, how long, how fast, second, minute',
  take: 'take, took',
  fix: 'fix, repair, correct, mend',
  sdk: 'streamtext, generatetext, generateobject, streamobject, usechat, usecompletion, usegeneration, subagent, sub-agent, middleware, provider, embedding, telemetry, tool calling, structured output, rag, agent, reranking, speech, transcription',
  docs: 'ai sdk, sdk, docs, documentation',

  greeting: 'hi, hello, hey, hey there, hi there, good morning, good evening, yo',
  thanks: 'thanks, thank you, thx, cheers, great thanks',
  praise: 'great, nice, cool, awesome, a lot, very much',
  ability: 'help, what can you, can you do, able to do, can i ask, could you do, what do you do, your capabilities',
  thing: 'thing, question, here',
  page: 'page, site, website, demo, am i looking at, looking at',
  tool: 'tool',
  output: 'tool output, output, result',
  available: 'available',
  library: 'ai-truncate, ai truncate, library, package, plugin, project',
  install: 'install, npm, installation, set up, setup, get started, add it to, add',
  instruction: 'instruction, command, step',
  slow: 'slow, take so long, takes so long, so long, so slow',
  otherFramework: 'langchain, langgraph, llamaindex, mastra, crewai, autogen, semantic kernel',
  mcp: 'mcp, model context protocol',
  support: 'support, server, compatible, client',
  truncate: 'truncate, truncation, truncated, shorten',
  save: 'save, savings',
  token: 'token, cost, money, context',
  keep: 'privacy, keep, store, stored, persist',
  data: 'privacy, data, type, input, message',
  without: 'without, with and without, with vs without, vs without, with versus without',
  compare: 'compare, comparison, difference',
  llm: 'llm, language model, ai, a.i, model, chatbot, gpt, gpt-5, gpt-4, claude, gemini, bot, human, chatgpt, who are you, what are you',
  real: 'real, behind, talk, talking, speak, really',
  author:
    'author, license, licence, open source, free, maintain, maintainer, creator, built, build, wrote, written, created, create, developed, made',
  upload: 'upload, my own, own',
  file: 'file',
  chart: 'chart, bar chart, plot, graph, diagram, draw',
  rephrase: "simpler, simply, simpler words, more simply, like i'm five, like i’m five, rephrase",
  retell: 'did you just do, have you done, you just did, did you do, just did',
};

/** The words of the shop, its log and its calendar. */
const names: Record<string, string> = {
  ...Object.fromEntries(regions.map((region) => [`region=${region}`, region])),
  'region=Italy': 'Italy, Italian',
  'region=France': 'France, French',
  'region=Baltics': 'Baltics, Baltic',
  'region=Nordics': 'Nordics, Nordic',
  ...Object.fromEntries(products.map(({ name }) => [`product=${name}`, name])),
  'product=Trail tent 2P': 'Trail tent 2P, trail tent, tent',
  'product=Down jacket': 'Down jacket, jacket',
  'product=Camping stove': 'Camping stove, stove',
  'product=Hiking boots': 'Hiking boots, boots',
  ...Object.fromEntries(refundReasons.map((reason) => [`refund_reason=${reason}`, reason])),
  ...Object.fromEntries(services.map((service) => [`service=${service}`, service])),
};

/** The endings of words, in the order in which they are tried. */
const MIN_STEM_CHARS = 3;
const endings = [
  ['ies', 'y'],
  ['ing', ''],
  ['es', ''],
  ['ed', ''],
  ['s', ''],
  ['e', ''],
] as const;

const smallNumbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** The months, by their names and short names. `may` alone is a verb. */
export const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

const kindsByPhrase = new Map<string, Set<string>>();

function learn(kind: string, phrases: string): void {
  for (const phrase of phrases.split(', ')) {
    const key = phrase.toLowerCase().split(' ').map(stemOf).join(' ');
    kindsByPhrase.set(key, (kindsByPhrase.get(key) ?? new Set()).add(kind));
  }
}

for (const [kind, phrases] of Object.entries({ ...phrasesByKind, ...names })) learn(kind, phrases);
for (const [index, word] of smallNumbers.entries()) learn(`number=${index + 1}`, word);
for (const [index, name] of monthNames.entries()) {
  if (name === 'May') learn('month=5', 'in may, during may, since may, may 2026');
  else learn(`month=${index + 1}`, `${name}, ${name.slice(0, 3)}`);
}

/** The most words in a phrase. */
export const MAX_PHRASE_WORDS = 4;

/** The possible meanings of a phrase; empty for an unknown phrase. */
export function kindsOf(words: readonly string[]): ReadonlySet<string> | undefined {
  return kindsByPhrase.get(words.map(stemOf).join(' '));
}

/** The common part of all forms of a word, such as `refunds` and `refunded`, or `place` and `placed`. */
export function stemOf(word: string): string {
  const own = word.toLowerCase().replace(/['’]s$/, '');
  for (const [ending, replacement] of endings) {
    if (own.endsWith(ending) && own.length - ending.length >= MIN_STEM_CHARS) {
      return own.slice(0, -ending.length) + replacement;
    }
  }
  return own;
}
