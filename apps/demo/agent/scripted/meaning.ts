import type { ServiceName } from '../chat-message';
import { hasKind, type Period, type Phrase, periodIn, type Question, valuesOf } from './question';
import { type Topic, topics } from './topics';

/** The meaning of a question. */
export type Meaning =
  | OrdersQuestion
  | { about: 'incident'; aspect: Aspect; service: ServiceName }
  | { about: 'log'; view: 'overview' | 'size' | 'head' | 'tail'; count?: number; target: Target }
  | { about: 'search'; literal: string; target: Target }
  | { about: 'lines'; start: number; end: number; target: Target }
  | { about: 'around' }
  | { about: 'tests'; aspect: 'run' | 'count' | 'duration' }
  | { about: 'fix' }
  | { about: 'docs'; words: string[] }
  | { about: 'chart' }
  | { about: 'retell' }
  | { about: 'topic'; topic: Topic }
  | Unclear;

/** A question that no rule understands completely. */
export interface Unclear {
  about: 'unclear';
  /** The words that no rule used. */
  unknown: string[];
  /** The topic of the other words. */
  near: 'orders' | 'logs' | 'tests' | undefined;
}

/** The aspect of a failure that a question asks about. */
export type Aspect = 'cause' | 'start' | 'end' | 'count' | 'ids' | 'who' | 'health';

/** The saved output that a question names; `last` for the last shown output. */
export type Target = ServiceName | 'orders' | 'tests' | 'last';

export interface OrdersQuestion {
  about: 'orders';
  measure: 'count' | 'sum' | 'average' | 'median' | 'distinct' | 'extreme' | 'why' | undefined;
  /** Fields to group by, or the field whose different values are counted. */
  by: readonly string[];
  /** By field, the values that match. */
  where: Readonly<Record<string, readonly string[]>>;
  period?: Period | undefined;
  limits: readonly { op: 'gt' | 'lt'; value: number }[];
  direction: 'max' | 'min' | undefined;
  /** The value that determines the order of groups. */
  rank: 'count' | 'sum';
  top: number | undefined;
}

/** The topics of the conversation so far. */
export interface Context {
  last: Meaning | undefined;
  orders: OrdersQuestion | undefined;
  subject: 'orders' | 'logs' | 'tests' | undefined;
  service: ServiceName;
  /** The region that the last answer about orders put first. */
  region: string | undefined;
}

/** A rule of the grammar: which phrases it needs, which others it can use, and what they mean together. */
export interface Rule {
  /** One of each of these kinds has to be in the question. */
  needs: readonly string[];
  /** The other kinds that the rule can use. If the question has a phrase of any other kind, the rule does not apply. */
  takes: string;
  near?: Unclear['near'];
  meaning(question: Question, context: Context): Meaning | undefined;
}

const FAILURE = 'fail|happen|error|affected';
const ABOUT_LOGS = 'service serviceWord log night it there what show line';
const ORDER_KINDS =
  'happen degree order money sum average median max min frequent by field status region product refund_reason customer span dateFrom dateBefore dateAfter dateBetween number over under count howMuch who where why there it also compare';

