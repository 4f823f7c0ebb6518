import type { OrdersQuestion } from './meaning';
import { type Answer, call, type Script, type Steps } from './play';
import { dayWords, periodWords } from './question';
import { contentOf, linkToAll, savedPathOf } from './saved-outputs';
import type { ToolResult, Turn } from './turn';
import { monthNames } from './vocabulary';

/** A record of the orders, or a group of them. */
export type Row = Record<string, unknown>;

interface Condition {
  field: string;
  op: string;
  value: unknown;
}

interface OrderQuery {
  where?: readonly Condition[];
  groupBy?: readonly string[];
  aggregate?: readonly { op: string; field?: string }[];
  sort?: readonly { field: string; direction: 'asc' | 'desc' }[];
  limit?: number;
}

interface QueryResult {
  rows: Row[];
  /** Records that match, of all records. */
  matched: number;
  all: number;
  groups: number;
  /** Some records are not in the answer. */
  isIncomplete: boolean;
}

const GROUPS_SHOWN = 10;
const RECORDS_SHOWN = 5;
/** A first place this many times as large as the second one is explained. */
const STANDS_OUT = 1.5;

const count = { op: 'count' } as const;
const sum = { op: 'sum', field: 'total' } as const;
const columnOf = { count: 'count', sum: 'sum(total)' } as const;

/** Answers a question about the orders by exact queries over all of them. */
export function* ordersScript(question: OrdersQuestion, turn: Turn): Script {
  const path = yield* openOrders(turn);
  if (path === undefined) return { text: 'The orders were not saved, so I cannot query them.' };
  const orders: Orders = { path, question, where: conditionsOf(question) };
  const answer = yield* answerOf(orders);
  const gap = answer.isIncomplete ? 'The query ended early, so some orders are not in this answer.' : '';
  const text = [answer.text, gap, evidenceOf(orders, answer)].filter(Boolean).join('\n\n');
  return { ...answer, text, suggestions: suggestionsFor(question, answer) };
}

interface Orders {
  path: string;
  question: OrdersQuestion;
  where: Condition[];
}

type Counted = Answer & Pick<QueryResult, 'matched' | 'all' | 'isIncomplete'>;

function answerOf(orders: Orders): Steps<Counted> {
  const { measure, by } = orders.question;
  if (measure === 'why') return explain(orders);
  if (measure === 'extreme') return findExtreme(orders);
  if (by.length > 0) return measure === 'distinct' ? countDifferent(orders) : rankGroups(orders);
  return measure === undefined ? listRecords(orders) : addUp(orders);
}

function* openOrders({ earlier }: Turn): Steps<string | undefined> {
  const known = earlier
    .flatMap(({ results }) => results)
    .findLast(
      ({ toolName, input, text }) => toolName === 'queryOrders' && Object.keys(input).length === 0 && savedPathOf(text),
    );
  const say = 'Fetching all orders, then querying the saved JSON.';
  const { text } = known ?? (yield* call('queryOrders', {}, { say }));
  return savedPathOf(text);
}

function* query(path: string, input: OrderQuery): Steps<QueryResult> {
  const result = yield* call('queryArtifact', { path, ...input });
  const [, matched = '0', all = '0'] = /^([\d,]+) of ([\d,]+) records/.exec(result.text) ?? [];
  const [, groups = '0'] = /of ([\d,]+) groups shown/.exec(result.text) ?? [];
  const isIncomplete = /There is room for only|The time was up/.test(result.text);
  return {
    rows: rowsOf(result),
    matched: toNumber(matched),
    all: toNumber(all),
    groups: toNumber(groups),
    isIncomplete,
  };
}

/** Parts of all customers. One query has room for 10,000 groups, and there are more customers. */
const CUSTOMER_BOUNDS = ['c-4', 'c-7'] as const;

