import { AiTruncateError } from '../../errors.ts';
import { withRetries } from './retry.ts';

/** The bytes that a backend sends. The reader of a `ReadableStream` is a `BodyReader`. */
export interface BodyReader {
  read(): Promise<{ done: boolean; value?: Uint8Array<ArrayBuffer> | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

/** The wanted part of the bytes that a backend sends. It may send more than requested. */
export interface WantedBytes {
  start: number;
  end: number;
  /** The announced number of bytes; `undefined` if the backend announces none. */
  promisedBytes: number | undefined;
  /**
   * The required number of bytes, if it is known. Another announced number is refused. Without an announced number, the body is
   * read to its end and counted.
   */
  expectedBytes?: number | undefined;
}

export interface ReadStreamOptions extends WantedBytes {
  key: string;
  /** How long each read may take. The time of the consumer does not count. */
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

/**
 * The wanted part of the bytes that a backend sends, for `get`. A body that breaks off ends with an error, because it would
 * look like a shorter value to a reader that does not count. However the stream ends, the body is canceled.
 */
export function toReadStream(body: BodyReader, options: ReadStreamOptions): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { key, start, end, promisedBytes, expectedBytes, timeoutMs, signal } = options;
  const sentBytes = promisedBytes ?? expectedBytes ?? 0;
  const isCounted = promisedBytes === undefined && expectedBytes !== undefined;
  /** One additional byte is enough to notice that there are too many. */
  const readTo = isCounted ? expectedBytes + 1 : end;
  let position = 0;
  let onAbort = () => {};

  /** Not awaited, because a backend that hangs may hang here too. */
  function letGo(reason?: unknown): void {
    signal?.removeEventListener('abort', onAbort);
    body.cancel(reason).catch(() => {});
  }

  async function nextPart(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    while (position < readTo) {
      const { done, value } = await withRetries(() => body.read(), { verb: 'get', timeoutMs });
      if (done || !value) {
        if (position < Math.min(readTo, sentBytes)) throw brokenOff(key, { position, sentBytes });
        return undefined;
      }
      const part = value.subarray(Math.max(0, start - position), Math.max(0, end - position));
      position += value.length;
      if (isCounted && position > expectedBytes) throw otherValue(key, { bytes: position, expectedBytes });
      if (part.length > 0) return part;
    }
    return undefined;
  }

  if (promisedBytes !== undefined && expectedBytes !== undefined && promisedBytes !== expectedBytes) {
    const error = otherValue(key, { bytes: promisedBytes, expectedBytes });
    letGo(error);
    throw error;
  }

  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        // Also between reads, because otherwise the connection would stay open until the next read.
        onAbort = () => {
          controller.error(signal?.reason);
          letGo(signal?.reason);
        };
        if (signal?.aborted) onAbort();
        else signal?.addEventListener('abort', onAbort, { once: true });
      },
      async pull(controller) {
        try {
          const part = await nextPart();
          if (part) return controller.enqueue(part);
          controller.close();
          letGo();
        } catch (error) {
          letGo(error);
          throw error;
        }
      },
      cancel: letGo,
    },
    // Reads only on request, because the deadline of a read would otherwise run while the consumer is busy elsewhere.
    { highWaterMark: 0 },
  );
}

/** The backend sent fewer bytes than required. */
function brokenOff(key: string, { position, sentBytes }: { position: number; sentBytes: number }): AiTruncateError {
  const message = `The store stopped sending \`${key}\` after ${position} of ${sentBytes} bytes. Read it again.`;
  return new AiTruncateError(message, { code: 'INCOMPLETE_READ' });
}

/** The answer has another size than the value, because a proxy answered or the value was replaced. */
function otherValue(key: string, { bytes, expectedBytes }: { bytes: number; expectedBytes: number }): AiTruncateError {
  return new AiTruncateError(
    `The store sent ${bytes} bytes or more in place of the ${expectedBytes} bytes of \`${key}\`. ` +
      'Read it again, and check whether a proxy answers in place of the store.',
    { code: 'STORE_ANSWER' },
  );
}
