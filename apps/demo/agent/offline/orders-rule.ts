import { exploreRecords } from './explore-records';
import type { OfflineRule } from './offline-rule';
import { lastOf } from './offline-turn';
import { offlineWords } from './offline-words';
import { linkTo, savedPathOf } from './shown-output';

/** Gets all orders and asks the saved JSON one exact question. */
export const ordersRule: OfflineRule = {
  matches: ({ question }) =>
    /\b(orders?|refund\w*|revenue|sales|customers?|regions?|products?|cancell?\w*|sold|shop)\b/i.test(question),
  next({ question, results }) {
    const orders = lastOf(results, 'queryOrders');
    if (!orders) return { text: offlineWords.readingOrders, call: { toolName: 'queryOrders', input: {} } };
    if (orders.outcome !== 'answered') return { text: offlineWords.toolFailed('queryOrders', orders.text) };
    const path = savedPathOf(orders.text);
    if (path === undefined) return { text: offlineWords.nothingSaved };
    const next = exploreRecords({ question, path, results });
    if (next && 'toolName' in next) return { call: next };
    if (!next) return { text: offlineWords.nothingSaved };
    const places = next.evidence.map(({ start_line: start, end_line: end }) => linkTo(path, { start, end }));
    return { text: offlineWords.records({ ...next, places }) };
  },
};
