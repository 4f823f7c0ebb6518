import { AiTruncateError } from '../errors.ts';
import { toolErrorOf } from '../protocol/error-codes.ts';
import type { ToolResponseError } from '../protocol/tool-response.ts';
import { type ContentKind, isReadable } from '../windows/text-regions.ts';
import { readerErrors } from './reader-words.ts';

/** The reason why a reader has no answer, and what the model should do instead. */
export interface Refusal extends ToolResponseError {
  next: string;
}

/** Thrown by a reader that has no answer. */
export class ReaderRefusal extends Error implements Refusal {
  readonly code: Refusal['code'];
  readonly next: string;

  constructor({ code, message, next }: Refusal) {
    super(message);
    this.name = 'ReaderRefusal';
    this.code = code;
    this.next = next;
  }
}

/** The refusal of an invalid parameter. */
export function wrongParameter(message: string): ReaderRefusal {
  return new ReaderRefusal({ code: 'INVALID_PARAM', message, next: readerErrors.correct });
}

/** Throws a `ReaderRefusal` for content that has no lines and no records. */
export function requireReadable(kind: ContentKind): void {
  if (isReadable(kind)) return;
  throw new ReaderRefusal({ code: 'BINARY_FILE', message: readerErrors.binary(kind), next: readerErrors.askPerson });
}

/** An error of a store, for the model. The message of a foreign error is left out, because it can name places on the server. */
export function storeFailure(error: unknown): ToolResponseError {
  const known = toolErrorOf(error);
  if (AiTruncateError.isInstance(error)) return known;
  const code = codeOf(error);
  // Without a code, the fault may be in the reader.
  const isUnknown = code === undefined && known.code === 'INTERNAL_ERROR';
  const message = isUnknown ? readerErrors.readerFailed(known.code) : readerErrors.storeFailed(code ?? known.code);
  return { code: known.code, message };
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[A-Z_0-9]{1,40}$/.test(code) ? code : undefined;
}