const rules: readonly Rule[] = [
  ...Object.entries(topics).map(
    ([topic, { needs, takes }]): Rule => ({ needs, takes, meaning: () => ({ about: 'topic', topic: topic as Topic }) }),
  ),
  {
    needs: ['fix'],
    takes: 'test fail error it',
    near: 'tests',
    meaning: () => ({ about: 'fix' }),
  },
  {
    needs: ['test'],
    takes: 'run fail error why count duration size pass it show what take start',
    near: 'tests',
    meaning: ({ phrases }) => ({ about: 'tests', aspect: testAspectOf(phrases) }),
  },
  {
    needs: [`duration|fail|error|why|pass`],
    takes: 'what why it count run take fail size duration',
    meaning: ({ phrases }, { subject }) =>
      subject === 'tests' && !hasKind(phrases, 'service')
        ? { about: 'tests', aspect: testAspectOf(phrases) }
        : undefined,
  },
  {
    needs: ['line', 'number'],
    takes: 'show what log service it test order output say number there',
    near: 'logs',
    meaning: ({ phrases }, context) => linesIn(phrases, context),
  },
  { needs: ['around'], takes: 'line it there log show what', near: 'logs', meaning: () => ({ about: 'around' }) },
  {
    needs: ['tail|head', 'log|line'],
    takes: 'service number line log it show what test order',
    near: 'logs',
    meaning: ({ phrases }, context) => ({
      about: 'log',
      view: hasKind(phrases, 'tail') ? 'tail' : 'head',
      target: targetOf(phrases, context),
      ...countOf(phrases),
    }),
  },
  {
    needs: ['log', 'size|count'],
    takes: 'line what how it service night',
    near: 'logs',
    meaning: ({ phrases }, context) => ({ about: 'log', view: 'size', target: targetOf(phrases, context) }),
  },
  {
    needs: ['log|summary', 'log|service'],
    takes: 'service night summary log it there show what say',
    near: 'logs',
    meaning: ({ phrases }, context) => ({ about: 'log', view: 'overview', target: targetOf(phrases, context) }),
  },
  incidentRule({ needs: ['deploy', 'who|what|when'], takes: 'when' }, 'who'),
  incidentRule({ needs: ['count', FAILURE], takes: 'order fail error affected field=customer' }, 'count'),
  incidentRule({ needs: ['order', FAILURE], takes: 'id affected fail' }, 'ids'),
  incidentRule({ needs: ['when', `start|${FAILURE}`], takes: 'start fail error head' }, 'start'),
  incidentRule({ needs: ['when', 'stop'], takes: 'stop fail error' }, 'end'),
  incidentRule({ needs: ['start', 'error|fail|happen'], takes: 'head' }, 'start'),
  incidentRule({ needs: ['stop', 'error|fail'], takes: 'tail' }, 'end'),
  incidentRule({ needs: ['service', 'fail|work'], takes: 'fail error' }, 'health'),
  incidentRule({ needs: ['fail|happen|error|why'], takes: 'fail happen error why affected' }, 'cause'),
  {
    needs: ['service'],
    takes: 'also it log show',
    near: 'logs',
    meaning: ({ phrases }, { last }) => {
      const service = valuesOf(phrases, 'service')[0] as ServiceName;
      if (last?.about === 'incident') return { ...last, service };
      return last?.about === 'search' || last?.about === 'log' ? { ...last, target: service } : undefined;
    },
  },
  { needs: ['chart'], takes: 'it order show', meaning: () => ({ about: 'chart' }) },
  { needs: ['retell'], takes: 'what explain', meaning: () => ({ about: 'retell' }) },
  {
    needs: ['sdk|docs'],
    takes: 'what how why when work explain tool mcp it support output show',
    meaning: ({ phrases }) => ({ about: 'docs', words: docsWordsOf(phrases) }),
  },
  {
    needs: ['order|status|field|customer|money|refund_reason|product|region|span|max|min|by|why'],
    takes: `${ORDER_KINDS} what show explain`,
    near: 'orders',
    meaning: ({ phrases }, context) => ordersQuestion(phrases, context),
  },
];

/** The meaning of a question. The first rule that uses all of its words decides. */
export function meaningOf(question: Question, context: Context): Meaning {
  const candidates: { rule: Rule; unused: Phrase[] }[] = [];
  for (const rule of rules) {
    if (question.phrases.length === 0 || !rule.needs.every((need) => hasAny(question.phrases, need))) continue;
    const unused = unusedBy(rule, question.phrases);
    const meaning = unused.length === 0 ? rule.meaning(question, context) : undefined;
    if (meaning) return meaning;
    candidates.push({ rule, unused });
  }
  const [best] = candidates.toSorted((one, other) => one.unused.length - other.unused.length);
  const unused =
    best && best.unused.length > 0 ? best.unused : question.phrases.filter(({ kinds }) => kinds.size === 0);
  const unknown = [...new Set(unused.map(({ text }) => text))];
  return { about: 'unclear', unknown, near: best?.rule.near ?? nearestOf(question.phrases) };
}

function nearestOf(phrases: readonly Phrase[]): Unclear['near'] {
  if (hasAny(phrases, 'test')) return 'tests';
  if (hasAny(phrases, 'order|status|field|region|product')) return 'orders';
  return hasAny(phrases, 'log|service|fail|error') ? 'logs' : undefined;
}

function hasAny(phrases: readonly Phrase[], kinds: string): boolean {
  return kinds.split('|').some((kind) => hasKind(phrases, kind));
}

