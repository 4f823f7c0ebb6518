import { compared, isOneOf, isTruth, kindOf, toNumber, type Verdict } from './compare-values.ts';

export type Operator =
  | 'eq'
  | 'ne'
  | 'lt'
  | 'lte'
  | 'gt'
  | 'gte'
  | 'in'
  | 'contains'
  | 'startsWith'
  | 'exists'
  | 'matches';

/** Makes the test of one pattern, e.g. with RE2. Throws with a reason when the pattern is none. */
export type PatternMatcher = (pattern: string) => (text: string) => boolean;

/** The values that an operator takes, for a check and for the words about one that it does not take. */
export interface TakenValues {
  expected: string;
  fits(value: unknown): boolean;
}

export interface OperatorDefinition {
  takes: TakenValues;
  /** Makes the test of a value, which is neither missing nor `null`. */
  test(wanted: unknown, toMatcher: PatternMatcher): (value: unknown) => Verdict;
}

const MAX_TEXT = 4096;
const MAX_LIST = 200;

const scalar: TakenValues = { expected: `one value of at most ${MAX_TEXT} characters`, fits: isScalar };
const ordered: TakenValues = {
  expected: 'a number, an ISO date or text',
  fits: (value) => isScalar(value) && (typeof value === 'string' || typeof value === 'number'),
};
const list: TakenValues = {
  expected: `a list of 1 to ${MAX_LIST} values`,
  fits: (value) => Array.isArray(value) && value.length > 0 && value.length <= MAX_LIST && value.every(isScalar),
};
const truth: TakenValues = { expected: 'true or false', fits: (value) => typeof value === 'boolean' };
const pattern: TakenValues = {
  expected: 'a pattern',
  fits: (value) => typeof value === 'string' && value !== '' && isScalar(value),
};

export const operators: Record<Operator, OperatorDefinition> = {
  eq: { takes: scalar, test: (wanted) => isOneOf([wanted]) },
  ne: { takes: scalar, test: differs },
  lt: { takes: ordered, test: (wanted) => compared(wanted, (order) => order < 0) },
  lte: { takes: ordered, test: (wanted) => compared(wanted, (order) => order <= 0) },
  gt: { takes: ordered, test: (wanted) => compared(wanted, (order) => order > 0) },
  gte: { takes: ordered, test: (wanted) => compared(wanted, (order) => order >= 0) },
  in: { takes: list, test: (wanted) => isOneOf(wanted as unknown[]) },
  contains: { takes: scalar, test: contains },
  startsWith: { takes: ordered, test: (wanted) => onText((text) => text.startsWith(String(wanted))) },
  exists: { takes: truth, test: () => () => true },
  matches: { takes: pattern, test: (wanted, toMatcher) => onText(toMatcher(String(wanted))) },
};

export const operatorNames: Operator[] = Object.keys(operators) as Operator[];

function isScalar(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= MAX_TEXT;
  return value === null || typeof value === 'boolean' || Number.isFinite(value);
}

function differs(wanted: unknown): (value: unknown) => Verdict {
  // To leave out what is empty is a question to every column.
  if (wanted === '') return (value) => value !== '';
  const isEqual = isOneOf([wanted]);
  return (value) => {
    const verdict = isEqual(value);
    return verdict === undefined ? undefined : !verdict;
  };
}

/** Finds a part of a text, or an item of a list. Native code does so quickly even among a million items. */
function contains(wanted: unknown): (value: unknown) => Verdict {
  const forms = formsOf(wanted);
  const isInText = wanted === null ? () => undefined : onText((text) => text.includes(String(wanted)));
  return (value) => (Array.isArray(value) ? forms.some((form) => value.includes(form)) : isInText(value));
}

/** How an item may be written: as it is wanted, and a number or a truth value as text, or the other way round. */
function formsOf(wanted: unknown): unknown[] {
  if (typeof wanted !== 'string') return wanted === null ? [null] : [wanted, String(wanted)];
  const other = isTruth(wanted) ? wanted === 'true' : toNumber(wanted);
  return other === undefined ? [wanted] : [wanted, other];
}

/** Numbers are read as they are written. */
function onText(test: (text: string) => boolean): (value: unknown) => Verdict {
  return (value) => (typeof value === 'string' || kindOf(value) === 'number' ? test(String(value)) : undefined);
}
