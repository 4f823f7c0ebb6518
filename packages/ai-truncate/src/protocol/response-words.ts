import { isRecord } from './guards.ts';
import { type ToolErrorCode, toolErrorCodes } from './tool-response.ts';

/** What a model reads where a tool has no words of its own. */
export const happenedByDefault = {
  success: 'The tool succeeded.',
  partial: 'The tool gave a part of its result.',
  error: 'The tool failed.',
} as const;

/** Stands where an answer was cut because it is larger than any model could read. */
export const cutAnswer = '… [cut here: the answer is too large]';

/** The next step after a result that is not whole, where the tool names none. */
export const nextAfterPartial = 'Narrow the request, or ask for the part that is missing.';

const nextAfterError: Record<ToolErrorCode, string> = {
  NOT_FOUND: 'Check the path, or list what is there.',
  ACCESS_DENIED: 'Use a path inside the project.',
  PERMISSION_DENIED: 'Use another path, or ask the user for the permission.',
  INVALID_PARAM: 'Correct the parameters and call again.',
  TIMEOUT: 'Narrow the request and call again.',
  INTERNAL_ERROR: 'Try another way; the same call may fail again.',
  EXECUTION_ERROR: 'Call again, or try another way.',
  CONFLICT: 'Read it again, then repeat the change.',
  IS_DIRECTORY: 'List the directory, then choose a file in it.',
  BINARY_FILE: 'Choose a text file.',
};

/** The next step after an error, where the tool names none. */
export function nextAfter(code: string): string {
  const known = toolErrorCodes.find((each) => each === code) ?? 'INTERNAL_ERROR';
  return nextAfterError[known];
}

/** Why a result is not whole, read from the marks in its `data`; nothing when there is none. */
export function stateOf(data: unknown): string {
  if (!isRecord(data)) return '';
  const { truncated, fallback, failed_items: failedItems, applied } = data;
  const failures = Array.isArray(failedItems) ? failedItems.length : 0;
  return [
    truncated === true && 'The result is truncated.',
    typeof fallback === 'string' && `A fallback was used: ${fallback}.`,
    failures > 0 && (failures === 1 ? '1 item failed.' : `${failures} items failed.`),
    applied === false && 'Dry run: nothing was written.',
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}
