import { AiTruncateError } from '../errors.ts';

/** No such artifact in this scope; whether another scope has it cannot be told from this. */
export class ArtifactNotFoundError extends AiTruncateError {
  constructor(path: unknown) {
    const text = typeof path === 'string' ? path : `a value of type ${typeof path}`;
    const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
    super(
      `There is no artifact \`${shown}\` here: it was deleted, it expired, or the path is not exactly the one that was given.`,
      { code: 'ARTIFACT_NOT_FOUND' },
    );
    this.name = 'ArtifactNotFoundError';
  }

  static override isInstance(value: unknown): value is ArtifactNotFoundError {
    return AiTruncateError.isInstance(value) && value.code === 'ARTIFACT_NOT_FOUND';
  }
}

/** A tool output was larger than an artifact may be; nothing of it was kept. */
export class ArtifactTooLargeError extends AiTruncateError {
  constructor(maxArtifactBytes: number) {
    super(
      `The output is larger than \`maxArtifactBytes\` (${maxArtifactBytes}), so nothing of it was kept. Raise the limit.`,
      {
        code: 'ARTIFACT_TOO_LARGE',
      },
    );
    this.name = 'ArtifactTooLargeError';
  }

  static override isInstance(value: unknown): value is ArtifactTooLargeError {
    return AiTruncateError.isInstance(value) && value.code === 'ARTIFACT_TOO_LARGE';
  }
}

/** The store sends fewer or more bytes than it acknowledged: the value was changed, or something else answered. */
export class IncompleteArtifactError extends AiTruncateError {
  constructor(name: string, { bytes, expected }: { bytes: number; expected: number }) {
    super(
      `The store gave ${bytes} bytes in place of ${expected} bytes of \`${name}\`: it was cut off or changed. Read it again.`,
      {
        code: 'INCOMPLETE_READ',
      },
    );
    this.name = 'IncompleteArtifactError';
  }
}

/** The store says that a value is safe, of which it has not read all. */
export class UnreadValueError extends AiTruncateError {
  constructor(bytes: number) {
    super(
      `The \`put\` of the store resolved before it had read its body to the end: it was given ${bytes} bytes by then. Let it wait for all of them.`,
      { code: 'INCOMPLETE_WRITE' },
    );
    this.name = 'UnreadValueError';
  }
}