/** Ranks groups exactly. If one query has no room for all groups, makes one query for each part of the customers. */
function* queryGroups(path: string, input: OrderQuery): Steps<QueryResult> {
  const whole = yield* query(path, input);
  if (!whole.isIncomplete || !input.groupBy?.includes('customer')) return whole;
  const [low, high] = CUSTOMER_BOUNDS;
  const ranges = [
    [{ op: 'lt', value: low }],
    [
      { op: 'gte', value: low },
      { op: 'lt', value: high },
    ],
    [{ op: 'gte', value: high }],
  ];
  const parts: QueryResult[] = [];
  for (const range of ranges) {
    const where = [...(input.where ?? []), ...range.map((condition) => ({ field: 'customer', ...condition }))];
    parts.push(yield* query(path, { ...input, where }));
  }
  const { field = '', direction } = input.sort?.[0] ?? {};
  const sign = direction === 'asc' ? 1 : -1;
  return {
    ...whole,
    rows: parts
      .flatMap(({ rows }) => rows)
      .sort((one, other) => sign * (Number(one[field]) - Number(other[field])))
      .slice(0, input.limit),
    groups: parts.reduce((groups, part) => groups + part.groups, 0),
    isIncomplete: parts.some((part) => part.isIncomplete),
  };
}

function toNumber(digits: string): number {
  return Number(digits.replaceAll(',', ''));
}

/** The rows in an answer of `queryArtifact`: one JSON object a line. */
export function rowsOf({ text }: Pick<ToolResult, 'text'>): Row[] {
  return contentOf(text)
    .split('\n')
    .flatMap((line) => {
      // Skips sentences around the rows and empty lines, because parsing them would throw.
      if (!line.startsWith('{')) return [];
      try {
        return [JSON.parse(line) as Row];
      } catch {
        return [];
      }
    });
}

function conditionsOf({ where, period, limits }: OrdersQuestion): Condition[] {
  return [
    ...Object.entries(where).map(([field, values]) =>
      field === 'id' ? { field, op: 'eq', value: Number(values[0]) } : oneOf(field, values),
    ),
    ...(period?.from ? [{ field: 'placed_at', op: 'gte', value: period.from }] : []),
    ...(period?.before ? [{ field: 'placed_at', op: 'lt', value: period.before }] : []),
    ...limits.map(({ op, value }) => ({ field: 'total', op, value })),
  ];
}

function oneOf(field: string, values: readonly string[]): Condition {
  return values.length === 1 ? { field, op: 'eq', value: values[0] } : { field, op: 'in', value: values };
}

function* addUp({ path, question, where }: Orders): Steps<Counted> {
  const { measure } = question;
  const extra =
    measure === 'average'
      ? [{ op: 'avg', field: 'total' }]
      : measure === 'median'
        ? [{ op: 'median', field: 'total' }]
        : [];
  const result = yield* query(path, { where, aggregate: [count, sum, ...extra] });
  const { matched, all, rows } = result;
  if (matched === 0) return { ...result, text: yield* nothingFound({ path, question, where }, all) };
  const [row = {}] = rows;
  const [orders, worth] = [ordersWords(question, matched), money(row['sum(total)'])];
  const text = {
    average: `The average total of ${orders} is **${money(row['avg(total)'])}**.`,
    median: `The median total of ${orders} is **${money(row['median(total)'])}**.`,
    sum: `${capital(orders)} add up to **${worth}**.${'status' in question.where ? '' : ' That includes refunded and cancelled orders.'}`,
  };
  return {
    ...result,
    text:
      measure === 'average' || measure === 'median' || measure === 'sum'
        ? text[measure]
        : `${bold(orders)}, worth ${worth} in total.`,
  };
}

