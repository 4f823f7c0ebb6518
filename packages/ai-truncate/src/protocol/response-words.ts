import { isRecord } from './guards.ts';
import { type ToolErrorCode, toolErrorCodes } from './tool-response.ts';

/** The texts that the model sees if a tool has no own text. */
export const happenedByDefault = {
  success: 'The tool succeeded.',
  partial: 'The tool returned only a part of its result.',
  error: 'The tool failed.',
} as const;

/** The end of an answer that was cut because it is larger than any model could read. */
export const cutAnswer = '… [cut here: the answer is too large]';

/** The next step after an incomplete result, if the tool names none. */
export const nextAfterPartial = 'Narrow the request, or request the missing part.';

const nextAfterError: Record<ToolErrorCode, string> = {
  NOT_FOUND: 'Check the path, or list the existing files.',
  ACCESS_DENIED: 'Use a path inside the project.',
  PERMISSION_DENIED: 'Use another path, or ask the user for permission.',
  INVALID_PARAM: 'Correct the parameters and call again.',
  TIMEOUT: 'Narrow the request and call again.',
  INTERNAL_ERROR: 'Try another way, because the same call may fail again.',
  EXECUTION_ERROR: 'Call it again, or try another way.',
  CONFLICT: 'Read it again, then repeat the change.',
  IS_DIRECTORY: 'List the directory, then choose a file in it.',
  BINARY_FILE: 'Choose a text file.',
};

/** The next step after an error, if the tool names none. */
export function nextAfter(code: string): string {
  const known = toolErrorCodes.find((each) => each === code) ?? 'INTERNAL_ERROR';
  return nextAfterError[known];
}

/** The reason why a result is incomplete, according to the marks in its `data`; empty if there is none. */
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
