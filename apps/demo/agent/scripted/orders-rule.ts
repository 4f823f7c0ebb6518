import { answerWords } from './answer-words';
import { exploreRecords } from './explore-records';
import type { Rule } from './rule';
import { linkTo, savedPathOf } from './shown-output';
import { lastOf } from './turn';

/** Gets all orders and asks the saved JSON one exact question. */
export const ordersRule: Rule = {
  matches: ({ question }) =>
    /\b(orders?|refund\w*|revenue|sales|customers?|regions?|products?|cancell?\w*|sold|shop)\b/i.test(question),
  next({ question, results }) {
    const orders = lastOf(results, 'queryOrders');
    if (!orders) return { text: answerWords.readingOrders, call: { toolName: 'queryOrders', input: {} } };
    if (orders.outcome !== 'answered') return { text: answerWords.toolFailed('queryOrders', orders.text) };
    const path = savedPathOf(orders.text);
    if (path === undefined) return { text: answerWords.nothingSaved };
    const next = exploreRecords({ question, path, results });
    if (next && 'toolName' in next) return { call: next };
    if (!next) return { text: answerWords.nothingSaved };
    const places = next.evidence.map(({ start_line: start, end_line: end }) => linkTo(path, { start, end }));
    return { text: answerWords.records({ ...next, places }) };
  },
};
