import type { RecordQuery } from './query-arguments.ts';
import type { KnownField } from './query-catalog.ts';

/** One query that works on these records, with the field in question where it is known. */
export function exampleQuery(fields: readonly KnownField[], wanted?: string): RecordQuery | undefined {
  const field =
    fields.find(({ name, example }) => name === wanted && example !== undefined) ??
    fields.find(({ example }) => example !== undefined);
  if (!field || field.example === undefined) return undefined;
  const { name, example } = field;
  const op = typeof example === 'number' || field.types.includes('date') ? 'gte' : 'eq';
  return { where: [{ field: name, op, value: example }], limit: 5 };
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
