import { InvalidOptionError } from '../errors.ts';

/** The three things that a text for a model says. */
export type ResponseTextOptions = ResponseTextStart &
  (
    | { status: 'success'; next?: string | undefined }
    | {
        status: 'partial' | 'error';
        /** What the model should do now: the parameter to change, the tool to call. */
        next: string;
      }
  );

interface ResponseTextStart {
  /** What was done, and with what result: `Found 5 matches for 'class ' in 2 files.` */
  happened: string;
  /** What is special about it: `Truncated to the first 100.` */
  state?: string | undefined;
}

/**
 * The `text` of an answer: what happened, in what state, what to do next. A result that is not whole needs its next step:
 * a model that is told none repeats the call.
 *
 * @example
 * responseText({ status: 'partial', happened: 'Found 100 matches', state: 'Truncated', next: 'Narrow `path`' });
 * // 'Found 100 matches. Truncated. Narrow `path`.'
 */
export function responseText({ status, happened, state = '', next = '' }: ResponseTextOptions): string {
  requireText('happened', { value: happened, expected: 'a text that says what was done' });
  if (typeof state !== 'string') throw new InvalidOptionError({ option: 'state', value: state, expected: 'a text' });
  if (status !== 'success') {
    requireText('next', { value: next, expected: `the next step, which an answer with status '${status}' names` });
  } else if (typeof next !== 'string') {
    throw new InvalidOptionError({ option: 'next', value: next, expected: 'a text' });
  }
  return [happened, state, next].map(toSentence).filter(Boolean).join(' ');
}

function requireText(option: string, { value, expected }: { value: unknown; expected: string }): void {
  if (typeof value !== 'string' || value.trim() === '') throw new InvalidOptionError({ option, value, expected });
}

/** Closed by a full stop, unless something closes it already. */
function toSentence(text: string): string {
  const trimmed = text.trim();
  return trimmed === '' || /[.!?…:][)\]"'`]?$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
