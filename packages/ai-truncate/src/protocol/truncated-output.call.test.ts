import { describe, expect, test } from 'vitest';
import { modelOutputCallOf } from './truncated-output.ts';

describe('the argument of toModelOutput', () => {
  test('is a call if it has all members of a call', () => {
    const call = { toolCallId: 'call_1', input: { path: 'a' }, output: 'text' };
    expect(modelOutputCallOf(call)).toEqual(call);
    expect(modelOutputCallOf({ ...call, input: undefined, output: undefined })).toEqual({
      toolCallId: 'call_1',
      input: undefined,
      output: undefined,
    });
  });

  test('is also a call with members of a later version', () => {
    const call = { toolCallId: 'call_1', input: {}, output: 'text' };
    expect(modelOutputCallOf({ ...call, context: {} })).toEqual(call);
  });

  test('is a call whose output looks like a call', () => {
    const output = { toolCallId: 'call_0', input: {}, output: 'inner' };
    expect(modelOutputCallOf({ toolCallId: 'call_1', input: {}, output }).output).toBe(output);
  });

  test.each<[string, unknown]>([
    ['a text', 'text'],
    ['nothing', undefined],
    ['null', null],
    ['a list', [1, 2]],
    ['a member `output`', { output: 'text' }],
    ['`output` and `input`', { input: 'ls', output: 'text' }],
    ['`output` and `toolCallId`', { toolCallId: 'call_1', output: 'text' }],
    ['an id that is not a text', { toolCallId: 7, input: {}, output: 'text' }],
    ['inherited members', Object.create({ toolCallId: 'call_1', input: {}, output: 'text' })],
    [
      'traps that throw',
      new Proxy(
        {},
        {
          getOwnPropertyDescriptor() {
            throw new Error('no');
          },
        },
      ),
    ],
  ])('is otherwise the output itself: %s', (_, output) => {
    const call = modelOutputCallOf(output);
    expect(call.toolCallId).toBe('');
    expect(call.output).toBe(output);
  });
});
