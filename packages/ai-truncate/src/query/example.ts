import type { Operator, QueryCondition, RecordQuery } from './arguments.ts';
import type { Example, KnownField } from './catalog.ts';
import { yearOf } from './text-date.ts';
import { kindOf } from './value.ts';

/**
 * One query that works on these records, with the field in question where it is known, and asked as the one that does not
 * work was.
 */
export function exampleQuery(
  fields: readonly KnownField[],
  { field: wanted, op }: { field?: string | undefined; op?: Operator | undefined } = {},
): RecordQuery | undefined {
  const field =
    fields.find(({ name, examples }) => name === wanted && examples.length > 0) ??
    fields.find(({ examples }) => examples.length > 0);
  const [example] = field?.examples ?? [];
  if (!field || example === undefined) return undefined;
  const condition = conditionOf(field, { example, op: field.name === wanted ? op : undefined });
  return { where: [{ field: field.name, ...condition }], limit: 5 };
}

function conditionOf(
  { types, examples }: KnownField,
  { example, op }: { example: Example; op: Operator | undefined },
): Omit<QueryCondition, 'field'> {
  // Holds for the value itself as well.
  if (types.includes('array')) return { op: 'contains', value: example };
  const kind = kindOf(example);
  if (kind === 'text date') return { op: 'contains', value: yearOf(String(example)) ?? example };
  if (op === 'in') return { op, value: examples };
  if (op === 'eq' || kind === 'text' || kind === 'boolean') return { op: 'eq', value: example };
  return { op: op === 'lt' || op === 'lte' ? 'lte' : 'gte', value: example };
}

/** The field that may have been meant: the same but for case and signs, or at the end of a path, or a part of the name. */
export function similarField(fields: readonly KnownField[], wanted: string): string | undefined {
  const plain = plainName(wanted);
  if (plain === '') return undefined;
  const names = fields.map(({ name }) => name);
  return (
    names.find((name) => plainName(name) === plain) ??
    names.find((name) => plainName(lastKey(name)) === plainName(lastKey(wanted))) ??
    names.find((name) => plain.length > 2 && plainName(name).includes(plain))
  );
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function lastKey(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
