import { InvalidOptionError } from '../errors.ts';
import type { ToolResponse } from './tool-response.ts';
import { findUnjsonable, speaksForItself } from './unjsonable.ts';

/** What a log, a stored chat and the model get of it is the same envelope. */
export function requireJson({ data, error, context }: ToolResponse<object>): void {
  if (speaksForItself(data)) {
    throw new InvalidOptionError({ option: 'data', value: data, expected: 'a plain object, without `toJSON`' });
  }
  const { params_input: input } = context;
  if (typeof input === 'function' || typeof input === 'symbol') {
    throw new InvalidOptionError({ option: 'input', value: input, expected: 'what JSON can carry' });
  }
  const found =
    findUnjsonable(data, 'data') ??
    findUnjsonable(input, 'input') ??
    findUnjsonable(context, 'context') ??
    findUnjsonable(error, 'error');
  if (!found) return;
  const expected =
    typeof found.value === 'bigint'
      ? 'a number or a text: JSON has no BigInt'
      : 'without a cycle, and nested at most 1,000 levels deep';
  throw new InvalidOptionError({ option: found.field, value: found.value, expected });
}
