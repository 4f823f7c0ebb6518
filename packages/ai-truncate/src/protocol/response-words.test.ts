import { expect, test } from 'vitest';
import { cutAnswer, happenedByDefault, nextAfter, nextAfterPartial, stateOf } from './response-words.ts';
import { toolErrorCodes } from './tool-response.ts';

test('every default text of an envelope is listed here', () => {
  expect({ happenedByDefault, cutAnswer, nextAfterPartial }).toMatchInlineSnapshot(`
    {
      "cutAnswer": "… [cut here: the answer is too large]",
      "happenedByDefault": {
        "error": "The tool failed.",
        "partial": "The tool returned only a part of its result.",
        "success": "The tool succeeded.",
      },
      "nextAfterPartial": "Narrow the request, or request the missing part.",
    }
  `);
});

test('every error code has a next step, and an unknown code has the next step of an internal error', () => {
  const nextSteps = Object.fromEntries(toolErrorCodes.map((code) => [code, nextAfter(code)]));
  expect(nextSteps).toMatchInlineSnapshot(`
    {
      "ACCESS_DENIED": "Use a path inside the project.",
      "BINARY_FILE": "Choose a text file.",
      "CONFLICT": "Read it again, then repeat the change.",
      "EXECUTION_ERROR": "Call it again, or try another way.",
      "INTERNAL_ERROR": "Try another way, because the same call may fail again.",
      "INVALID_PARAM": "Correct the parameters and call again.",
      "IS_DIRECTORY": "List the directory, then choose a file in it.",
      "NOT_FOUND": "Check the path, or list the existing files.",
      "PERMISSION_DENIED": "Use another path, or ask the user for permission.",
      "TIMEOUT": "Narrow the request and call again.",
    }
  `);
  expect(nextAfter('TOO_CURIOUS')).toBe(nextSteps.INTERNAL_ERROR);
});

test('the marks in `data` say why a result is partial', () => {
  const marks = { truncated: true, fallback: 'glob', failed_items: ['a', 'b'], applied: false };
  expect(stateOf(marks)).toMatchInlineSnapshot(
    `"The result is truncated. A fallback was used: glob. 2 items failed. Dry run: nothing was written."`,
  );
  expect(stateOf({ failed_items: ['a'] })).toMatchInlineSnapshot(`"1 item failed."`);
  expect(stateOf({ truncated: false, applied: true, failed_items: [] })).toBe('');
  expect(stateOf(null)).toBe('');
});
