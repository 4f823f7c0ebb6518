import { isRecord } from './is-record.ts';
import { happenedByDefault } from './response-words.ts';
import { toolErrorOf, toolErrorOfText } from './tool-error-of.ts';
import type { ToolResponseError } from './tool-response.ts';

/**
 * The `error` that an older tool gave, in whatever form: a text, an object, `true`; `undefined` where only a status told of it.
 * `lost` is what of it has no place in `{ code, message }`, for `data`.
 */
export function errorOfMember(
  given: unknown,
  beside: Record<string, unknown>,
): { error: ToolResponseError; lost: Record<string, unknown> } {
  if (typeof given === 'string') {
    const error = toolErrorOfText(given);
    return { error, lost: error.message === given ? {} : { error_message: given } };
  }
  if (given instanceof Error) return { error: toolErrorOf(given), lost: {} };
  const { code, message } = isRecord(given) ? given : beside;
  const words = [message, beside.message, beside.text].find(isText) ?? happenedByDefault.error;
  const known = toolErrorOf({ code, message: words });
  // A code of the tool's own says more than `INTERNAL_ERROR`.
  const error = known.code === 'INTERNAL_ERROR' && isText(code) ? { ...known, code } : known;
  const isTold = given === undefined || given === true || (isRecord(given) && isAllIn(given, error));
  return { error, lost: isTold ? {} : { error_details: given } };
}

function isAllIn(given: Record<string, unknown>, error: object): boolean {
  return Object.entries(given).every(([name, value]) => (error as Record<string, unknown>)[name] === value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
