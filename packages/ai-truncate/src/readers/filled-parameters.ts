import { isRecord } from '../protocol/guards.ts';

/** The parts of a JSON schema that say what a parameter may be. */
interface ParameterSchema {
  type?: unknown;
  properties?: unknown;
  required?: unknown;
  items?: unknown;
  anyOf?: unknown;
}

/** More than any schema of a reader has: what lies deeper is left as it is. */
const MAX_DEPTH = 5;
const INTEGER = /^\s*[+-]?\d{1,15}\s*$/;

/**
 * The parameters as they were meant. Some providers make every parameter required, so that models fill those that they do not
 * need with `null`, `''`, zeros and empty objects. Where the schema does not require a parameter, these count as not given. A
 * whole number that is written as text is a number. Everything else stays, so that a mistake is still an error.
 */
export function withoutFilled(input: unknown, schema: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH || !isRecord(schema)) return input;
  const { type, properties, required, items }: ParameterSchema = schema;
  if (type === 'integer') return typeof input === 'string' && INTEGER.test(input) ? Number(input) : input;
  if (Array.isArray(input)) return items ? input.map((item) => withoutFilled(item, items, depth + 1)) : input;
  // One item needs no list.
  if (type === 'array') return withoutFilled(input, items, depth + 1);
  if (!isRecord(input) || !isRecord(properties)) return input;
  const needed: unknown[] = Array.isArray(required) ? required : [];
  const members = Object.keys(input).map((name) => {
    const ofMember = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, withoutFilled(input[name], ofMember, depth + 1), ofMember] as const;
  });
  const given = members.filter(([name, value, ofMember]) =>
    ofMember === undefined ? value !== null : needed.includes(name) || !isFilled(value, { ofMember, depth }),
  );
  return Object.fromEntries(given.map(([name, value]) => [name, value]));
}

function isFilled(value: unknown, { ofMember, depth }: { ofMember: unknown; depth: number }): boolean {
  const { type, anyOf }: ParameterSchema = isRecord(ofMember) ? ofMember : {};
  // What a condition compares with may be anything, also nothing.
  if (anyOf !== undefined && depth > 0) return false;
  if (isNothing(value)) return true;
  if (type === 'integer') return value === 0;
  // With all its members filled in, also those that it requires.
  return type === 'object' && isRecord(value) && Object.values(value).every((each) => isNothing(each) || each === 0);
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}
