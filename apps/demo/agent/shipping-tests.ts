import { priceList, type ShippingRule } from './price-list';

/** The file of the workspace that is tested. */
export const testedFile = 'config/shipping.json';
/** Each country is asked for orders of 1, 2, … euros up to this. */
const MAX_ORDER = 90;

const color = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[39m`;
const [red, green, gray] = [color(31), color(32), color(90)];
const bold = (text: string) => `\u001b[1m${text}\u001b[22m`;

/**
 * Runs the tests of the shop: for each country and order value, whether the configuration charges what the price list says.
 * What it prints is what a test runner prints on a terminal, with colours and the exit status at its end.
 */
export function* runShippingTests(configuration: string | undefined): Generator<string> {
  yield `${bold(' RUN ')} ${testedFile}\n\n`;
  const rules = parseRules(configuration);
  if (typeof rules === 'string') {
    yield `${red(bold(' FAIL '))} ${testedFile}\n${red(`Error: ${rules}`)}\n\n${summary({ passed: 0, failed: 1 })}`;
    return;
  }
  const counts = { passed: 0, failed: 0 };
  for (const [country, promised] of Object.entries(priceList)) {
    let printed = '';
    for (let order = 1; order <= MAX_ORDER; order++) {
      const failure = check(country, { order, promised, rule: rules[country], configuration });
      if (failure) counts.failed++;
      else counts.passed++;
      printed += failure ?? ` ${green('✓')} shipping ${gray('>')} ${country} ${gray('>')} ${nameOf(order, promised)}\n`;
    }
    yield printed;
  }
  yield `\n${summary(counts)}`;
}

interface Case {
  order: number;
  promised: ShippingRule;
  rule: ShippingRule | undefined;
  configuration: string | undefined;
}

/** What is printed for a case that fails. */
function check(country: string, { order, promised, rule, configuration = '' }: Case): string | undefined {
  const expected = feeOf(order, promised);
  const received = rule && feeOf(order, rule);
  if (received === expected) return undefined;
  const key = rule && rule.fee !== promised.fee && expected > 0 ? 'fee' : 'freeFrom';
  const line = lineOf(configuration, { country, key });
  return [
    ` ${red('✗')} shipping ${gray('>')} ${country} ${gray('>')} ${nameOf(order, promised)}`,
    `${red(bold(' FAIL '))} shipping > ${country} > ${nameOf(order, promised)}`,
    red(
      `AssertionError: an order of ${order.toFixed(2)} from ${country} pays ${received?.toFixed(2) ?? 'nothing known'}, expected ${expected.toFixed(2)}`,
    ),
    `  ${red(`- Expected  "${key}": ${promised[key]}`)}`,
    `  ${green(`+ Received  "${key}": ${rule?.[key] ?? 'missing'}`)}`,
    `  ${gray(`at ${testedFile}:${line}`)}`,
    '',
  ].join('\n');
}

function feeOf(order: number, { freeFrom, fee }: ShippingRule): number {
  return order >= freeFrom ? 0 : fee;
}

function nameOf(order: number, promised: ShippingRule): string {
  const fee = feeOf(order, promised);
  return `an order of ${order.toFixed(2)} ${fee === 0 ? 'ships free' : `pays ${fee.toFixed(2)}`}`;
}

function summary({ passed, failed }: { passed: number; failed: number }): string {
  const failures = failed === 0 ? '' : `${red(`${failed} failed`)} ${gray('|')} `;
  return `${bold('Tests')}  ${failures}${green(`${passed} passed`)} (${passed + failed})\nexit status ${failed === 0 ? 0 : 1}\n`;
}

/** The rules in the text, or a sentence that says why there are none. */
function parseRules(configuration: string | undefined): Record<string, ShippingRule | undefined> | string {
  if (configuration === undefined) return `${testedFile} does not exist`;
  try {
    const value: unknown = JSON.parse(configuration);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return Object.fromEntries(Object.entries(value).filter(([, rule]) => isRule(rule)));
    }
    return `${testedFile} holds no object`;
  } catch (error) {
    return `${testedFile} is no JSON: ${(error as Error).message}`;
  }
}

function isRule(value: unknown): value is ShippingRule {
  if (typeof value !== 'object' || value === null) return false;
  const { freeFrom, fee } = value as Record<string, unknown>;
  return typeof freeFrom === 'number' && typeof fee === 'number';
}

/** Where the value stands, counted from 1. */
function lineOf(configuration: string, { country, key }: { country: string; key: string }): number {
  const lines = configuration.split('\n');
  const start = Math.max(
    0,
    lines.findIndex((line) => line.includes(`"${country}"`)),
  );
  const offset = lines.slice(start).findIndex((line) => line.includes(`"${key}"`));
  return start + Math.max(0, offset) + 1;
}