function unusedBy({ needs, takes }: Rule, phrases: readonly Phrase[]): Phrase[] {
  const used = new Set([
    'neutral',
    'greeting',
    'thanks',
    ...takes.split(' '),
    ...needs.flatMap((need) => need.split('|')),
  ]);
  return phrases.filter(
    ({ kinds }) => ![...kinds].some((kind) => used.has(kind) || used.has(kind.split('=', 1)[0] ?? '')),
  );
}

function incidentRule({ needs, takes }: Pick<Rule, 'needs' | 'takes'>, aspect: Aspect): Rule {
  return {
    needs,
    takes: `${takes} ${ABOUT_LOGS}`,
    near: 'logs',
    meaning({ phrases }, context) {
      const isNamed = hasAny(phrases, `${FAILURE}|service|log|night|deploy`);
      if (!isNamed && context.subject !== 'logs') return undefined;
      if (aspect === 'health' && hasAny(phrases, 'what|why')) return undefined;
      const services = new Set(valuesOf(phrases, 'service'));
      // An answer about one service would leave out the others.
      if (services.size > 1 || (services.size === 0 && hasKind(phrases, 'serviceWord'))) return undefined;
      return { about: 'incident', aspect, service: serviceOf(phrases, context) };
    },
  };
}

function serviceOf(phrases: readonly Phrase[], { service }: Context): ServiceName {
  return (valuesOf(phrases, 'service')[0] as ServiceName | undefined) ?? service;
}

/** The output that these phrases name. */
export function targetOf(phrases: readonly Phrase[], context: Context): Target {
  if (hasKind(phrases, 'test')) return 'tests';
  if (hasKind(phrases, 'order')) return 'orders';
  return hasAny(phrases, 'service|log') ? serviceOf(phrases, context) : 'last';
}

function testAspectOf(phrases: readonly Phrase[]): 'run' | 'count' | 'duration' {
  if (hasKind(phrases, 'duration')) return 'duration';
  return hasKind(phrases, 'count') ? 'count' : 'run';
}

function numbersIn(phrases: readonly Phrase[]): number[] {
  return valuesOf(phrases, 'number').map(Number);
}

function countOf(phrases: readonly Phrase[]): { count?: number } {
  const [count] = numbersIn(phrases);
  return count ? { count } : {};
}

function linesIn(phrases: readonly Phrase[], context: Context): Meaning | undefined {
  const [start = 0, end = start, ...others] = numbersIn(phrases);
  // `20 lines` is a count, and `line 20` is a place.
  const isPlace =
    phrases.findIndex(({ kinds }) => kinds.has('line')) < phrases.findIndex((phrase) => hasKind([phrase], 'number'));
  if (!isPlace || others.length > 0 || start < 1 || end < start) return undefined;
  return { about: 'lines', start, end, target: targetOf(phrases, context) };
}

function docsWordsOf(phrases: readonly Phrase[]): string[] {
  return phrases.filter((phrase) => hasKind([phrase], 'sdk')).map(({ text }) => text.toLowerCase());
}

const VALUE_FIELDS = ['region', 'product', 'status', 'refund_reason', 'customer'] as const;

function ordersQuestion(phrases: readonly Phrase[], context: Context): OrdersQuestion | undefined {
  const own = ownOrdersQuestion(phrases);
  if (!own) return undefined;
  const isAnchored =
    hasAny(phrases, 'order|status|customer|refund_reason|field') ||
    (hasKind(phrases, 'money') && own.measure !== undefined);
  const refers =
    hasAny(phrases, 'it|also|there') || !isAnchored || (own.measure === undefined && context.last?.about === 'orders');
  if (!refers) return own;
  const before = context.last?.about === 'orders' || hasAny(phrases, 'it|also|there') ? context.orders : undefined;
  if (!before) return undefined;
  if (hasKind(phrases, 'there') && context.region === undefined) return undefined;
  // `and the lowest?` after a ranking asks for another group, and a new group needs a measure of its own.
  const isRanking = own.measure === 'extreme' && before.by.length > 0 && !isAnchored;
  const measure = isRanking
    ? before.measure
    : (own.measure ?? (own.by.length > 0 ? additive(before.measure) : before.measure));
  return {
    ...before,
    measure,
    by: own.by.length > 0 ? own.by : own.measure === 'why' ? [] : before.by,
    where: {
      ...before.where,
      ...own.where,
      ...(hasKind(phrases, 'there') && context.region && { region: [context.region] }),
    },
    period: own.period ?? before.period,
    limits: [...before.limits, ...own.limits],
    direction: own.direction ?? before.direction,
    rank: own.by.length > 0 ? own.rank : before.rank,
    top: own.top ?? before.top,
  };
}

