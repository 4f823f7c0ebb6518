import { isRecord } from './guards.ts';

/** How AI SDK 6 and 7 call `toModelOutput`. */
export interface ModelOutputCall {
  toolCallId: string;
  input: unknown;
  output: unknown;
}

/**
 * The call that an argument of `toModelOutput` stands for. AI SDK 6 and 7 pass a call with three members; AI SDK 5, and frameworks
 * that kept its signature, pass the output itself. Only an argument that has all three members is a call: an output often has an
 * `output` or an `input`, and further members may come with a later version of the SDK.
 */
export function modelOutputCallOf(argument: unknown): ModelOutputCall {
  try {
    if (isRecord(argument) && CALL_MEMBERS.every((name) => Object.hasOwn(argument, name))) {
      const { toolCallId, input, output } = argument;
      if (typeof toolCallId === 'string') return { toolCallId, input, output };
    }
  } catch {
    // An output that cannot be looked at is an output all the same.
  }
  return { toolCallId: '', input: undefined, output: argument };
}

const CALL_MEMBERS: readonly string[] = ['toolCallId', 'input', 'output'];
