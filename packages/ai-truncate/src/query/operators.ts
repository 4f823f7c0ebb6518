import { compared, isOneOf, isTruth, kindOf, toNumber, type Verdict } from './compare-values.ts';
import { isContainer } from './fields.ts';

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

/** Makes the test of one pattern, for example with RE2. Throws the reason if the pattern is invalid. */
export type PatternMatcher = (pattern: string) => (text: string) => boolean;

/** The values that an operator accepts, for the check and for the text of a refusal. */
export interface TakenValues {
  expected: string;
  fits(value: unknown): boolean;
}

export interface OperatorDefinition {
  takes: TakenValues;
  /** A list is tested as a whole instead of item by item. */
  takesLists?: true;
  /** Makes the test of a value, which is neither missing nor `null`. */
  test(wanted: unknown, toMatcher: PatternMatcher): (value: unknown) => Verdict;
}

const MAX_TEXT = 4096;
const MAX_LIST = 200;
/** Texts that are nested deeper in an object are not searched. */
const MAX_LEVELS = 6;

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
  contains: { takes: scalar, takesLists: true, test: contains },
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
  // Excluding empty values works for a column of any type.
  if (wanted === '') return (value) => value !== '';
  const isEqual = isOneOf([wanted]);
  return (value) => {
    const verdict = isEqual(value);
    return verdict === undefined ? undefined : !verdict;
  };
}

/**
 * Finds a part of a text, an item of a list, or a part of any text in an object. Native code finds an item quickly even among a
 * million.
 */
function contains(wanted: unknown): (value: unknown) => Verdict {
  const forms = formsOf(wanted);
  const isInText = wanted === null ? () => undefined : onText((text) => text.includes(String(wanted)));
  const isWithin = (value: unknown, depth = 0): boolean => {
    if (typeof value !== 'object' || value === null) return forms.includes(value) || isInText(value) === true;
    return depth < MAX_LEVELS && Object.values(value).some((each) => isWithin(each, depth + 1));
  };
  return (value) => {
    if (!isContainer(value)) return isInText(value);
    if (!Array.isArray(value)) return isWithin(value);
    return forms.some((form) => value.includes(form)) || value.some((item) => isContainer(item) && isWithin(item));
  };
}

/** The ways to write an item: as requested, and for a number or boolean also as text or vice versa. */
function formsOf(wanted: unknown): unknown[] {
  if (typeof wanted !== 'string') return wanted === null ? [null] : [wanted, String(wanted)];
  const other = isTruth(wanted) ? wanted === 'true' : toNumber(wanted);
  return other === undefined ? [wanted] : [wanted, other];
}

/** Numbers are read as they are written. */
function onText(test: (text: string) => boolean): (value: unknown) => Verdict {
  return (value) => (typeof value === 'string' || kindOf(value) === 'number' ? test(String(value)) : undefined);
}