function additive(measure: OrdersQuestion['measure']): OrdersQuestion['measure'] {
  return measure === 'why' || measure === 'extreme' || measure === 'distinct' ? undefined : measure;
}

/** The meaning of these phrases without the conversation before them; `undefined` if a number in them has no meaning. */
function ownOrdersQuestion(phrases: readonly Phrase[]): OrdersQuestion | undefined {
  const where: Record<string, string[]> = {};
  for (const field of VALUE_FIELDS) {
    const values = [...new Set(valuesOf(phrases, field))];
    if (values.length > 0) where[field] = values;
  }
  const numbers = numbersIn(phrases);
  const limits: OrdersQuestion['limits'][number][] = [];
  const isLimited = hasAny(phrases, 'over|under');
  if (isLimited && numbers.length !== 1) return undefined;
  if (isLimited) limits.push({ op: hasKind(phrases, 'over') ? 'gt' : 'lt', value: numbers.shift() ?? 0 });
  const isRanked = hasAny(phrases, 'max|min');
  const top = isRanked ? numbers.shift() : undefined;
  const [id] = hasAny(phrases, 'order|field') ? numbers.splice(0, 1) : [];
  if (id !== undefined && valuesOf(phrases, 'field').includes('customer')) where.customer = [`c-${id}`];
  else if (id !== undefined) where.id = [String(id)];
  const period = periodIn(phrases);
  if (numbers.length > 0 || period === 'unclear') return undefined;

  const named = fieldsIn(phrases).filter((field) => !(field in where));
  const compared = hasKind(phrases, 'compare')
    ? Object.keys(where).filter((field) => (where[field]?.length ?? 0) > 1)
    : [];
  const by = [...named, ...compared];
  const measure = measureOf(phrases, { hasFields: by.length > 0, isCompared: compared.length > 0, where });
  if (!isMeasurable(phrases, { measure, by })) return undefined;
  if (by.includes('refund_reason') || measure === 'why' || 'refund_reason' in where) where.status ??= ['refunded'];
  const rank =
    hasKind(phrases, 'count') ||
    (hasKind(phrases, 'frequent') && !hasKind(phrases, 'money')) ||
    by.includes('refund_reason')
      ? 'count'
      : 'sum';
  const direction = hasKind(phrases, 'min') ? 'min' : isRanked ? 'max' : undefined;
  return { about: 'orders', measure, by: measure === 'why' ? [] : by, where, period, limits, direction, rank, top };
}

function fieldsIn(phrases: readonly Phrase[]): string[] {
  const fields = new Set(valuesOf(phrases, 'field'));
  if (fields.size === 0 && hasKind(phrases, 'who')) fields.add('customer');
  if (fields.size === 0 && hasKind(phrases, 'where') && !hasKind(phrases, 'region')) fields.add('region');
  if (fields.delete('day')) return [...fields, 'placed_at.month', 'placed_at.day'];
  return [...fields];
}

/** The average here is that of the totals: `orders per day on average` asks for another one. `high` is no order of values. */
function isMeasurable(phrases: readonly Phrase[], { measure, by }: Pick<OrdersQuestion, 'measure' | 'by'>): boolean {
  if (measure === 'average' || measure === 'median') {
    const isGrouped = by.length === 0 || hasAny(phrases, 'by|max|min|compare');
    return isGrouped && !hasKind(phrases, 'count') && !by.some((field) => field.startsWith('placed_at'));
  }
  return measure === 'why' || !hasKind(phrases, 'degree');
}

interface Measured {
  hasFields: boolean;
  isCompared: boolean;
  where: Readonly<Record<string, unknown>>;
}

function measureOf(phrases: readonly Phrase[], { hasFields, isCompared, where }: Measured): OrdersQuestion['measure'] {
  const has = (kind: string) => hasKind(phrases, kind);
  if ('id' in where) return undefined;
  if (has('why') && !('refund_reason' in where) && !has('by') && !has('count')) return 'why';
  if (has('median')) return 'median';
  if (has('average')) return 'average';
  const isGrouped = isCompared || has('by') || hasAny(phrases, 'max|min');
  if (has('count')) return hasFields && !isGrouped ? 'distinct' : 'count';
  if (hasAny(phrases, 'max|min') && !hasFields) return 'extreme';
  return has('sum') || (has('money') && has('howMuch')) ? 'sum' : undefined;
}
