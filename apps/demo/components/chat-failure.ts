/** An answer of the server that is no stream: what it said, and with which status. */
export class ChatRequestError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  /** Seconds that the server asks to wait. */
  readonly retryAfterSeconds: number | undefined;

  constructor(details: { status: number; code?: string; message: string; retryAfterSeconds?: number | undefined }) {
    super(details.message);
    this.name = 'ChatRequestError';
    this.status = details.status;
    this.code = details.code;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** The scripts that talk to the server could not be fetched: nothing was sent. */
export class ChatLoadError extends Error {
  /** A question stands at the end of the chat, and perhaps only there. Otherwise the server has all that the page shows. */
  readonly isQuestion: boolean;

  constructor({ cause, isQuestion }: { cause: unknown; isQuestion: boolean }) {
    super('A part of this page could not be loaded.', { cause });
    this.name = 'ChatLoadError';
    this.isQuestion = isQuestion;
  }
}

/** What the page offers after a failure. Each one works: it repeats, gives the text back, or starts a new chat. */
export type FailureAction = 'retry' | 'edit' | 'start-again' | 'reload';

export interface ChatFailure {
  title: string;
  detail: string;
  action: FailureAction;
  /** Nothing went wrong, perhaps: the visitor stopped it. It is told, but raises no alarm. */
  isQuiet?: true;
}

/** A message without an answer: it was stopped, or the page was left, before the first word. */
export const noAnswer: ChatFailure = {
  title: 'This message has no answer',
  detail: 'It ended before its first word.',
  action: 'retry',
  isQuiet: true,
};

/** An answer that was cut short: by the visitor, by a page that was left, by a limit. */
export const unfinishedAnswer: ChatFailure = {
  title: 'Stopped',
  detail: 'This answer was not finished.',
  action: 'retry',
  isQuiet: true,
};

/** Another page, or this one before it was reloaded, asked for an answer whose end nobody saw. */
export const answerElsewhere: ChatFailure = {
  title: 'This answer is still being written',
  detail: 'It is not shown as it grows any more. Reload this chat to see how far it is.',
  action: 'reload',
  isQuiet: true,
};

/** Says what went wrong with an answer, and what the visitor can do about it. */
export function chatFailure(error: Error): ChatFailure {
  if (error instanceof ChatRequestError) return requestFailure(error);
  if (error instanceof ChatLoadError) return loadFailure(error);
  // What browsers throw when a connection fails or breaks; everything else was said by the server inside of the stream.
  if (error instanceof TypeError) {
    return {
      title: 'The connection was lost',
      detail: 'What arrived so far is kept. Check the connection, then ask for the answer again.',
      action: 'retry',
    };
  }
  return { title: 'The answer failed', detail: error.message || 'The server gave no reason.', action: 'retry' };
}

function requestFailure({ status, code, message, retryAfterSeconds }: ChatRequestError): ChatFailure {
  if (status === 404 || code === 'unknown_chat') {
    return { title: 'This chat is not here any more', detail: message, action: 'start-again' };
  }
  if (status === 413) {
    return { title: 'This message is too long', detail: message, action: 'edit' };
  }
  if (status === 429) {
    return {
      title: 'Too many messages',
      detail: `${message} ${waitSentence(retryAfterSeconds)}`.trim(),
      action: 'retry',
    };
  }
  if (code === 'chat_full') {
    return { title: 'This chat is full', detail: message, action: 'start-again' };
  }
  if (code === 'busy') {
    return { title: 'This chat is still answering', detail: message, action: 'retry' };
  }
  if (status === 409) {
    return { title: 'This chat has moved on', detail: message, action: 'reload' };
  }
  if (status === 401 || status === 403) {
    return { title: 'This chat belongs to somebody else', detail: message, action: 'start-again' };
  }
  if (status >= 500) {
    return { title: 'The server failed', detail: message, action: 'retry' };
  }
  return { title: 'The server refused this message', detail: message, action: 'edit' };
}

function loadFailure({ isQuestion }: ChatLoadError): ChatFailure {
  const title = 'This was not sent';
  const reason = 'The part of this page that talks to the server could not be loaded. Check the connection, then';
  return isQuestion
    ? { title, detail: `${reason} retry. Your message is kept above.`, action: 'retry' }
    : { title, detail: `${reason} reload this chat.`, action: 'reload' };
}

function waitSentence(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  return seconds < 90 ? `Try again in ${seconds} seconds.` : `Try again in ${Math.ceil(seconds / 60)} minutes.`;
}