function bold(orders: string): string {
  return orders.replace(/^[\d,]+/, '**$&**');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The answer for 0 orders. If the question names a time without orders, it says which time the orders cover. */
function* nothingFound({ path, question }: Orders, all: number): Steps<string> {
  const none = `**0** of ${number(all)} orders match: there are no ${ordersWords(question)}.`;
  if (!question.period) return none;
  const days = [];
  for (const direction of ['asc', 'desc'] as const) {
    const { rows } = yield* query(path, { sort: [{ field: 'placed_at', direction }], limit: 1 });
    days.push(dayWords(String(rows[0]?.placed_at).slice(0, 10)));
  }
  return `${none} The orders run from ${days.join(' to ')}.`;
}

function* countDifferent({ path, question, where }: Orders): Steps<Counted> {
  const [field = ''] = question.by;
  const result = yield* query(path, { where, aggregate: [{ op: 'distinct', field }] });
  const different = number(Number(result.rows[0]?.[`distinct(${field})`] ?? 0));
  return {
    ...result,
    text: `**${different}** different ${nameOf(field)}s are in ${ordersWords(question, result.matched)}.`,
  };
}

function* rankGroups({ path, question, where }: Orders): Steps<Counted> {
  const { by, rank, measure, direction, top } = question;
  const extra =
    measure === 'average'
      ? [{ op: 'avg', field: 'total' }]
      : measure === 'median'
        ? [{ op: 'median', field: 'total' }]
        : [];
  const column = extra[0] ? `${extra[0].op}(total)` : columnOf[rank];
  const sort = [{ field: column, direction: direction === 'min' ? ('asc' as const) : ('desc' as const) }];
  const limit = Math.min(50, Math.max(1, top ?? GROUPS_SHOWN));
  const result = yield* queryGroups(path, { where, groupBy: by, aggregate: [count, sum, ...extra], sort, limit });
  const { rows, matched, all, groups } = result;
  if (matched === 0) return { ...result, text: yield* nothingFound({ path, question, where }, all) };
  const sentence = rankSentence(rows, { question, column, groups });
  const reason = standsOut(rows, column, direction)
    ? yield* mainParts({ path, question, where: [...where, ...groupConditions(by, rows[0])] }, by)
    : '';
  const shown =
    groups > rows.length
      ? `The ${direction === 'min' ? 'last' : 'first'} ${rows.length} of ${number(groups)}:`
      : undefined;
  return { ...result, text: [`${sentence}${reason}`, shown, tableOf(rows)].filter(Boolean).join('\n\n') };
}

interface Ranked {
  question: OrdersQuestion;
  column: string;
  groups: number;
}

function rankSentence(rows: readonly Row[], { question, column, groups }: Ranked): string {
  const { by, direction } = question;
  const [first = {}, next] = rows;
  const place = direction === 'min' ? 'Lowest' : 'Highest';
  const where = Object.fromEntries(Object.entries(question.where).filter(([field]) => !by.includes(field)));
  const kind = { ...question, where };
  const value = column === 'count' ? ordersWords(kind, Number(first.count)) : money(first[column]);
  const tied = rows.filter((row) => row[column] === first[column]);
  if (tied.length > 1) {
    const names = tied.map((row) => `**${groupName(by, row)}**`);
    const others = tied.length === rows.length && groups > rows.length ? ' (and maybe others)' : '';
    return `${place}, tied: ${names.slice(0, -1).join(', ')} and ${names.at(-1)}${others}, with ${value} each.`;
  }
  const also =
    column === 'count' ? `, worth ${money(first['sum(total)'])}` : ` in ${ordersWords(kind, Number(first.count))}`;
  const times = next && Number(next[column]) > 0 ? Number(first[column]) / Number(next[column]) : 0;
  const compared =
    times >= STANDS_OUT ? `${times.toFixed(1)} times as much as` : direction === 'min' ? 'before' : 'ahead of';
  const nextValue = next && (column === 'count' ? number(Number(next.count)) : money(next[column]));
  return `${next ? `${place}: ` : ''}**${groupName(by, first)}**, with ${value}${also}${next ? `, ${compared} ${groupName(by, next)} (${nextValue})` : ''}.`;
}

function standsOut(rows: readonly Row[], column: string, direction: 'max' | 'min' | undefined): boolean {
  return direction === 'max' && rows.length > 1 && Number(rows[0]?.[column]) > STANDS_OUT * Number(rows[1]?.[column]);
}

function groupConditions(by: readonly string[], row: Row = {}): Condition[] {
  return by.map((field) => ({ field, op: 'eq', value: row[field] }));
}

/** The product and the reason that make up most of these orders, in a sentence. */
function* mainParts({ path, question, where }: Orders, by: readonly string[]): Steps<string> {
  const isRefund = question.where.status?.join() === 'refunded';
  const fields = ['product', ...(isRefund ? ['refund_reason'] : [])].filter(
    (field) => !by.includes(field) && !(field in question.where),
  );
  let text = '';
  for (const field of fields) {
    const { rows, matched } = yield* query(path, {
      where,
      groupBy: [field],
      aggregate: [count],
      sort: [{ field: 'count', direction: 'desc' }],
      limit: 3,
    });
    const [first] = rows;
    if (first)
      text += ` ${number(Number(first.count))} of the ${number(matched)} ${field === 'product' ? `are for ${String(first.product)}` : `have the reason “${String(first.refund_reason)}”`}.`;
  }
  return text;
}

/** Why orders were refunded: their reasons, and the product with most of them. */
function* explain(orders: Orders): Steps<Counted> {
  const { path, question, where } = orders;
  const sort = [{ field: 'count', direction: 'desc' as const }];
  const result = yield* query(path, {
    where,
    groupBy: ['refund_reason'],
    aggregate: [count, sum],
    sort,
    limit: GROUPS_SHOWN,
  });
  const { rows, matched, all } = result;
  if (matched === 0) return { ...result, text: yield* nothingFound(orders, all) };
  if (question.where.status?.join() !== 'refunded')
    return {
      ...result,
      text: 'Only refunded orders have a reason. For other orders, I can count and rank, but not say why.',
      isUnclear: true,
    };
  const [first = {}] = rows;
  const text = `${capital(ordersWords(question, matched))}. The most frequent reason is **${String(first.refund_reason)}**, in ${number(Number(first.count))} of them.`;
  const product = yield* mainParts({ path, question, where }, ['refund_reason']);
  return { ...result, text: [`${text}${product}`, tableOf(rows)].join('\n\n') };
}

function* findExtreme(orders: Orders): Steps<Counted> {
  const { path, question, where } = orders;
  const [op, word] = question.direction === 'min' ? ['min', 'smallest'] : ['max', 'largest'];
  const result = yield* query(path, { where, aggregate: [{ op, field: 'total' }] });
  if (result.matched === 0) return { ...result, text: yield* nothingFound(orders, result.all) };
  const total = result.rows[0]?.[`${op}(total)`];
  const same = yield* query(path, {
    where: [...where, { field: 'total', op: 'eq', value: total }],
    limit: RECORDS_SHOWN,
  });
  const [first = {}] = same.rows;
  const shared =
    same.matched === 1 ? '' : ` ${number(same.matched)} orders share this total. The first ${same.rows.length}:`;
  const text = `The ${word} total of ${ordersWords(question, result.matched)} is **${money(total)}**, for example order ${String(first.id)}: ${String(first.quantity)} × ${String(first.product)}.${shared}`;
  return { ...result, text: [text, tableOf(same.rows)].join('\n\n') };
}

function* listRecords(orders: Orders): Steps<Counted> {
  const { path, question, where } = orders;
  const totals = yield* query(path, { where, aggregate: [count, sum] });
  if (totals.matched === 0) return { ...totals, text: yield* nothingFound(orders, totals.all) };
  const { rows } = yield* query(path, { where, limit: RECORDS_SHOWN });
  const worth = money(totals.rows[0]?.['sum(total)']);
  const [only] = rows;
  if (totals.matched === 1 && only) return { ...totals, text: recordSentence(only) };
  const shown = totals.matched > rows.length ? ` The first ${rows.length}:` : '';
  return {
    ...totals,
    text: [`${bold(ordersWords(question, totals.matched))}, worth ${worth} in total.${shown}`, tableOf(rows)].join(
      '\n\n',
    ),
  };
}

function recordSentence({
  id,
  placed_at,
  region,
  customer,
  product,
  quantity,
  total,
  status,
  refund_reason,
}: Row): string {
  const reason = refund_reason === undefined ? '' : `, reason “${String(refund_reason)}”`;
  const day = dayWords(String(placed_at).slice(0, 10));
  return `**Order ${String(id)}**: ${String(quantity)} × ${String(product)} for ${money(total)}, placed by customer ${String(customer)} in ${placeName(String(region))} on ${day}. Status: ${String(status)}${reason}.`;
}

/** `1,416 refunded orders in Italy in July 2026`, or without a count the kind of orders. */
function ordersWords({ where, period, limits }: OrdersQuestion, matched?: number): string {
  const list = (field: string) => (where[field] ?? []).join(' or ');
  const parts = [
    matched === undefined ? '' : number(matched),
    list('status'),
    matched === 1 ? 'order' : 'orders',
    where.id && `with the id ${list('id')}`,
    where.product && `for ${list('product')}`,
    where.region && `in ${where.region.map(placeName).join(' or ')}`,
    where.customer && `by customer ${list('customer')}`,
    where.refund_reason && `with the reason “${list('refund_reason')}”`,
    period && periodWords(period),
    ...limits.map(({ op, value }) => `${op === 'gt' ? 'over' : 'under'} €${number(value)}`),
  ];
  return parts.filter(Boolean).join(' ');
}

/** `the Baltics`, and `Italy`. */
function placeName(region: string): string {
  return region.endsWith('s') ? `the ${region}` : region;
}

function groupName(by: readonly string[], row: Row): string {
  if (by.includes('placed_at.day'))
    return `${String(row['placed_at.day'])} ${monthNames[Number(row['placed_at.month']) - 1]}`;
  return by
    .map((field) => (field === 'placed_at.month' ? monthNames[Number(row[field]) - 1] : String(row[field] ?? 'none')))
    .join(', ');
}

function nameOf(field: string): string {
  return { refund_reason: 'refund reason', 'placed_at.month': 'month', 'placed_at.day': 'day' }[field] ?? field;
}

/** The proof of a number is the query that counted it. */
function evidenceOf({ path, question, where }: Orders, { matched, all }: Counted): string {
  const conditions = where
    .map(({ field, op, value }) => `${field} ${operators[op] ?? op} ${String(value)}`)
    .join(' and ');
  const grouped = question.by.length > 0 && question.measure !== 'why' ? ` by ${question.by.join(', ')}` : '';
  return `Evidence: query over ${linkToAll(path)}, \`${conditions || 'all orders'}${grouped}\`: ${number(matched)} of ${number(all)} records match.`;
}

const operators: Record<string, string> = { eq: '=', in: 'in', gte: '>=', lt: '<', gt: '>' };

function tableOf(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => name !== 'currency');
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  if (rows.length < 2) return '';
  return [
    line(columns.map(headingOf)),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((name) => cellOf(name, row[name])))),
  ].join('\n');
}

