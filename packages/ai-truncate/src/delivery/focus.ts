import type { ToolExecutionOptions } from 'ai';
import { requireOption } from '../options.ts';
import { isRecord } from '../protocol/guards.ts';
import { type FocusTerm, focusTerms, MAX_MESSAGE_CHARS } from '../text/focus-terms.ts';
import { firstChars } from '../text/utf.ts';

/** The call that produced the output. */
export interface FocusCall extends ToolExecutionOptions<unknown> {
  toolName: string;
  input: unknown;
}

/** The question that previews answer: see `focus` of `truncateToolOutputs`. */
export type FocusOption = 'auto' | false | (string & {}) | ((call: FocusCall) => string | undefined);

/** Throws if the option is neither omitted nor valid. */
export function requireFocus(option: string, value: unknown, { allowsFunction }: { allowsFunction: boolean }): void {
  const isFunction = allowsFunction && typeof value === 'function';
  const isRight = value === undefined || value === false || typeof value === 'string' || isFunction;
  const expected = `'auto', a text${allowsFunction ? ', a function that returns one,' : ''} or \`false\``;
  requireOption(isRight, { option, value, expected });
}

/** The terms for one call. If a function fails, or an input cannot be read, there is no focus, but the output is not lost. */
export function focusOf(option: FocusOption | undefined, call: () => Partial<FocusCall>): readonly FocusTerm[] {
  try {
    return focusTerms(questionsOf(option, call));
  } catch {
    return [];
  }
}

function questionsOf(option: FocusOption | undefined, call: () => Partial<FocusCall>): string[] {
  if (option === false) return [];
  if (typeof option === 'function') {
    const text: unknown = option(call() as FocusCall);
    return typeof text === 'string' ? [text] : [];
  }
  if (option !== undefined && option !== 'auto') return [option];
  const { messages, input } = call();
  return [...lastQuestions(messages), ...textsOf(input)];
}

/** A question often continues the previous one. */
const QUESTIONS = 2;

/** The texts of the last user messages, latest first. */
function lastQuestions(messages: unknown): string[] {
  const questions: string[] = [];
  const all = Array.isArray(messages) ? messages : [];
  for (let at = all.length - 1; at >= 0 && questions.length < QUESTIONS; at--) {
    const text = questionOf(all[at]);
    if (text !== undefined) questions.push(text);
  }
  return questions;
}

/** The text of a user message; `undefined` for any other message. */
function questionOf(message: unknown): string | undefined {
  if (!isRecord(message) || message.role !== 'user') return undefined;
  const { content } = message;
  const parts = Array.isArray(content) ? content : [{ text: content }];
  const texts = parts.flatMap((part) => (isRecord(part) && typeof part.text === 'string' ? [part.text] : []));
  return texts.length === 0 ? undefined : texts.join('\n');
}

const MAX_QUESTION_CHARS = 4000;

/** The text of the last user message, for a `keep` function; `undefined` if that message has no text. */
export function lastQuestion(messages: unknown): string | undefined {
  const isAsked = (message: unknown) => isRecord(message) && message.role === 'user';
  const text = questionOf(Array.isArray(messages) ? messages.findLast(isAsked) : undefined);
  return text === undefined || text === '' ? undefined : firstChars(text, MAX_QUESTION_CHARS);
}

/** Most arguments are small, but the content of a file to write is not. */
const MAX_ARGUMENTS = 100;

/** The texts and numbers in the arguments of a call. */
function textsOf(input: unknown): string[] {
  const texts: string[] = [];
  let chars = 0;
  const waiting: unknown[] = [input];
  for (let count = 0; waiting.length > 0 && count < MAX_ARGUMENTS && chars < MAX_MESSAGE_CHARS; count++) {
    const value = waiting.shift();
    if (typeof value === 'string' || typeof value === 'number') texts.push(String(value));
    else if (Array.isArray(value)) waiting.push(...value.slice(0, MAX_ARGUMENTS));
    // The bytes of a file are not words.
    else if (isRecord(value) && !ArrayBuffer.isView(value))
      waiting.push(...Object.values(value).slice(0, MAX_ARGUMENTS));
    chars += texts.at(-1)?.length ?? 0;
  }
  return texts.length === 0 ? [] : [texts.join(' ')];
}