function headingOf(column: string): string {
  const names: Record<string, string> = {
    count: 'orders',
    'sum(total)': 'total',
    'avg(total)': 'average',
    'median(total)': 'median',
    placed_at: 'placed',
  };
  return names[column] ?? nameOf(column);
}

function cellOf(column: string, value: unknown): string {
  if (/total/.test(column)) return money(value);
  if (column === 'placed_at') return String(value).slice(0, 10);
  if (column === 'placed_at.month') return monthNames[Number(value) - 1] ?? String(value);
  return typeof value === 'number' && column !== 'id' ? number(value) : String(value ?? '');
}

function money(value: unknown): string {
  return `€${Number(value).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}

/** Follow-up questions. */
function suggestionsFor({ by, measure, where, direction }: OrdersQuestion, { matched }: Counted): string[] {
  const isRefund = where.status?.join() === 'refunded';
  return [
    ...(where.id && matched === 0 ? [`Search for ${where.id.join()} in the checkout log`] : []),
    ...(by.length > 0 && measure !== 'distinct'
      ? [direction === 'min' ? 'And the highest?' : 'And the lowest?', 'As a chart please']
      : []),
    ...(isRefund && measure !== 'why' ? ['Why were orders refunded?'] : []),
    ...(by.includes('product') || measure === 'extreme' ? [] : ['Group by product']),
    ...(by.length === 0 ? ['Which region had the highest refunds?'] : []),
  ].slice(0, 3);
}
